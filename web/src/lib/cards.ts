/** Cards, combos and the 169 hand classes, numbered as the engine numbers them. */

export const RANKS = '23456789TJQKA'
export const SUITS = 'cdhs'
/** Ranks from the ace down: the order of rows and columns of a grid. */
export const GRID_RANKS = [...RANKS].reverse()

export type SuitName = 'clubs' | 'diamonds' | 'hearts' | 'spades'
export const SUIT_NAMES: Record<string, SuitName> = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' }
export const SUIT_SIGNS: Record<string, string> = { c: '♣', d: '♦', h: '♥', s: '♠' }
const RANK_NAMES: Record<string, string> = {
  A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten', 9: 'nine', 8: 'eight', 7: 'seven', 6: 'six', 5: 'five',
  4: 'four', 3: 'three', 2: 'two',
}

export const NUM_COMBOS = 1326
export const NUM_CLASSES = 169

/** The number of a card, 0..52, or -1. */
export function cardId(text: string): number {
  const rank = RANKS.indexOf((text[0] ?? '?').toUpperCase())
  const suit = SUITS.indexOf((text[1] ?? '?').toLowerCase())
  return text.length === 2 && rank >= 0 && suit >= 0 ? 4 * rank + suit : -1
}

export function cardName(id: number): string {
  return (RANKS[id >> 2] ?? '?') + (SUITS[id & 3] ?? '?')
}

/** What a screen reader says of a card. */
export function spokenCard(card: string): string {
  return `${RANK_NAMES[card[0] ?? ''] ?? card} of ${SUIT_NAMES[card[1] ?? ''] ?? ''}`
}

/** Every card of a text such as "Td9d6h", in its order; what is no card ends it. */
export function splitCards(text: string): string[] {
  const cards: string[] = []
  const bare = text.replace(/[\s,]+/g, '')
  for (let i = 0; i + 1 < bare.length; i += 2) {
    const id = cardId(bare.slice(i, i + 2))
    if (id < 0) break
    cards.push(cardName(id))
  }
  return cards
}

export interface Combo {
  index: number
  low: number
  high: number
  /** The higher card first: "AhKd". */
  name: string
  /** Index of its class in the grid, row by row from AA to 22. */
  classId: number
}

/** The cell of two ranks in the grid: pairs on the diagonal, suited above it. */
function cellOf(highRank: number, lowRank: number, suited: boolean): number {
  const [a, b] = [12 - highRank, 12 - lowRank]
  return suited ? a * 13 + b : b * 13 + a
}

/** Every combo at its index: by the lower card, then by the higher. */
export const COMBOS: readonly Combo[] = (() => {
  const all: Combo[] = []
  for (let low = 0; low < 52; low++) {
    for (let high = low + 1; high < 52; high++) {
      const suited = (low & 3) === (high & 3)
      all.push({
        index: all.length,
        low,
        high,
        name: cardName(high) + cardName(low),
        classId: cellOf(high >> 2, low >> 2, suited),
      })
    }
  }
  return all
})()

export function comboIndex(name: string): number {
  const [a, b] = [cardId(name.slice(0, 2)), cardId(name.slice(2, 4))]
  if (a < 0 || b < 0 || a === b) return -1
  const [low, high] = a < b ? [a, b] : [b, a]
  return (low * (101 - low)) / 2 + high - 1
}

/** Names of the classes, row by row: AA, AKs, AQs, … */
export const CLASSES: readonly string[] = Array.from({ length: NUM_CLASSES }, (_, cell) => {
  const [row, column] = [Math.floor(cell / 13), cell % 13]
  const [first, second] = [GRID_RANKS[Math.min(row, column)] ?? '', GRID_RANKS[Math.max(row, column)] ?? '']
  return row === column ? first + second : first + second + (row < column ? 's' : 'o')
})

/** The combos of each class. */
export const CLASS_COMBOS: readonly (readonly Combo[])[] = (() => {
  const lists: Combo[][] = Array.from({ length: NUM_CLASSES }, () => [])
  for (const combo of COMBOS) lists[combo.classId]?.push(combo)
  return lists.map((list) => list.sort((a, b) => b.high - a.high || b.low - a.low))
})()

export function spokenClass(cell: number): string {
  const name = CLASSES[cell] ?? ''
  const [a, b] = [RANK_NAMES[name[0] ?? ''] ?? '', RANK_NAMES[name[1] ?? ''] ?? '']
  if (name.length === 2) return `pair of ${a === 'six' ? 'sixes' : `${a}s`}`
  return `${a} ${b} ${name.endsWith('s') ? 'suited' : 'offsuit'}`
}

/** Whether a combo has one of these cards. */
export function isBlocked(combo: Combo, cards: ReadonlySet<number>): boolean {
  return cards.has(combo.low) || cards.has(combo.high)
}
