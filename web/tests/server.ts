/** The real binary, with a library of its own that is gone afterwards. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

export const BINARY = resolve(import.meta.dirname, '../..', process.env['EQUIPOISE'] ?? 'target/debug/equipoise')

/** A port that is free, so that a server can be started again where it was. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export class Server {
  private process: ChildProcess | null = null
  readonly library = mkdtempSync(join(tmpdir(), 'equipoise-web-'))
  private port = 0
  wasStopped = false

  /** Buckets take seconds to build: they are kept from run to run. */
  private get env(): NodeJS.ProcessEnv {
    return { ...process.env, EQUIPOISE_CACHE: resolve(import.meta.dirname, '../node_modules/.cache/equipoise') }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.port ||= await freePort()
    const child = spawn(BINARY, ['serve', '--port', String(this.port), '--library', this.library, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: this.env,
    })
    this.process = child
    const lines = createInterface({ input: child.stdout })
    const ready = once(lines, 'line')
    const gone = once(child, 'exit').then(([code]) => {
      throw new Error(`the server ended with ${String(code)} before it was ready; was ${BINARY} built?`)
    })
    await Promise.race([ready, gone])
    gone.catch(() => undefined)
  }

  async stop(): Promise<void> {
    const child = this.process
    this.process = null
    this.wasStopped = true
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }

  /** Ends it as a crash would: nothing is saved any more. */
  async kill(): Promise<void> {
    const child = this.process
    this.process = null
    this.wasStopped = true
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.library, { recursive: true, force: true })
  }

  async api<T>(path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${this.url}/api/v1${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Trains a blueprint of few buckets into the library, as a person would. */
  async blueprint(name: string, game: string): Promise<string> {
    const file = join(this.library, 'game.toml')
    writeFileSync(file, game)
    const child = spawn(BINARY, ['blueprint', 'train', file, '-o', join(this.library, name), '--boards', '200'], { stdio: 'ignore', env: this.env })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the training ended with ${String(code)}`)
    return name
  }

  /** Runs a batch into the library, as a person would. */
  async batch(name: string, plan: string): Promise<void> {
    const file = join(this.library, `${name}.toml`)
    writeFileSync(file, plan)
    const child = spawn(BINARY, ['batch', 'run', file, '-o', join(this.library, name)], { stdio: 'ignore' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the batch ended with ${String(code)}`)
  }

  /** Solves a spot as the page would, and says what the solution is called. */
  async solve(name: string, toml: string): Promise<string> {
    let job = await this.api<{ id: string; state: string; solution: string | null; error: string | null }>('/jobs', { name, toml })
    while (job.state === 'queued' || job.state === 'running') {
      await new Promise((wake) => setTimeout(wake, 100))
      job = await this.api(`/jobs/${job.id}`)
    }
    if (job.solution === null) throw new Error(job.error ?? job.state)
    return job.solution
  }
}
