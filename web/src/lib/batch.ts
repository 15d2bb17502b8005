/** Tables of a batch: what its columns are, and their order. */

import type { ActionLike } from './colours'
import type { BatchMean, PlayerWorth, SpotAggregate } from './types'
import { fixed, formatEv, grouped, percent } from './units'

export type By = 'flop' | 'suits' | 'pairing' | 'high_card' | 'connectedness'

export const BY: { value: By; text: string }[] = [
  { value: 'flop', text: 'Flops' },
  { value: 'suits', text: 'Suits' },
  { value: 'pairing', text: 'Pairs' },
  { value: 'high_card', text: 'High card' },
  { value: 'connectedness', text: 'Connectedness' },
]

export interface BatchRow {
  name: string
  flops: number
  weight: number
  probability: number
  frequencies: number[]
  players: { oop: PlayerWorth; ip: PlayerWorth }
}

export interface Column {
  key: string
  text: string
  kind: 'name' | 'count' | 'share' | 'chips' | 'prizes'
  value: (row: BatchRow) => number | null
}

export function columnsOf(spot: SpotAggregate): Column[] {
  const reached = spot.flops.some((row) => row.probability !== 1)
  const unit = spot.unit === 'prizes' ? 'prizes' : 'chips'
  const columns: Column[] = [
    { key: 'group', text: 'Flops', kind: 'name', value: () => null },
    { key: 'weight', text: 'Weight', kind: 'count', value: (row) => row.weight },
    { key: 'oop_equity', text: 'OOP equity', kind: 'share', value: (row) => row.players.oop.equity },
    { key: 'oop_ev', text: `OOP EV, ${unit}`, kind: unit, value: (row) => row.players.oop.ev },
    { key: 'oop_eqr', text: 'OOP EQR', kind: 'share', value: (row) => row.players.oop.eqr },
    { key: 'ip_ev', text: `IP EV, ${unit}`, kind: unit, value: (row) => row.players.ip.ev },
    { key: 'ip_eqr', text: 'IP EQR', kind: 'share', value: (row) => row.players.ip.eqr },
  ]
  if (reached) columns.push({ key: 'probability', text: 'Reached', kind: 'share', value: (row) => row.probability })
  spot.actions.forEach((name, i) => {
    columns.push({ key: name, text: name, kind: 'share', value: (row) => row.frequencies[i] ?? null })
  })
  return columns
}

export const valueOf = (row: BatchRow, column: Column): number | null => column.value(row)

export function cellText(row: BatchRow, column: Column): string {
  const value = valueOf(row, column)
  if (column.kind === 'name') return row.name
  if (value === null) return '–'
  if (column.kind === 'count') return Number.isInteger(value) ? grouped(value) : fixed(value, 2)
  if (column.kind === 'prizes') return formatEv(value, { unit: 'chips', bigBlind: 1, pot: 1, prizes: true })
  return column.kind === 'share' ? percent(value) : fixed(value, 2)
}

const named = (name: string, mean: BatchMean): BatchRow => ({ ...mean, name })

/** The rows of a spot: its flops, or groups of them. */
export function rowsOf(spot: SpotAggregate, by: By): BatchRow[] {
  if (by === 'flop') {
    return spot.flops.map((row) => ({
      name: row.board, flops: 1, weight: row.weight, probability: row.probability, frequencies: row.frequencies, players: row.players,
    }))
  }
  const suffix = by === 'high_card' ? ' high' : ''
  return spot.groups[by].map((group) => named(group.name + suffix, group))
}

/** The averages over all flops: by class size, and by deals too. */
export const meansOf = (spot: SpotAggregate): BatchRow[] => [named('all, by class size', spot.total), named('all, by deals', spot.total_by_deals)]

/** Sorted by a column; the order in which they came is that of names. Rows without a value stand last. */
export function sorted(rows: readonly BatchRow[], column: Column | undefined, falling: boolean): BatchRow[] {
  if (!column || column.kind === 'name') return falling ? rows.toReversed() : [...rows]
  return rows.toSorted((a, b) => {
    const [x, y] = [valueOf(a, column), valueOf(b, column)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return falling ? y - x : x - y
  })
}

/** The decisions that may follow: an action that ends the street or the hand leads to none. */
export function nextPaths(spot: SpotAggregate, path: string): string[] {
  const last = path.split(' ').at(-1) ?? ''
  const ends = (action: string): boolean =>
    action === 'fold' || action === 'call' || (action === 'check' && last === 'check')
  return spot.actions.filter((action) => !ends(action)).map((action) => (path === '' ? action : `${path} ${action}`))
}

/** The chips that each player has invested on the street after these actions, OOP first; whoever is next acts. */
function invested(path: string): { totals: [number, number]; next: 0 | 1 } {
  const totals: [number, number] = [0, 0]
  let next: 0 | 1 = 0
  for (const action of path.split(' ').filter((word) => word !== '')) {
    const [kind, chips] = action.split(':')
    if (kind === 'call') totals[next] = totals[1 - next] ?? 0
    else if (chips !== undefined) totals[next] = Number(chips)
    next = next === 0 ? 1 : 0
  }
  return { totals, next }
}

/** The actions of a decision of the first street as their colours need them: of a bet its share of the pot, of a raise what it adds to the call. */
export function actionsOf(spot: SpotAggregate, path: string): ActionLike[] {
  const { totals, next } = invested(path)
  const [own, other] = [totals[next], totals[next === 0 ? 1 : 0]]
  return spot.actions.map((name) => {
    const [kind = name, written] = name.split(':')
    const chips = written === undefined ? own : Number(written)
    const isBet = kind === 'bet' || kind === 'raise'
    return { name, kind, chips, pct_pot: isBet ? (100 * (chips - other)) / (spot.pot + other - own) : null }
  })
}

/** What a row plays, in words. */
export const mixText = (row: BatchRow, actions: readonly ActionLike[]): string =>
  actions.map((action, i) => `${action.name} ${percent(row.frequencies[i] ?? null)}`).join(', ')
