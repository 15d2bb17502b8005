/** What is being looked at: a solution, or the average of a solve that runs, at one path. */

import { type Source, explain, isAbort, isMissing } from './api'
import { NodeCache } from './nodes'
import type { NodeAnswer } from './types'

export class Look {
  answer = $state.raw<NodeAnswer | null>(null)
  /** The path of the answer that is shown. */
  shown = $state('')
  trouble = $state('')
  /** There is nothing to look at: deleted, or never there. */
  missing = $state(false)
  /** The answer that is shown is of another path. */
  waiting = $state(false)
  /** How long the last change took until its answer was there, in milliseconds. */
  lastChange = $state(0)
  private path: string | null = null
  private readonly cache: NodeCache
  private controller = new AbortController()

  constructor(readonly source: Source) {
    this.cache = new NodeCache(source)
  }

  async show(path: string): Promise<void> {
    this.path = path
    this.controller.abort()
    this.controller = new AbortController()
    const { signal } = this.controller
    const began = performance.now()
    this.waiting = this.cache.peek(path) === undefined
    try {
      const quick = await this.cache.quick(path)
      if (this.path !== path) return
      this.put(path, quick)
      this.lastChange = performance.now() - began
      if (!quick.equities && quick.node) this.put(path, await this.cache.full(path, signal))
      this.cache.prefetch(quick)
    } catch (error) {
      if (this.path !== path || isAbort(error)) return
      this.waiting = false
      this.trouble = explain(error)
      this.missing = isMissing(error)
    }
  }

  /** Asks anew: the solve has gone on. */
  async again(): Promise<void> {
    this.cache.clear()
    if (this.path !== null) await this.show(this.path)
  }

  close(): void {
    this.path = null
    this.controller.abort()
    this.cache.clear()
  }

  private put(path: string, answer: NodeAnswer): void {
    this.answer = answer
    this.shown = path
    this.waiting = false
    this.trouble = ''
    this.missing = false
  }
}
