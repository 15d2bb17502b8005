/** Ranges and set-ups of one's own, by name, kept in the browser. */

import { remember, remembered } from './settings.svelte'

export interface Named {
  name: string
  text: string
}

export class Kept {
  list = $state.raw<Named[]>([])

  constructor(private readonly key: string) {
    const found = remembered<unknown>(key, [])
    const isNamed = (item: unknown): item is Named => typeof item === 'object' && item !== null && typeof (item as Named).name === 'string' && typeof (item as Named).text === 'string'
    this.list = Array.isArray(found) ? found.filter(isNamed) : []
  }

  find(name: string): Named | undefined {
    return this.list.find((item) => item.name === name)
  }

  /** Keeps a text under a name; what had the name before is replaced. */
  put(name: string, text: string): void {
    this.write([...this.list.filter((item) => item.name !== name), { name, text }].sort((a, b) => a.name.localeCompare(b.name)))
  }

  remove(name: string): void {
    this.write(this.list.filter((item) => item.name !== name))
  }

  private write(list: Named[]): void {
    this.list = list
    remember(this.key, list)
  }
}

export const keptRanges = new Kept('equipoise.ranges')
export const keptSpots = new Kept('equipoise.spots')
