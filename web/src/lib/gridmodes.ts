/** What the cells of a grid can show, and how. */

import type { Cell } from './aggregate'
import { formatChips, percent, type UnitScale } from './units'

export type GridMode = 'strategy' | 'ev' | 'equity' | 'eqr' | 'weight'

export const GRID_MODES: { value: GridMode; text: string; title: string }[] = [
  { value: 'strategy', text: 'Strategy', title: 'How often each action is taken' },
  { value: 'ev', text: 'EV', title: 'Chips that the hand wins from here on' },
  { value: 'equity', text: 'Equity', title: 'Share of the pot if nobody bets any more' },
  { value: 'eqr', text: 'EQR', title: 'Equity realised: EV over equity times pot' },
  { value: 'weight', text: 'Weight', title: 'How much of the hand gets here' },
]

export function cellValue(cell: Cell, mode: GridMode): number | null {
  if (cell.weight <= 0) return null
  if (mode === 'weight') return cell.weight
  return mode === 'strategy' ? null : cell[mode]
}

/** The smallest and largest values of a mode; equities and weights have ends of their own. */
export function valueRange(cells: readonly Cell[], mode: GridMode): [number, number] {
  if (mode === 'equity' || mode === 'weight') return [0, 1]
  const values = cells.map((cell) => cellValue(cell, mode)).filter((value) => value !== null)
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return high > low ? [low, high] : [low - 1, high + 1]
}

export function valueText(value: number | null, mode: GridMode, scale: UnitScale): string {
  if (mode === 'ev') return formatChips(value, scale)
  return percent(value, mode === 'eqr' || mode === 'weight' ? 0 : 1)
}

/** Short enough for a cell. */
export function cellText(value: number | null, mode: GridMode, scale: UnitScale): string {
  if (value === null) return ''
  if (mode !== 'ev') return (100 * value).toFixed(0)
  if (scale.unit === 'bb') return (value / scale.bigBlind).toFixed(1)
  return scale.unit === 'pot' ? ((100 * value) / scale.pot).toFixed(0) : value.toFixed(0)
}
