import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyRange, type Weights } from '../src/lib/range'
import { type Judgement, RangeEdit, TYPING_MS } from '../src/lib/rangeedit.svelte'

/** Names for a few combos: the text of a range is the names of those that are held, in order. */
const NAMES = ['a', 'b', 'c', 'd', 'e']
const write = (weights: ArrayLike<number>): string => NAMES.filter((_, i) => (weights[i] ?? 0) > 0).join(',')
function read(text: string): number[] {
  const weights = Array.from(emptyRange())
  for (const name of text.split(',').filter(Boolean)) {
    if (!NAMES.includes(name)) throw new Error(`unexpected ${name}`)
    weights[NAMES.indexOf(name)] = 1
  }
  return weights
}

/** A server that answers when it is told to, in any order, and does not notice that nobody waits any more. */
class SlowServer {
  waiting: (() => void)[] = []
  away = false

  private answer<T>(make: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          if (this.away) throw new Error('away')
          resolve(make())
        } catch (error) {
          reject(error)
        }
      })
    })
  }
  parseRange = (text: string): Promise<{ weights: number[]; expansion: string }> => this.answer(() => ({ weights: read(text), expansion: text }))
  formatRange = (weights: number[]): Promise<{ text: string; expansion: string }> => this.answer(() => ({ text: write(weights), expansion: '' }))
}

const flush = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}
const judge = (error: unknown): Judgement => ({ message: (error as Error).message, isRefusal: (error as Error).message !== 'away' })

function editor(first: string): { edit: RangeEdit; server: SlowServer; told: string[]; drain: () => Promise<void> } {
  const [server, told] = [new SlowServer(), [] as string[]]
  const edit: RangeEdit = new RangeEdit(server, judge, (text) => {
    told.push(text)
    // As the page does: what was told comes back as the text of the spot.
    edit.accept(text)
  })
  edit.accept(first)
  edit.watch(() => undefined)
  const drain = async (): Promise<void> => {
    vi.advanceTimersByTime(TYPING_MS)
    for (await flush(); server.waiting.length > 0; await flush()) server.waiting.shift()?.()
  }
  return { edit, server, told, drain }
}

/** What should come out if everything were read and written at once. */
class Model {
  steps: string[]
  at = 0
  typing = false

  constructor(first: string) {
    this.steps = [first]
  }
  get text(): string {
    return this.steps[this.at] ?? ''
  }
  push(text: string): void {
    this.steps = [...this.steps.slice(0, this.at + 1), text]
    this.at += 1
  }
  endTyping(): void {
    if (this.typing && this.steps[this.at - 1] === this.text) {
      this.at -= 1
      this.steps = this.steps.slice(0, this.at + 1)
    }
    this.typing = false
  }
  type(text: string): void {
    if (this.typing) this.steps[this.at] = text
    else this.push(text)
    this.typing = true
  }
  take(text: string): void {
    this.endTyping()
    if (this.text !== text) this.push(text)
  }
  paint(combos: number[]): void {
    this.endTyping()
    const weights = read(this.text)
    for (const combo of combos) weights[combo] = 1
    this.push(write(weights))
  }
  go(by: number): void {
    this.endTyping()
    if (this.steps[this.at + by] !== undefined) this.at += by
  }
}

