/** The queue of solves, live: one stream for the one that runs, and now and then the list of all. */

import { api } from './api'
import type { Job, Progress } from './types'

const POLL_MS = 2000

class Jobs {
  list = $state<Job[]>([])
  loaded = $state(false)
  private stream: EventSource | null = null
  private streamed: string | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Reads the list, and goes on reading it. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer)
    try {
      this.list = await api.jobs()
      this.loaded = true
    } catch {
      // The page says that the server does not answer; what was known stays.
    }
    this.follow()
    this.timer = setTimeout(() => void this.refresh(), POLL_MS)
  }

  find(id: string): Job | undefined {
    return this.list.find((job) => job.id === id)
  }

  put(job: Job): void {
    const at = this.list.findIndex((other) => other.id === job.id)
    if (at < 0) this.list.unshift(job)
    else this.list[at] = job
  }

  private follow(): void {
    const running = this.list.find((job) => job.state === 'running')
    if (running?.id === this.streamed && (this.stream?.readyState ?? 2) !== EventSource.CLOSED) return
    this.stream?.close()
    this.stream = null
    this.streamed = running?.id ?? null
    if (!running) return
    const stream = api.jobEvents(running.id)
    stream.addEventListener('job', (event) => this.put(JSON.parse(event.data as string) as Job))
    stream.addEventListener('progress', (event) => this.progress(JSON.parse(event.data as string) as Progress))
    for (const end of ['state', 'deleted']) {
      stream.addEventListener(end, () => {
        stream.close()
        void this.refresh()
      })
    }
    this.stream = stream
  }

  private progress({ check, ...rest }: Progress): void {
    const job = this.find(rest.id)
    if (!job) return
    const last = job.checks.at(-1)
    if (check && (!last || check.iteration > last.iteration)) job.checks.push(check)
    Object.assign(job, rest)
  }
}

export const jobs = new Jobs()
export const isOver = (job: Job): boolean => job.state === 'done' || job.state === 'stopped' || job.state === 'failed'
