/** Hand categories: one made hand each, and any number of draws. */

import type { ComboRow } from './types'

/** Made hands from the strongest down: keys of the API. */
const MADE = [
  'straight_flush', 'quads', 'full_house', 'nut_flush', 'two_card_flush', 'one_card_flush', 'straight', 'set', 'trips',
  'top_two_pair', 'lower_two_pair', 'overpair', 'top_pair_top_kicker', 'top_pair_good_kicker', 'top_pair_weak_kicker',
  'pocket_pair_below_top_pair', 'second_pair', 'pocket_pair_below_second_pair', 'third_pair', 'low_pair', 'underpair',
  'ace_high', 'king_high', 'low_overcards', 'nothing', 'plays_the_board',
]
const DRAWS = [
  'combo_draw', 'nut_flush_draw', 'flush_draw', 'one_card_flush_draw', 'straight_draw', 'open_ended_straight_draw',
  'gutshot', 'overcards', 'backdoor_flush_draw', 'backdoor_straight_draw',
]
/** Names that are not their keys with blanks. */
const SPECIAL: Record<string, string> = {
  two_card_flush: 'two-card flush', one_card_flush: 'one-card flush', one_card_flush_draw: 'one-card flush draw',
  open_ended_straight_draw: 'open-ended straight draw',
}

export const kindName = (key: string): string => SPECIAL[key] ?? key.replaceAll('_', ' ')

/** Backdoor draws are named only where there is nothing better to say. */
export function describeKind(row: ComboRow): string {
  const draws = row.draws.filter((draw) => !draw.startsWith('backdoor') && draw !== 'straight_draw' && draw !== 'overcards')
  return [row.made, ...draws].map(kindName).join(', ')
}

export interface Kind {
  key: string
  isDraw: boolean
  rows: ComboRow[]
  share: number
  combos: number
  equity: number | null
  ev: number | null
  eqr: number | null
  frequencies: number[]
}

function mean(rows: readonly ComboRow[], value: (row: ComboRow) => number | null): number | null {
  let [sum, weight] = [0, 0]
  for (const row of rows) {
    const v = value(row)
    if (v === null) continue
    sum += v * row.share
    weight += row.share
  }
  return weight > 0 ? sum / weight : null
}

function summary(key: string, isDraw: boolean, rows: ComboRow[], numActions: number): Kind {
  return {
    key,
    isDraw,
    rows,
    share: rows.reduce((sum, row) => sum + row.share, 0),
    combos: rows.reduce((sum, row) => sum + row.weight, 0),
    equity: mean(rows, (row) => row.equity),
    ev: mean(rows, (row) => row.ev),
    eqr: mean(rows, (row) => row.eqr),
    frequencies: Array.from({ length: numActions }, (_, i) => mean(rows, (row) => row.frequencies[i] ?? null) ?? 0),
  }
}

/** The kinds that a range has: made hands, then draws. Every combo is one made hand, and may have several draws. */
export function kindsOf(rows: readonly ComboRow[], numActions: number): Kind[] {
  const there = rows.filter((row) => row.weight > 0)
  const made = MADE.map((key) => summary(key, false, there.filter((row) => row.made === key), numActions))
  const draws = DRAWS.map((key) => summary(key, true, there.filter((row) => row.draws.includes(key)), numActions))
  return [...made, ...draws].filter((kind) => kind.rows.length > 0)
}

/** Whether a combo is of one of the chosen kinds; none chosen is all. */
export function isOfKinds(row: ComboRow, kinds: ReadonlySet<string>): boolean {
  return kinds.size === 0 || kinds.has(row.made) || row.draws.some((draw) => kinds.has(draw))
}
