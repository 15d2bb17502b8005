/** Where a solution is locked, in words. */

import { parsePath, type Step } from './path'
import type { SpotDocument } from './spot'

export interface LockMark {
  /** Actions with bars between streets. */
  line: string
  /** The cards that it holds for; empty for all. */
  runout: string
  words: string
}

const squeezed = (line: string): string => line.replace(/\s*\|\s*/g, ' | ').replace(/\s+/g, ' ').replace(/( \|)+ ?$/, '').trim()

/** A path taken apart: actions with bars between streets, and the cards that came. */
function placeOf(steps: readonly Step[]): { line: string; runout: string } {
  const words = steps.map((step) => ('card' in step ? '|' : step.action))
  const cards = steps.map((step) => ('card' in step ? step.card : ''))
  return { line: squeezed(words.join(' ')), runout: cards.join('') }
}

const shares = (strategy: Record<string, number>): string =>
  Object.entries(strategy).filter(([, share]) => share > 0).map(([action, share]) => `${action} ${Math.round(share * 100)} %`).join(', ')

/** The locks of a spot file. */
export function lockMarks(spot: SpotDocument): LockMark[] {
  return (spot.locks ?? []).map((lock) => {
    const hands = Object.entries(lock.hands ?? {})
    const [first] = hands
    const words = lock.strategy
      ? `all hands: ${shares(lock.strategy)}`
      : hands.length === 1 && first
        ? `${first[0]}: ${shares(first[1])}`
        : `${hands.length} groups of hands`
    return { line: squeezed(lock.line ?? ''), runout: (lock.runout ?? '').replace(/\s/g, ''), words }
  })
}

/** What is locked at a path; nothing where it is free. */
export function lockedAt(marks: readonly LockMark[], path: string | readonly Step[]): string[] {
  if (marks.length === 0) return []
  const { line, runout } = placeOf(typeof path === 'string' ? parsePath(path) : path)
  return marks.filter((mark) => mark.line === line && (mark.runout === '' || mark.runout === runout)).map((mark) => mark.words)
}
