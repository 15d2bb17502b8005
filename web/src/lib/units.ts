/** Numbers as people read them. */

export type Unit = 'chips' | 'bb' | 'pot'

export interface UnitScale {
  unit: Unit
  /** Chips of a big blind. */
  bigBlind: number
  /** The pot that percentages are of, in chips. */
  pot: number
  /** Whether EVs are prizes instead of chips. */
  prizes?: boolean
  /** What EVs may be wrong by, in chips: the exploitability. */
  error?: number | undefined
}

const MINUS = '−'

/** A number with a fixed number of places, with a real minus sign and no minus zero. */
export function fixed(value: number, places: number): string {
  const text = value.toFixed(places)
  return text.replace('-', Number(text) === 0 ? '' : MINUS)
}

/** Whole numbers with thin gaps between thousands. */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US')

export function formatChips(chips: number | null | undefined, scale: UnitScale): string {
  if (chips === null || chips === undefined || !Number.isFinite(chips)) return '–'
  if (scale.unit === 'bb') return `${fixed(chips / scale.bigBlind, 2)} bb`
  if (scale.unit === 'pot') return `${fixed((100 * chips) / scale.pot, 1)} %`
  return fixed(chips, Number.isInteger(chips) ? 0 : Math.abs(chips) >= 100 ? 1 : 2)
}

const MOST_DECIMALS = 3

/** The place of the first digit of what an EV may be wrong by, in its unit: digits after it say nothing. */
function evDecimals({ unit, bigBlind, pot, error }: UnitScale): number | null {
  if (error === undefined) return null
  const wrong = error / (unit === 'bb' ? bigBlind : unit === 'pot' ? pot / 100 : 1)
  // A hair less, so that 0.1 has one.
  return wrong < 10 ** -MOST_DECIMALS ? MOST_DECIMALS : Math.max(0, Math.ceil(-Math.log10(wrong) - 1e-9))
}

/** An EV: chips in the chosen unit with the digits that the exploitability supports, or prizes with four digits. */
export function formatEv(ev: number | null | undefined, scale: UnitScale): string {
  if (ev === null || ev === undefined || !Number.isFinite(ev)) return '–'
  const decimals = scale.prizes ? null : evDecimals(scale)
  if (decimals !== null) {
    if (scale.unit === 'bb') return `${fixed(ev / scale.bigBlind, decimals)} bb`
    return scale.unit === 'pot' ? `${fixed((100 * ev) / scale.pot, decimals)} %` : fixed(ev, decimals)
  }
  if (!scale.prizes) return formatChips(ev, scale)
  return fixed(ev, ev === 0 ? 2 : Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(ev))))))
}

/** The head of a column of EVs: chips and prizes stand without their name in its cells. */
export const evHead = (scale: UnitScale, name = 'EV'): string => (scale.prizes ? `${name}, prizes` : scale.unit === 'chips' ? `${name}, chips` : name)

/** An EV that stands alone. */
export function evAmount(ev: number | null | undefined, scale: UnitScale): string {
  const text = formatEv(ev, scale)
  if (text === '–') return text
  return scale.prizes ? `${text} prizes` : scale.unit === 'chips' ? `${text} chips` : text
}

/** What EVs are counted in, of which this is the exploitability: only prizes have an ε. */
export const unitOf = (found: { prizes?: number } | null | undefined): 'chips' | 'prizes' => (found?.prizes === undefined ? 'chips' : 'prizes')

/** What it is called how far a solution is from equilibrium. */
export const exactnessName = (unit: 'chips' | 'prizes'): string => (unit === 'prizes' ? 'ε' : 'exploitability')

/** What the percentage is of. */
export const exactnessOf = (unit: 'chips' | 'prizes'): string => (unit === 'prizes' ? 'what the pot is worth' : 'the pot')

/** An amount that stands alone. */
export function amount(chips: number | null | undefined, scale: UnitScale): string {
  const text = formatChips(chips, scale)
  return scale.unit === 'chips' && text !== '–' ? `${text} chips` : text
}

export function percent(fraction: number | null | undefined, places = 1): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return '–'
  const value = 100 * fraction
  // What is played, if ever so rarely, is not nothing.
  if (value > 0 && value < 0.05 && places <= 1) return '<0.1 %'
  return `${fixed(value, places)} %`
}

export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let [size, at] = [value, 0]
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024
    at += 1
  }
  return `${at === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[at]}`
}

export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '–'
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A small exploitability keeps its leading digits. */
export function exploitability(pct: number | null | undefined): string {
  if (pct === null || pct === undefined || !Number.isFinite(pct)) return '–'
  if (pct >= 10) return `${pct.toFixed(1)} %`
  if (pct >= 1) return `${pct.toFixed(2)} %`
  return `${pct.toFixed(3)} %`
}

/** An amount without zeros at its end, as sizes are said: 1.8 bb, 120. */
const sizeText = (chips: number, scale: UnitScale): string =>
  scale.unit === 'bb' ? `${fixed(Math.round((100 * chips) / scale.bigBlind) / 100, 2).replace(/\.?0+$/, '')} bb` : formatChips(chips, scale)

interface Sized {
  name?: string
  kind: string
  chips: number
  pct_pot: number | null
}

const wordOf = ({ kind }: Sized): string => (kind === 'allin' ? 'All-in' : kind.charAt(0).toUpperCase() + kind.slice(1))
const isSized = ({ kind }: Sized): boolean => kind === 'bet' || kind === 'raise'

/** "bet:120" as a person says it: "Bet 60 % (1.2 bb)". A percentage is of the pot that the bet was made into, whatever the pot is where one looks. */
export function actionLabel(action: Sized, scale: UnitScale): string {
  const [word, pct] = [wordOf(action), action.pct_pot]
  if (action.kind !== 'allin' && !isSized(action)) return word
  if (scale.unit === 'pot' && pct !== null) return `${word} ${fixed(pct, 1)} %`
  // Batches name an all-in without its amount.
  if (action.chips <= 0) return word
  if (!isSized(action)) return `${word} (${sizeText(action.chips, scale)})`
  return pct === null ? `${word} ${sizeText(action.chips, scale)}` : `${word} ${fixed(pct, 0)} % (${sizeText(action.chips, scale)})`
}

/** The same for the head of a column: "Bet 60 %". */
export function actionShort(action: Sized, scale: UnitScale): string {
  if (!isSized(action)) return wordOf(action)
  return action.pct_pot === null ? actionLabel(action, scale) : `${wordOf(action)} ${fixed(action.pct_pot, 0)}\u00a0%`
}
