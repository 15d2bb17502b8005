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
  /** The action as it was shown. */
  label?: string
  /** In percent of the pot. */
  lossPct: number
  lossChips: number
}

/** Whether both are the same decision with the same hand. */
export const isSame = (a: Pick<Played, 'path' | 'combo' | 'player'>, b: Pick<Played, 'path' | 'combo' | 'player'>): boolean =>
  a.path === b.path && a.combo === b.combo && a.player === b.player

/** What cost less than this share of the pot, in percent, cost nothing. */
const NOTHING_PCT = 0.05

/** What still goes wrong, the worst first: of a decision that was repeated, the last answer counts. */
export function worstFirst(history: readonly Played[]): Played[] {
  const latest = history.filter((one, i) => !history.slice(i + 1).some((later) => isSame(one, later)))
  return latest.filter((one) => one.lossPct >= NOTHING_PCT).toSorted((a, b) => b.lossPct - a.lossPct)
}

/** The mistake to repeat after this one: the next worst, or the worst again after the last; nothing if none is left. */
export function nextMistake(history: readonly Played[], after: { path: string; combo: string; player: PlayerName; lossPct: number } | null): Played | null {
  const wrong = worstFirst(history)
  const next = after && wrong.find((one) => !isSame(one, after) && one.lossPct <= after.lossPct)
  return next ?? wrong.find((one) => !after || !isSame(one, after)) ?? wrong[0] ?? null
}
