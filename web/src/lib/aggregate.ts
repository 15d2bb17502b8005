/** What is drawn of a decision: cells of the grid, sorted tables, equity curves. */

import { CLASS_COMBOS, COMBOS, NUM_CLASSES, cardId, comboIndex, isBlocked, splitCards } from './cards'
import { describeKind } from './kinds'
import type { ComboRow } from './types'

export interface Cell {
  /** Mean weight over the combos that the board leaves, 0 to 1. */
  weight: number
  /** Share of the range, 0 to 1. */
  held: number
  /** Frequencies of the actions. */
  shares: number[]
  equity: number | null
  ev: number | null
  eqr: number | null
  rows: ComboRow[]
}

const boardSet = (board: string): Set<number> => new Set(splitCards(board).map(cardId))

class Mean {
  private sum = 0
  private weight = 0

  add(value: number | null, weight: number): void {
    if (value === null || !Number.isFinite(value)) return
    this.sum += value * weight
    this.weight += weight
  }

  get value(): number | null {
    return this.weight > 0 ? this.sum / this.weight : null
  }
}

/** Combos that get there at all. */
export const reached = (rows: readonly ComboRow[]): ComboRow[] => rows.filter((row) => row.weight > 0)

function cellOf(rows: ComboRow[], numFree: number, numActions: number): Cell {
  const shares = new Array<number>(numActions).fill(0)
  const [equity, ev, eqr] = [new Mean(), new Mean(), new Mean()]
  let weight = 0
  let held = 0
  for (const row of rows) {
    weight += row.weight
    // A combo counts as often as it is held, which the opponent's cards decide too.
    held += row.share
    row.frequencies.forEach((frequency, i) => (shares[i] = (shares[i] ?? 0) + frequency * row.share))
    equity.add(row.equity, row.share)
    ev.add(row.ev, row.share)
    eqr.add(row.eqr, row.share)
  }
  return {
    weight: numFree > 0 ? weight / numFree : 0,
    shares: held > 0 ? shares.map((share) => share / held) : shares,
    held,
    equity: equity.value,
    ev: ev.value,
    eqr: eqr.value,
    rows,
  }
}

/** The 169 cells of a player's range. */
export function gridCells(rows: readonly ComboRow[], board: string, numActions: number): Cell[] {
  const cards = boardSet(board)
  const lists: ComboRow[][] = Array.from({ length: NUM_CLASSES }, () => [])
  for (const row of rows) {
    const combo = COMBOS[comboIndex(row.combo)]
    if (combo && row.weight > 0) lists[combo.classId]?.push(row)
  }
  return lists.map((list, cell) => {
    const free = (CLASS_COMBOS[cell] ?? []).filter((combo) => !isBlocked(combo, cards)).length
    return cellOf(list, free, numActions)
  })
}

/** The cell of all of them, for what a filter leaves of a range. */
export const wholeCell = (rows: ComboRow[], numActions: number): Cell => cellOf(rows, rows.length, numActions)

export type SortKey =
  | { column: 'combo' | 'kind' | 'weight' | 'equity' | 'ev' | 'eqr' }
  | { column: 'frequency' | 'action_ev' | 'ev_loss'; action: number }

function sortValue(row: ComboRow, key: SortKey): number | string | null {
  switch (key.column) {
    case 'combo': return -comboIndex(row.combo)
    case 'kind': return describeKind(row)
    case 'frequency': return row.frequencies[key.action] ?? null
    case 'action_ev': return row.action_evs[key.action] ?? null
    case 'ev_loss': return row.ev_losses[key.action] ?? null
    default: return row[key.column]
  }
}

/** Rows in an order; what has no value comes last whichever way. */
export function sortRows(rows: readonly ComboRow[], key: SortKey, descending: boolean): ComboRow[] {
  const keyed = rows.map((row) => ({ row, value: sortValue(row, key) }))
  const sign = descending ? -1 : 1
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
    if (a.value < b.value) return -sign
    return a.value > b.value ? sign : comboIndex(b.row.combo) - comboIndex(a.row.combo)
  })
  return keyed.map((item) => item.row)
}

export const sameSort = (a: SortKey, b: SortKey): boolean =>
  a.column === b.column && ('action' in a ? a.action : -1) === ('action' in b ? b.action : -1)

/** A range's equities from the strongest combo down: x is the share of the range, y the equity. */
export function equityCurve(rows: readonly ComboRow[], points = 100): number[] {
  const sorted = rows.filter((row) => row.share > 0 && row.equity !== null).sort((a, b) => (b.equity ?? 0) - (a.equity ?? 0))
  const total = sorted.reduce((sum, row) => sum + row.share, 0)
  const curve: number[] = []
  let [at, passed] = [0, 0]
  for (let i = 0; i <= points; i++) {
    const goal = (total * i) / points
    while (at < sorted.length - 1 && passed + (sorted[at]?.share ?? 0) < goal) {
      passed += sorted[at]?.share ?? 0
      at += 1
    }
    curve.push(sorted[at]?.equity ?? 0)
  }
  return curve
}
