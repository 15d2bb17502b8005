/** Decisions that were looked at, so that going back is instant, and the next ones fetched before they are asked for. */

import { type Source, api } from './api'
import { withAction } from './path'
import type { NodeAnswer } from './types'

const CAPACITY = 160

export class NodeCache {
  private readonly answers = new Map<string, NodeAnswer>()
  private readonly pending = new Map<string, Promise<NodeAnswer>>()
  private prefetching = 0

  constructor(readonly source: Source) {}

  /** What is there already. */
  peek(path: string): NodeAnswer | undefined {
    return this.answers.get(path)
  }

  /** The decision as soon as it can be had; its equities may be missing yet. */
  async quick(path: string): Promise<NodeAnswer> {
    return this.answers.get(path) ?? this.ask(path, false)
  }

  /** The decision with everything. */
  async full(path: string, signal: AbortSignal): Promise<NodeAnswer> {
    const known = this.answers.get(path)
    if (known?.equities || known?.node === null) return known
    const answer = await api.node(this.source, path, true, signal)
    this.keep(path, answer)
    return answer
  }

  /** Forgets everything: a running solve has moved on. */
  clear(): void {
    this.prefetching += 1
    this.answers.clear()
    this.pending.clear()
  }

  /** Fetches the decisions below one after the other while nothing else is to do; the likely ones first. */
  prefetch({ node }: NodeAnswer): void {
    const turn = ++this.prefetching
    if (!node) return
    const next = node.actions.filter((action) => action.next !== 'end').sort((a, b) => b.frequency - a.frequency)
    const paths = next.map((action) => withAction(node.path, action.name)).filter((path) => !this.answers.has(path))
    const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 30))
    const step = async (): Promise<void> => {
      const path = paths.shift()
      if (path === undefined || turn !== this.prefetching) return
      try {
        await this.quick(path)
      } catch {
        // Whoever goes there hears of it.
        return
      }
      idle(() => void step())
    }
    idle(() => void step())
  }

  private ask(path: string, equities: boolean): Promise<NodeAnswer> {
    const under = this.pending.get(path)
    if (under) return under
    const asked = api
      .node(this.source, path, equities)
      .then((answer) => {
        if (this.pending.get(path) === asked) this.keep(path, answer)
        return answer
      })
      .finally(() => this.pending.delete(path))
    this.pending.set(path, asked)
    return asked
  }

  private keep(path: string, answer: NodeAnswer): void {
    if (this.answers.size >= CAPACITY) {
      const oldest = this.answers.keys().next()
      if (!oldest.done) this.answers.delete(oldest.value)
    }
    this.answers.set(path, answer)
  }
}
