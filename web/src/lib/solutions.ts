/** Solutions as people call and find them. */

import type { SolutionSummary } from './types'

/** The title, or the name of the file. */
export const solutionName = (solution: { id: string; title?: string }): string => solution.title || solution.id.replace(/\.eqp$/, '')

/** Whether every word that is looked for is in what is known of a solution; "#srp" looks among tags only. */
export function isFound(solution: SolutionSummary, wanted: string): boolean {
  const { id, board, street, title, tags, notes } = solution
  const text = [id, board, street, title, notes, ...tags].join(' ').toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => (word.startsWith('#') ? tags.some((tag) => tag.toLowerCase().startsWith(word.slice(1))) : text.includes(word)))
}

/** All tags, the most used first. */
export function tagsOf(solutions: readonly SolutionSummary[]): string[] {
  const counts = new Map<string, number>()
  for (const tag of solutions.flatMap((solution) => solution.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([tag]) => tag)
}
