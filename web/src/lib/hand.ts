/** A whole hand against equilibrium: what is dealt, what the opponent does, which cards come. */

import { splitCards } from './cards'
import type { Both, ComboRow, NodeAnswer, PlayerName, TrainQuestion } from './types'

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of them, as often as its weight says; -1 if none has any. */
export function pick(weights: readonly number[], random: () => number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = random() * total
  if (total <= 0) return -1
  const at = weights.findIndex((weight) => (left -= weight) < 0)
  return at >= 0 ? at : weights.findLastIndex((weight) => weight > 0)
}

const meet = (a: string, b: string): boolean => splitCards(a).some((card) => splitCards(b).includes(card))

/** Both hands, as often as both are held: a share counts the opponent's hands that go with a combo. */
export function dealHands(rows: Both<ComboRow[]>, random: () => number, hero?: { player: PlayerName; combo: string }): Both<string> | null {
  const first = hero?.player ?? 'oop'
  const second: PlayerName = first === 'oop' ? 'ip' : 'oop'
  const held = hero ? rows[first].find((row) => row.combo === hero.combo) : rows[first][pick(rows[first].map((row) => row.share), random)]
  if (!held) return null
  const others = rows[second].map((row) => (meet(row.combo, held.combo) ? 0 : row.weight))
  const other = rows[second][pick(others, random)]
  if (!other) return null
  return first === 'oop' ? { oop: held.combo, ip: other.combo } : { oop: other.combo, ip: held.combo }
}

/** What a player does with a combo: the name of an action. */
export function playedBy({ node, combos }: NodeAnswer, combo: string, random: () => number): string | null {
  const row = node && combos?.[node.player].find((one) => one.combo === combo)
  const at = row ? pick(row.frequencies, random) : -1
  return node?.actions[at]?.name ?? null
}

/** A card that nobody holds. */
export function cardFor({ cards }: NodeAnswer, hands: Both<string>, random: () => number): string | null {
  const free = (cards ?? []).map(({ card }) => card).filter((card) => !meet(card, hands.oop + hands.ip))
  return free[pick(free.map(() => 1), random)] ?? null
}

/** The decision as a question. */
export function questionOf({ node, combos, breadcrumb }: NodeAnswer, combo: string): TrainQuestion | null {
  const row = node && combos?.[node.player].find((one) => one.combo === combo)
  if (!node || !row) return null
  const { path, board, street, player, pot, stacks, actions } = node
  const { frequencies, action_evs, ev_losses } = row
  return { path, board, street, player, combo, pot, stacks, actions, breadcrumb, answer: { frequencies, action_evs, ev_losses } }
}

/** A decision that was made, as the history keeps it. */
export interface Played {
  path: string
  combo: string
  player: PlayerName
  board: string
  action: string
  /** In percent of the pot. */
  lossPct: number
  lossChips: number
}

/** The worst first; what cost nothing is not there. */
export const worstFirst = (history: readonly Played[]): Played[] =>
  history.filter((one) => one.lossPct >= 0.05).toSorted((a, b) => b.lossPct - a.lossPct)
