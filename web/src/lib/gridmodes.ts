/** What the cells of a grid can show, and how. */

import type { Cell } from './aggregate'
import { formatEv, percent, type UnitScale } from './units'

export type GridMode = 'strategy' | 'ev' | 'equity' | 'eqr' | 'weight'

export const GRID_MODES: { value: GridMode; text: string; title: string }[] = [
  { value: 'strategy', text: 'Strategy', title: 'How often each action is taken, with the EV of the hand' },
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

/**
 * Where each value stands on the scale of colours, 0 to 1. Equities and weights have ends of their own. EVs crowd
 * together with a few far away: two thirds of their place are their rank, so that neighbours differ.
 */
export function colourPlaces(values: readonly (number | null)[], mode: GridMode): (number | null)[] {
  if (mode === 'equity' || mode === 'weight') return [...values]
  const known = [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b)
  const [low = 0, high = 0] = [known[0], known.at(-1)]
  const ranks = new Map(known.map((value, i) => [value, known.length > 1 ? i / (known.length - 1) : 0.5]))
  return values.map((value) => {
    if (value === null) return null
    const linear = high > low ? (value - low) / (high - low) : 0.5
    return (linear + 2 * (ranks.get(value) ?? linear)) / 3
  })
}

export function valueText(value: number | null, mode: GridMode, scale: UnitScale): string {
  if (mode === 'ev') return formatEv(value, scale)
  return percent(value, mode === 'eqr' || mode === 'weight' ? 0 : 1)
}

/** Short enough for a cell. */
export function cellText(value: number | null, mode: GridMode, scale: UnitScale): string {
  if (value === null) return ''
  if (mode !== 'ev') return (100 * value).toFixed(0)
  if (scale.unit === 'bb') return (value / scale.bigBlind).toFixed(1)
  return scale.unit === 'pot' ? ((100 * value) / scale.pot).toFixed(0) : value.toFixed(0)
}
