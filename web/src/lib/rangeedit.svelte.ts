/**
 * A range that is edited: typed, painted, taken from a preset, undone. Texts are read and written by the server, which takes
 * its time; nothing that a person does waits for it, and no answer changes anything but the step that it was asked for.
 *
 * Every change is a step of its own, of which the text is known, or the weights, or neither yet: what was painted on a
 * text that has not been read waits for that text. Undo and redo only move between steps.
 */

import { emptyRange, type Weights } from './range'

/** What reads and writes ranges. */
export interface RangeServer {
  parseRange: (text: string, signal: AbortSignal) => Promise<{ weights: number[]; expansion: string }>
  formatRange: (weights: number[], signal: AbortSignal) => Promise<{ text: string; expansion: string }>
}

/** What an answer that is an error means: the text is wrong, or the server could not be asked. */
export interface Judgement {
  message: string
  isRefusal: boolean
}

type Change = (weights: Weights) => void

interface Step {
  text: string | null
  /** Its own: nothing else changes them. */
  weights: Weights | null
  expansion: string
  /** Why the text could not be read, or the weights not be written. */
  error: string
  /** A request failed: it is not asked again until something is done. */
  failed: boolean
  /** What was painted, and on which step, while the weights of that one are not known. */
  base: Step | null
  changes: Change[]
  asking: AbortController | null
  answered: Promise<void> | null
}

/** Keys pressed one after the other are one step. */
export const TYPING_MS = 160
const MOST_STEPS = 100

const newStep = (known: Partial<Step>): Step => ({ text: null, weights: null, expansion: '', error: '', failed: false, base: null, changes: [], asking: null, answered: null, ...known })

export class RangeEdit {
  /** What the text box holds. */
  typed = $state('')
  expansion = $state('')
  error = $state('')
  canUndo = $state(false)
  canRedo = $state(false)
  /** What the grid shows; before a text is read, what it showed before. */
  weights: Weights = emptyRange()

  private readonly server: RangeServer
  private readonly judge: (error: unknown) => Judgement
  /** Told when the weights change, while somebody looks. */
  private onweights: (() => void) | null = null
  private readonly onchange: (text: string) => void
  private steps: Step[] = []
  private at = -1
  /** The text that is known outside. */
  private outside: string | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The step that is being typed. */
  private typing: Step | null = null
  /** The step that is being painted: the pointer is down. */
  private stroke: Step | null = null

  constructor(server: RangeServer, judge: (error: unknown) => Judgement, onchange: (text: string) => void) {
    this.server = server
    this.judge = judge
    this.onchange = onchange
  }

  /** Shows the range to somebody, until what is returned is called: only then is it read. */
  watch(onweights: () => void): () => void {
    this.onweights = onweights
    for (const step of this.steps) step.failed = false
    this.show()
    return () => {
      if (this.onweights === onweights) this.onweights = null
    }
  }

  /** A text from outside: the first one, or a spot that was opened. */
  accept(text: string): void {
    if (text === this.outside) return
    this.outside = text
    if (this.current?.text === text) return
    this.push(newStep({ text }))
  }

  type(text: string): void {
    clearTimeout(this.timer)
    if (this.typing && this.typing === this.current) this.typing.text = text
    else this.push(newStep({ text }), true)
    this.typed = text
    this.timer = setTimeout(() => this.finishTyping(), TYPING_MS)
  }

  /** A text takes the place of what was there. */
  take(text: string): void {
    this.finishTyping()
    if (this.current?.text !== text) this.push(newStep({ text }))
  }

  /** Begins to paint; what is painted until the stroke ends is one step. */
  begin(change: Change): void {
    this.finishTyping()
    const base = this.current
    const step = base?.weights ? newStep({ weights: base.weights.slice() }) : newStep({ base })
    this.stroke = step
    this.push(step)
    // To be seen at once; the weights themselves follow.
    if (!step.weights) this.weights = this.weights.slice()
    this.paint(change)
  }

  /** Goes on painting; not if something else has come since the stroke began. */
  paint(change: Change): void {
    const step = this.current
    if (!step || step !== this.stroke) return
    if (!step.weights) step.changes.push(change)
    change(this.weights)
  }

  end(): void {
    if (!this.stroke) return
    this.stroke = null
    this.work()
  }

  undo(): void {
    this.go(-1)
  }

  redo(): void {
    this.go(1)
  }

