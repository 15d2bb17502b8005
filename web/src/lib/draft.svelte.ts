/** The spot that is being set up: kept in the browser, in the address, and checked by the server while it is edited. */

import { ApiError, api, explain, isAbort } from './api'
import { Latest } from './latest'
import { remember, remembered } from './settings.svelte'
import { packText } from './share'
import { type SpotDocument, firstSpot } from './spot'
import { writeSpot } from './toml'
import type { ErrorDocument, SpotCheck } from './types'

const KEY = 'equipoise.spot'
const CHECK_AFTER_MS = 180

class Draft {
  spot = $state.raw<SpotDocument>(remembered(KEY, firstSpot()))
  check = $state.raw<SpotCheck | null>(null)
  error = $state.raw<ErrorDocument | null>(null)
  checking = $state(false)
  private readonly latest = new Latest()

  get toml(): string {
    return writeSpot(this.spot)
  }

  set(spot: SpotDocument): void {
    this.spot = spot
    remember(KEY, spot)
    this.recheck()
  }

  recheck(): void {
    this.checking = true
    this.latest.after(CHECK_AFTER_MS, (signal) => this.ask(signal))
  }

  /** Takes a spot file, wherever it comes from; throws if the server cannot read it. */
  async load(toml: string): Promise<void> {
    const check = await api.checkSpot(toml, [])
    this.set(check.document)
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
      this.error = error instanceof ApiError ? error.document : { code: 'internal', message: explain(error) }
    }
    this.checking = false
  }
}

export const draft = new Draft()
