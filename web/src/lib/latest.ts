/** Requests of which only the last one counts: a new one cancels the one before, on the server too. */
export class Latest {
  private controller: AbortController | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Runs after a pause in which no other came. */
  after(milliseconds: number, run: (signal: AbortSignal) => Promise<void>): void {
    this.cancel()
    const controller = new AbortController()
    this.controller = controller
    this.timer = setTimeout(() => void run(controller.signal), milliseconds)
  }

  cancel(): void {
    clearTimeout(this.timer)
    this.controller?.abort()
    this.controller = null
  }
}
