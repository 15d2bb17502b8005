/** The table that a person sits at: it stays while other pages are open, and its id stays in the browser. */

import { ApiError, api, explain, isAbort, isMissing } from './api'
import { remember, remembered } from './settings.svelte'
import type { ActRequest, Sitting, TableRequest } from './types'

const KEY = 'equipoise.table'

class Table {
  sitting = $state.raw<Sitting | null>(null)
  /** What the server does for us. */
  doing = $state<'' | 'opening' | 'acting' | 'thinking' | 'reviewing' | 'dealing'>('')
  trouble = $state('')
  /** Whether a table of this browser is no more. */
  gone = $state(false)
  private controller: AbortController | null = null
  private visits = 0

  /** A page of the table is there; what it gives back ends its visit, unless another page has come meanwhile. */
  visit(): () => void {
    this.visits += 1
    const visit = this.visits
    void this.open()
    return () => {
      if (visit === this.visits) this.leave()
    }
  }

  get id(): string {
    return this.sitting?.id ?? remembered<string>(KEY, '')
  }

  /** Opens the table of last time, and goes on where it was. */
  async open(): Promise<void> {
    const id = this.id
    if (id === '') return
    this.leave()
    await this.run('opening', async (signal) => {
      try {
        this.sitting = await api.table(id, signal)
      } catch (error) {
        if (!isMissing(error)) throw error
        this.gone = true
        this.forget()
      }
    })
    await this.goOn()
  }

  async sitDown(request: TableRequest): Promise<void> {
    await this.run('opening', async () => {
      this.sitting = await api.sitDown(request)
      this.gone = false
      remember(KEY, this.sitting.id)
    })
    await this.goOn()
  }

  async act(request: ActRequest): Promise<void> {
    const { sitting } = this
    if (!sitting || this.doing !== '' || sitting.hand?.turn !== 'you') return
    const at = sitting.hand.actions.length
    await this.run('acting', async (signal) => {
      try {
        this.sitting = await api.act(sitting.id, { ...request, at }, signal)
      } catch (error) {
        // Another window has acted.
        if (!(error instanceof ApiError) || error.status !== 409) throw error
        this.sitting = await api.table(sitting.id, signal)
      }
    })
    await this.goOn()
  }

  async deal(): Promise<void> {
    if (this.doing === 'reviewing') this.leave()
    const { sitting } = this
    if (!sitting || this.doing !== '' || sitting.hand?.turn) return
    await this.run('dealing', async (signal) => {
      this.sitting = await api.tableStep(sitting.id, 'deal', signal)
    })
    await this.goOn()
  }

  async change(change: { seconds?: number; coach?: boolean }): Promise<void> {
    const { sitting } = this
    if (!sitting) return
    try {
      this.trouble = ''
      this.sitting = await api.changeTable(sitting.id, change)
    } catch (error) {
      this.trouble = explain(error)
    }
    if (this.doing === '') await this.goOn()
  }

  /** Plays on until it is the person's turn: with a coach reviews come first, otherwise after the hand. */
  async goOn(): Promise<void> {
    for (;;) {
      const { sitting } = this
      if (!sitting || this.doing !== '' || this.trouble !== '') return
      const { hand, coach, score } = sitting
      const step = (coach || !hand?.turn) && score.waiting > 0 ? 'review' : hand?.turn === 'bot' ? 'bot' : null
      if (!step) return
      const isDone = await this.run(step === 'bot' ? 'thinking' : 'reviewing', async (signal) => {
        this.sitting = await api.tableStep(sitting.id, step, signal)
      })
      if (!isDone) return
    }
  }

  /** Whoever leaves the page does not wait for the bot any more. */
  leave(): void {
    this.controller?.abort()
    this.controller = null
    this.doing = ''
  }

  /** Leaves the table for good. */
  async end(): Promise<void> {
    const { id } = this
    this.leave()
    this.forget()
    await api.leaveTable(id).catch(() => undefined)
  }

  private forget(): void {
    this.sitting = null
    remember(KEY, '')
  }

  private async run(doing: Table['doing'], work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const controller = new AbortController()
    this.controller = controller
    this.doing = doing
    this.trouble = ''
    try {
      await work(controller.signal)
    } catch (error) {
      if (isAbort(error)) return false
      this.trouble = explain(error)
    }
    if (this.controller !== controller) return false
    this.doing = ''
    this.controller = null
    return this.trouble === ''
  }
}

export const table = new Table()
