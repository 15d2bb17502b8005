/** Locks that wait for a re-solve, for each solution; kept in the browser until then. */

import { CLASSES } from './cards'
import { parseLock } from './lock'
import { remember, remembered } from './settings.svelte'

const KEY = 'equipoise.locks'
const head = (text: string): string => text.split(' = ')[0] ?? text

class Locks {
  private all = $state<Record<string, string[]>>(remembered(KEY, {}))

  of(solution: string): string[] {
    return this.all[solution] ?? []
  }

  /** A lock takes the place of one of the same hands at the same decision. */
  add(solution: string, ...added: string[]): void {
    const heads = new Set(added.map(head))
    this.put(solution, [...this.of(solution).filter((other) => !heads.has(head(other))), ...added])
  }

  remove(solution: string, ...gone: string[]): void {
    this.put(solution, this.of(solution).filter((other) => !gone.includes(other)))
  }

  /** What classes of a decision are locked to, by the cell of the grid; frequencies in the order of the actions. */
  painted(solution: string, path: string, names: readonly string[]): Map<number, number[]> {
    const found = new Map<number, number[]>()
    for (const text of this.of(solution)) {
      const lock = parseLock(text)
      const cell = CLASSES.indexOf(lock.hands)
      if (lock.path !== path || cell < 0) continue
      found.set(cell, names.map((name) => lock.shares.find((share) => share.name === name)?.frequency ?? 0))
    }
    return found
  }

  private put(solution: string, list: string[]): void {
    this.all[solution] = list
    remember(KEY, this.all)
  }
}

export const locks = new Locks()