/** Random numbers that are the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const hold = (combo: number) => (weights: Weights): void => {
  weights[combo] = 1
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a range that is edited', () => {
  it('is what it would be with a server that takes no time, whatever comes in whatever order', async () => {
    for (let seed = 1; seed <= 250; seed++) {
      const below = random(seed)
      const { edit, server, told, drain } = editor('a')
      const model = new Model('a')
      const done: string[] = []
      for (let move = 0; move < 14; move++) {
        const what = below(8)
        const text = [NAMES[below(5)], NAMES[below(5)]].sort().filter((name, i, all) => name !== all[i - 1]).join(',')
        if (what === 0) {
          edit.type(text)
          model.type(text)
        } else if (what === 1) {
          edit.take(text)
          model.take(text)
        } else if (what <= 3) {
          // A stroke that adds something: one that changes nothing is no step, but may be one for a moment.
          model.endTyping()
          const combos = [0, 1, 2, 3, 4].filter((combo) => !model.text.includes(NAMES[combo] ?? '')).slice(0, 2)
          if (combos.length === 0) continue
          model.paint(combos)
          edit.begin(hold(combos[0] ?? 0))
          if (below(2) === 0) server.waiting.splice(below(server.waiting.length), 1)[0]?.()
          if (below(2) === 0) await flush()
          for (const combo of combos.slice(1)) edit.paint(hold(combo))
          edit.end()
        } else if (what === 4) {
          edit.undo()
          model.go(-1)
        } else if (what === 5) {
          edit.redo()
          model.go(1)
        } else if (what === 6) {
          vi.advanceTimersByTime(TYPING_MS)
          model.endTyping()
        } else {
          server.waiting.splice(below(server.waiting.length), 1)[0]?.()
        }
        done.push(`${what} ${text}`)
        if (below(2) === 0) await flush()
      }
      await drain()
      model.endTyping()
      const story = `seed ${seed}: ${done.join('; ')}`
      expect(edit.typed, story).toBe(model.text)
      expect(write(edit.weights), story).toBe(model.text)
      expect(told.at(-1) ?? 'a', story).toBe(model.text)
      expect([edit.canUndo, edit.canRedo], story).toEqual([model.at > 0, model.at < model.steps.length - 1])
      // All the way back, and forth again.
      while (edit.canUndo) {
        edit.undo()
        model.go(-1)
        await drain()
        expect([edit.typed, write(edit.weights), told.at(-1) ?? 'a'], story).toEqual([model.text, model.text, model.text])
      }
      expect(model.at, story).toBe(0)
      while (edit.canRedo) {
        edit.redo()
        model.go(1)
        await drain()
        expect([edit.typed, write(edit.weights)], story).toEqual([model.text, model.text])
      }
    }
  })

  it('takes back a stroke that has no text yet, and then the text before it', async () => {
    const { edit, drain } = editor('a')
    await drain()
    edit.type('b')
    await drain()
    edit.begin(hold(2))
    edit.end()
    edit.undo()
    expect([edit.typed, write(edit.weights)]).toEqual(['b', 'b'])
    edit.undo()
    await drain()
    expect([edit.typed, write(edit.weights)]).toEqual(['a', 'a'])
    edit.redo()
    edit.redo()
    await drain()
    expect([edit.typed, write(edit.weights)]).toEqual(['b,c', 'b,c'])
  })

  it('is settled when the spot has what was typed and painted last', async () => {
    const { edit, told, drain } = editor('a')
    edit.type('b')
    edit.begin(hold(2))
    edit.end()
    let settled = false
    const waits = edit.settled().then(() => (settled = true))
    await flush()
    expect(settled).toBe(false)
    await drain()
    await waits
    expect(told.at(-1)).toBe('b,c')
    // What is typed is known at once: nobody waits for the pause after the last key.
    edit.type('d')
    await edit.settled()
    expect(told.at(-1)).toBe('d')
  })

  it('says what is wrong with the text that is there, and with no other', async () => {
    const { edit, drain } = editor('a')
    edit.type('a,x')
    await drain()
    expect(edit.error).toBe('unexpected x')
    edit.undo()
    expect(edit.error).toBe('')
    edit.redo()
    expect(edit.error).toBe('unexpected x')
    // Painting on it paints on the range that was there before.
    edit.begin(hold(1))
    edit.end()
    await drain()
    expect([edit.typed, edit.error]).toEqual(['a,b', ''])
  })

  it('asks a server that was away again when something is done, and keeps what was painted', async () => {
    const { edit, server, told, drain } = editor('a')
    await drain()
    edit.type('b')
    server.away = true
    await drain()
    edit.begin(hold(2))
    edit.end()
    const failed = edit.settled().then(() => 'settled', (error: Error) => error.message)
    await drain()
    expect(await failed).toBe('away')
    server.away = false
    edit.begin(hold(3))
    edit.end()
    await drain()
    expect([edit.typed, told.at(-1)]).toEqual(['b,c,d', 'b,c,d'])
  })

  it('a stroke that changes nothing is no step', async () => {
    const { edit, drain } = editor('a')
    await drain()
    edit.begin(hold(0))
    edit.end()
    await drain()
    expect([edit.typed, edit.canUndo]).toEqual(['a', false])
  })

  it('a text from outside is a step, and ends a stroke', async () => {
    const { edit, drain } = editor('a')
    await drain()
    edit.begin(hold(1))
    edit.accept('d')
    edit.paint(hold(2))
    edit.end()
    await drain()
    expect([edit.typed, write(edit.weights)]).toEqual(['d', 'd'])
    edit.undo()
    await drain()
    expect(edit.typed).toBe('a,b')
  })
})
