/** Locks that wait for a new solve, for each solution; kept in the browser until then. */

import { remember, remembered } from './settings.svelte'

const KEY = 'equipoise.locks'

class Locks {
  private all = $state<Record<string, string[]>>(remembered(KEY, {}))

  of(solution: string): string[] {
    return this.all[solution] ?? []
  }

  /** A lock takes the place of one of the same hands at the same decision. */
  add(solution: string, lock: string): void {
    const head = (text: string): string => text.split(' = ')[0] ?? text
    this.put(solution, [...this.of(solution).filter((other) => head(other) !== head(lock)), lock])
  }

  remove(solution: string, lock: string): void {
    this.put(solution, this.of(solution).filter((other) => other !== lock))
  }

  private put(solution: string, list: string[]): void {
    this.all[solution] = list
    remember(KEY, this.all)
  }
}

export const locks = new Locks()
