/** Tables of a batch: what its columns are, and their order. */

import type { ActionLike } from './colours'
import type { BatchMean, CardGroups, PlayerWorth, SpotAggregate } from './types'
import { actionLabel, evHead, fixed, formatChips, formatEv, grouped, percent, type UnitScale } from './units'

export type By = 'flop' | 'suits' | 'pairing' | 'high_card' | 'connectedness' | `card_${keyof CardGroups & string}`

const OF_FLOPS: { value: By; text: string }[] = [
  { value: 'flop', text: 'Flops' },
  { value: 'suits', text: 'Suits' },
  { value: 'pairing', text: 'Pairs' },
  { value: 'high_card', text: 'High card' },
  { value: 'connectedness', text: 'Connectedness' },
]
const OF_CARDS: { value: By; text: string }[] = [
  { value: 'card_suit', text: 'Card: suit' },
  { value: 'card_pairing', text: 'Card: pairs' },
  { value: 'card_straights', text: 'Card: straights' },
  { value: 'card_height', text: 'Card: height' },
  { value: 'card_rank', text: 'Card: rank' },
]

/** What rows may be made of; runouts are grouped by their last card. */
export const waysOf = (spot: SpotAggregate | undefined): { value: By; text: string }[] => (spot?.cards ? [...OF_FLOPS, ...OF_CARDS] : OF_FLOPS)

export interface BatchRow {
  name: string
  /** Of a flop: its job, and whether its solution is kept. */
  job: { id: string; kept: boolean } | null
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

export function columnsOf(spot: SpotAggregate, scale: UnitScale): Column[] {
  const reached = spot.flops.some((row) => row.probability !== 1)
  const unit = spot.unit === 'prizes' ? 'prizes' : 'chips'
  const head = (name: string): string => (unit === 'prizes' ? `${name}, prizes` : evHead(scale, name))
  const columns: Column[] = [
    { key: 'group', text: 'Flops', kind: 'name', value: () => null },
    { key: 'weight', text: 'Weight', kind: 'count', value: (row) => row.weight },
    { key: 'oop_equity', text: 'OOP equity', kind: 'share', value: (row) => row.players.oop.equity },
    { key: 'oop_ev', text: head('OOP EV'), kind: unit, value: (row) => row.players.oop.ev },
    { key: 'oop_eqr', text: 'OOP EQR', kind: 'share', value: (row) => row.players.oop.eqr },
    { key: 'ip_ev', text: head('IP EV'), kind: unit, value: (row) => row.players.ip.ev },
    { key: 'ip_eqr', text: 'IP EQR', kind: 'share', value: (row) => row.players.ip.eqr },
  ]
  if (reached) columns.push({ key: 'probability', text: 'Reached', kind: 'share', value: (row) => row.probability })
  actionsOf(spot).forEach((action, i) => {
    columns.push({ key: action.name, text: actionLabel(action, scale), kind: 'share', value: (row) => row.frequencies[i] ?? null })
  })
  return columns
}

export const valueOf = (row: BatchRow, column: Column): number | null => column.value(row)

export function cellText(row: BatchRow, column: Column, scale: UnitScale): string {
  const value = valueOf(row, column)
  if (column.kind === 'name') return row.name
  if (value === null) return '–'
  if (column.kind === 'count') return Number.isInteger(value) ? grouped(value) : fixed(value, 2)
  if (column.kind === 'prizes') return formatEv(value, { unit: 'chips', bigBlind: 1, pot: 1, prizes: true })
  return column.kind === 'share' ? percent(value) : scale.unit === 'chips' ? fixed(value, 2) : formatChips(value, scale)
}

const named = (name: string, mean: BatchMean): BatchRow => ({ ...mean, name, job: null })

/** The rows of a spot: its flops, or groups of them or of their runouts. */
export function rowsOf(spot: SpotAggregate, by: By): BatchRow[] {
  if (by === 'flop') {
    return spot.flops.map((row) => ({
      name: row.board, job: { id: row.id, kept: row.file_bytes > 0 }, flops: 1, weight: row.weight, probability: row.probability, frequencies: row.frequencies, players: row.players,
    }))
  }
  if (by.startsWith('card_')) {
    const groups = spot.cards?.[by.slice('card_'.length) as keyof CardGroups] ?? []
    return groups.map((group) => named(group.name, group))
  }
  const suffix = by === 'high_card' ? ' high' : ''
  return spot.groups[by as keyof SpotAggregate['groups']].map((group) => named(group.name + suffix, group))
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

const join = (path: string, step: string): string => (path === '' ? step : `${path} ${step}`)
/** The actions of the last street of a path. */
const streetOf = (path: string): string[] => (path.split('|').at(-1) ?? '').trim().split(' ').filter((word) => word !== '')

/** Where an action leads: to a decision of the street, or, where it ends the street, to the first of the next on every card. */
export interface NextPath {
  path: string
  action: string
  /** The street whose cards come then. */
  street: string | null
}

export function nextPaths(spot: SpotAggregate, path: string): NextPath[] {
  const before = streetOf(path)
  const wasAllIn = path.includes('allin')
  const next = spot.street === 'flop' ? 'turn' : spot.street === 'turn' ? 'river' : null
  return spot.actions.flatMap((action): NextPath[] => {
    if (action === 'fold') return []
    const ends = action === 'call' || (action === 'check' && before.at(-1) === 'check')
    if (!ends) return [{ path: join(path, action), action, street: null }]
    return next === null || wasAllIn ? [] : [{ path: `${join(path, action)} | * |`, action, street: next }]
  })
}

/** The decision before. */
export function parentOf(path: string): string {
  const open = path.replace(/\s*\|[^|]*\|\s*$/, '')
  return open.split(' ').slice(0, -1).join(' ')
}

/** The actions of a decision as their colours and names need them. */
export function actionsOf(spot: SpotAggregate): ActionLike[] {
  return spot.actions.map((name, i) => {
    const [kind = name, chips] = name.split(':')
    return { name, kind, chips: Number(chips ?? 0), pct_pot: kind === 'bet' || kind === 'raise' ? (spot.pct_pot[i] ?? null) : null }
  })
}

/** What a row plays, in words. */
export const mixText = (row: BatchRow, actions: readonly ActionLike[], scale: UnitScale): string =>
  actions.map((action, i) => `${actionLabel(action, scale)} ${percent(row.frequencies[i] ?? null)}`).join(', ')
