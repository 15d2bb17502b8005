/** uPlot with its style sheet, as a part of its own. */

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export default uPlot
