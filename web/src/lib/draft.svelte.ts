/** The spot that is being set up: kept in the browser, in the address, and checked by the server while it is edited. */

import { ApiError, Unreachable, api, explain, isAbort } from './api'
import { valueAt } from './fields'
import { Latest } from './latest'
import { type Judgement, RangeEdit } from './rangeedit.svelte'
import { remember, remembered } from './settings.svelte'
import { packText } from './share'
import { type SpotDocument, boardOf, firstSpot } from './spot'
import { writeSpot } from './toml'
import type { ErrorDocument, PlayerName, SpotCheck } from './types'

const KEY = 'equipoise.spot'
const CHECK_AFTER_MS = 180
const TOGETHER_MS = 600
const MOST_PAST = 50

/** What is wrong with a spot, or missing yet. */
export type DraftError = Omit<ErrorDocument, 'code'> & { code: ErrorDocument['code'] | 'incomplete' }

class Draft {
  spot = $state.raw<SpotDocument>(remembered(KEY, firstSpot()))
  check = $state.raw<SpotCheck | null>(null)
  error = $state.raw<DraftError | null>(null)
  checking = $state(false)
  /** What it was before, the latest last. */
  private past = $state.raw<SpotDocument[]>([])
  private changed = 0
  private loads = 0
  private readonly latest = new Latest()

  /** Both ranges as they are edited. They outlive the page, so that undo does too. */
  readonly ranges: Readonly<Record<PlayerName, RangeEdit>> = { oop: this.range('oop'), ip: this.range('ip') }
  /** The spot in the address that was opened or written last. */
  shared = ''

  constructor() {
    this.tellRanges()
  }

  private range(player: PlayerName): RangeEdit {
    const judge = (error: unknown): Judgement => ({ message: explain(error), isRefusal: error instanceof ApiError && error.status < 500 })
    return new RangeEdit(api, judge, (text) => this.set({ ...this.spot, ranges: { ...this.spot.ranges, [player]: text } }))
  }

  private tellRanges(): void {
    for (const player of ['oop', 'ip'] as const) this.ranges[player].accept(this.spot.ranges[player])
  }

  /** Waits until what was typed and painted last is in the spot. */
  async settled(): Promise<void> {
    await Promise.all([this.ranges.oop.settled(), this.ranges.ip.settled()])
  }

  get toml(): string {
    return writeSpot(this.spot)
  }

  set(spot: SpotDocument): void {
    const key = this.error?.place?.key
    // What was wrong has changed: nobody knows yet whether it still is.
    if (!key || JSON.stringify(valueAt(spot, key)) !== JSON.stringify(valueAt(this.spot, key))) this.error = null
    this.note()
    this.spot = spot
    this.tellRanges()
    remember(KEY, spot)
    this.recheck()
  }

  get canUndo(): boolean {
    return this.past.length > 0
  }

  /** Brings back what was there before the last change; keys pressed one after the other are one change. */
  undo(): void {
    const before = this.past.at(-1)
    if (!before) return
    this.past = this.past.slice(0, -1)
    this.changed = 0
    this.error = null
    this.spot = before
    this.tellRanges()
    remember(KEY, before)
    this.recheck()
  }

  private note(): void {
    const now = performance.now()
    if (now - this.changed > TOGETHER_MS) this.past = [...this.past.slice(1 - MOST_PAST), this.spot]
    this.changed = now
  }

  recheck(): void {
    const missing = 3 - boardOf(this.spot).length
    if (missing > 0) {
      // Nothing to ask the server while a flop is being picked.
      this.latest.cancel()
      this.checking = false
      this.error = { code: 'incomplete', message: missing === 3 ? 'Pick three cards for the flop' : `Pick ${missing === 1 ? 'one more card' : 'two more cards'} for the flop`, place: { key: 'cards.flop' } }
      return
    }
    if (this.error?.code === 'incomplete') this.error = null
    this.checking = true
    this.latest.after(CHECK_AFTER_MS, (signal) => this.ask(signal))
  }

  /** Takes a spot file, wherever it comes from; throws if the server cannot read it. */
  async load(toml: string): Promise<void> {
    this.loads += 1
    const turn = this.loads
    const check = await api.checkSpot(toml, [])
    // Of two that are opened one after the other the second counts, whichever answer comes first.
    if (turn !== this.loads) return
    // A change of its own, however soon after another.
    this.changed = -TOGETHER_MS
    this.set(check.document)
    this.changed = -TOGETHER_MS
  }

  /** The part of a link that holds this spot. */
  pack(): Promise<string> {
    return packText(this.toml)
  }

  private async ask(signal: AbortSignal): Promise<void> {
    try {
      this.check = await api.checkSpot(this.toml, [], signal)
      this.error = null
    } catch (error) {
      if (isAbort(error)) return
      // The page says that there is no server; that is nothing wrong with the spot.
      if (!(error instanceof Unreachable)) this.error = error instanceof ApiError ? error.document : { code: 'internal', message: explain(error) }
    }
    this.checking = false
  }
}

export const draft = new Draft()
