/** Paths in the grammar of `equipoise show --node`: 'check bet:120 call | 7s | check'. */

import { cardId, cardName } from './cards'

export type Step = { action: string } | { card: string }

/** Reads a path that the program wrote; a part between bars that is one card is a card. */
export function parsePath(path: string): Step[] {
  const steps: Step[] = []
  for (const part of path.split('|')) {
    for (const word of part.trim().split(/\s+/)) {
      if (word === '') continue
      const id = cardId(word)
      steps.push(id >= 0 ? { card: cardName(id) } : { action: word })
    }
  }
  return steps
}

export function formatPath(steps: readonly Step[]): string {
  const words = steps.map((step) => ('card' in step ? `| ${step.card} |` : step.action))
  return words.join(' ')
}

export const withAction = (path: string, action: string): string => formatPath([...parsePath(path), { action }])
export const withCard = (path: string, card: string): string => formatPath([...parsePath(path), { card }])

/** The path before its last step; null at the beginning. */
export function parentPath(path: string): string | null {
  const steps = parsePath(path)
  return steps.length === 0 ? null : formatPath(steps.slice(0, -1))
}