  /** Waits until what was typed or painted is known outside; an error if the server cannot be asked. */
  async settled(): Promise<void> {
    this.finishTyping()
    this.end()
    for (;;) {
      const step = this.current
      if (!step || step.text !== null) return
      const lacking = this.lacking(step)
      if (lacking.failed || !lacking.answered) throw new Error(lacking.error)
      await lacking.answered
    }
  }

  private get current(): Step | undefined {
    return this.steps[this.at]
  }

  private push(step: Step, isTyped = false): void {
    for (const other of this.steps) other.failed = false
    this.steps = [...this.steps.slice(0, this.at + 1), step].slice(-MOST_STEPS)
    this.at = this.steps.length - 1
    this.typing = isTyped ? step : null
    this.show()
  }

  private go(by: number): void {
    this.finishTyping()
    if (!this.steps[this.at + by]) return
    this.at += by
    this.stroke = null
    for (const step of this.steps) step.failed = false
    this.show()
  }

  private finishTyping(): void {
    clearTimeout(this.timer)
    const step = this.typing
    this.typing = null
    if (!step || step !== this.current) return
    // What was typed and taken back again is no step.
    if (this.at > 0 && this.steps[this.at - 1]?.text === step.text) {
      this.at -= 1
      this.steps = this.steps.slice(0, this.at + 1)
    }
    this.show()
  }

  /** Shows the current step, as far as it is known. */
  private show(): void {
    const step = this.current
    if (!step) return
    this.canUndo = this.at > 0
    this.canRedo = this.at < this.steps.length - 1
    if (step.text !== null) this.typed = step.text
    if (step.weights) {
      this.weights = step.weights
      this.expansion = step.expansion
    }
    this.error = step.error
    this.onweights?.()
    if (step.text !== null && step !== this.typing && step.text !== this.outside) {
      this.outside = step.text
      this.onchange(step.text)
    }
    this.work()
  }

  /** The step that has to be read or written next, so that this one has weights and a text. */
  private lacking(step: Step): Step {
    let first = step
    while (!first.weights && first.base) first = first.base
    return first
  }

  /** Asks for what the current step needs next, and for nothing else any more. */
  private work(): void {
    const step = this.current
    if (!step || step === this.typing) return
    const lacking = this.lacking(step)
    for (const other of this.steps) {
      if (other === lacking) continue
      other.asking?.abort()
      other.asking = null
    }
    if (lacking.asking || lacking.failed || (!this.onweights && step.text !== null)) return
    if (!lacking.weights) lacking.answered = this.read(lacking)
    else if (step.text === null && step !== this.stroke) lacking.answered = this.write(step, lacking.weights)
  }

  private async read(step: Step): Promise<void> {
    const asking = (step.asking = new AbortController())
    const text = step.text ?? ''
    try {
      const answer = await (text.trim() === '' ? { weights: emptyRange(), expansion: '' } : this.server.parseRange(text, asking.signal))
      if (asking.signal.aborted) return
      step.weights = Float64Array.from(answer.weights)
      step.expansion = answer.expansion
      step.error = ''
    } catch (error) {
      if (asking.signal.aborted) return
      const { message, isRefusal } = this.judge(error)
      step.error = message
      // Whoever paints on a text that cannot be read paints on what was there before.
      const before = this.steps[this.steps.indexOf(step) - 1]
      if (!isRefusal) step.failed = true
      else if (before) step.base = before
      else step.weights = emptyRange()
    }
    step.asking = null
    this.follow()
  }

  /** What was painted on a step that is read now. */
  private follow(): void {
    for (const step of this.steps) {
      if (step.weights || !step.base?.weights) continue
      const weights = step.base.weights.slice()
      for (const change of step.changes) change(weights)
      Object.assign(step, { weights, base: null, changes: [] } satisfies Partial<Step>)
    }
    this.show()
  }

  private async write(step: Step, weights: Weights): Promise<void> {
    const asking = (step.asking = new AbortController())
    try {
      const answer = await this.server.formatRange(Array.from(weights), asking.signal)
      if (asking.signal.aborted) return
      step.text = answer.text
      step.expansion = answer.expansion
      step.error = ''
    } catch (error) {
      if (asking.signal.aborted) return
      step.failed = true
      step.error = this.judge(error).message
    }
    step.asking = null
    // A stroke that changed nothing is no step.
    const at = this.steps.indexOf(step)
    if (at > 0 && at === this.at && step.text !== null && this.steps[at - 1]?.text === step.text) {
      this.steps = this.steps.filter((other) => other !== step)
      this.at -= 1
    }
    this.show()
  }
}
