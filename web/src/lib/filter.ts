/** Which combos are shown: by suits and by words. */

import { CLASSES, COMBOS, SUIT_NAMES, cardId, comboIndex } from './cards'
import { describeKind, kindName } from './kinds'
import type { ComboRow } from './types'

export interface Filter {
  /** Suits that a combo must have, any order. */
  suits: ReadonlySet<string>
  /** "AK, set": a comma is or, a blank is and. */
  text: string
}

export const noFilter = (): Filter => ({ suits: new Set(), text: '' })
export const isFiltering = (filter: Filter): boolean => filter.suits.size > 0 || filter.text.trim() !== ''

type Test = (row: ComboRow) => boolean

const classOf = (row: ComboRow): string => CLASSES[COMBOS[comboIndex(row.combo)]?.classId ?? -1] ?? ''
const WORDS: Record<string, Test> = {
  suited: (row) => row.combo[1] === row.combo[3],
  offsuit: (row) => row.combo[1] !== row.combo[3] && row.combo[0] !== row.combo[2],
  pairs: (row) => row.combo[0] === row.combo[2],
}
const RANK = /^[2-9tjqka]$/i
const isSuitWord = (word: string): string | undefined => Object.keys(SUIT_NAMES).find((suit) => `${SUIT_NAMES[suit]}`.startsWith(word) && word.length >= 4)

/** A word that names hands; null if it can only be part of the name of a category. */
function handTest(word: string): Test | null {
  const lower = word.toLowerCase()
  const known = WORDS[lower]
  if (known) return known
  if (comboIndex(word) >= 0 && word.length === 4) return (row) => comboIndex(row.combo) === comboIndex(word)
  if (cardId(word) >= 0) return (row) => [row.combo.slice(0, 2), row.combo.slice(2)].some((card) => cardId(card) === cardId(word))
  if (RANK.test(word)) return (row) => row.combo[0] === word.toUpperCase() || row.combo[2] === word.toUpperCase()
  const named = /^([2-9tjqka])([2-9tjqka])([so]?)$/i.exec(word)
  if (named) {
    const [, a = '', b = '', kind = ''] = named.map((part) => part ?? '')
    const names = [a + b, b + a].map((ranks) => ranks.toUpperCase() + kind.toLowerCase())
    return (row) => names.some((name) => classOf(row) === name || (kind === '' && classOf(row).startsWith(name)))
  }
  const suit = isSuitWord(lower)
  return suit === undefined ? null : (row) => row.combo[1] === suit || row.combo[3] === suit
}

const categories = (row: ComboRow): string => `${describeKind(row)}, ${row.draws.map(kindName).join(', ')}`.toLowerCase()

function termTest(term: string): Test {
  const words = term.trim().split(/\s+/)
  const hands = words.map(handTest)
  // What names no hand is looked for among the categories, as it is written.
  const rest = words.filter((_, i) => hands[i] === null).join(' ').toLowerCase()
  const tests = hands.filter((test) => test !== null)
  return (row) => tests.every((test) => test(row)) && (rest === '' || categories(row).includes(rest))
}

/** The test of a filter. */
export function filterTest({ suits, text }: Filter): Test {
  const terms = text.split(',').filter((term) => term.trim() !== '').map(termTest)
  return (row) =>
    [...suits].every((suit) => row.combo[1] === suit || row.combo[3] === suit) && (terms.length === 0 || terms.some((test) => test(row)))
}
