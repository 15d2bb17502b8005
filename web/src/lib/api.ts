/** The client of `/api/v1`: one function for each request, typed answers, errors that people can read. */

import type {
  ActRequest,
  Aggregate,
  BatchJob,
  BatchRequest,
  BatchSummary,
  Batches,
  Beginning,
  BeginningRequest,
  Beginnings,
  Blueprints,
  EquityAnswer,
  EquityRequest,
  ErrorAnswer,
  ErrorDocument,
  Examples,
  FlopList,
  IcmAnswer,
  IcmRequest,
  Job,
  JobRequest,
  Jobs,
  Labels,
  LabelsRequest,
  Library,
  NodeAnswer,
  PreflopChart,
  Presets,
  PushFoldAnswer,
  PushFoldRequest,
  RangeDocument,
  RangeText,
  RangeWeights,
  Runouts,
  Sitting,
  SittingReport,
  SolutionDetail,
  SolutionSummary,
  SpotCheck,
  SpotRequest,
  Study,
  TableChange,
  TableRequest,
  TrainQuestion,
} from './types'
import { online } from './online.svelte'

const BASE = '/api/v1'

/** What is looked at: a solution of the library, a job's average so far, or a flop of a batch, whose id is "batch/job". */
export type Source = { kind: 'solutions' | 'jobs' | 'batches'; id: string }

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly document: ErrorDocument,
  ) {
    super(document.message)
    this.name = 'ApiError'
  }
}

/** Nobody answered. */
export class Unreachable extends Error {
  constructor() {
    super('the server does not answer')
    this.name = 'Unreachable'
  }
}

/** Whether a request was given up by the page itself, which nobody needs to hear of. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** What went wrong, with what to do about it. Nothing where the server does not answer: the page says that by itself. */
export function explain(error: unknown): string {
  if (error instanceof Unreachable) return ''
  if (error instanceof ApiError) {
    const { message, help } = error.document
    return help ? `${message}. ${help}` : message
  }
  return error instanceof Error ? error.message : String(error)
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(BASE + path, init).catch((error: unknown) => {
    if (isAbort(error)) throw error
    online.lost()
    throw new Unreachable()
  })
  online.found()
  if (!response.ok) throw await failure(response)
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** Whether what was asked for is not there (any more). */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const body = JSON.parse(text) as Partial<ErrorAnswer>
    if (body.error) return new ApiError(response.status, body.error)
  } catch {
    // Not ours: the text is all there is.
  }
  return new ApiError(response.status, { code: 'internal', message: text || `${response.status} ${response.statusText}` })
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

const at = (source: Source): string => {
  const [first = '', second] = source.kind === 'batches' ? source.id.split('/') : [source.id]
  return `/${source.kind}/${encodeURIComponent(first)}${second === undefined ? '' : `/jobs/${encodeURIComponent(second)}`}`
}
const ofTable = (id: string): string => `/play/${encodeURIComponent(id)}`
const ofBatch = (id: string): string => `/batches/${encodeURIComponent(id)}`
const query = (parts: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(parts).map(([key, value]) => [key, String(value)])).toString()

export const api = {
  presets: () => request<Presets>('/ranges/presets').then((answer) => answer.presets),
  parseRange: (text: string, signal?: AbortSignal) => post<RangeDocument>('/ranges/parse', { text } satisfies RangeText, signal),
  formatRange: (weights: number[], signal?: AbortSignal) => post<RangeDocument>('/ranges/format', { weights } satisfies RangeWeights, signal),
  examples: () => request<Examples>('/spots/examples').then((answer) => answer.examples),
  formations: () => request<Beginnings>('/spots/formations'),
  begin: (body: BeginningRequest) => post<Beginning>('/spots/begin', body),
  checkSpot: (toml: string, locks: string[], signal?: AbortSignal) => post<SpotCheck>('/spots/check', { toml, locks } satisfies SpotRequest, signal),

  jobs: () => request<Jobs>('/jobs').then((answer) => answer.jobs),
  newJob: (body: JobRequest) => post<Job>('/jobs', body),
  jobAction: (id: string, action: 'pause' | 'resume' | 'stop') => post<Job>(`/jobs/${encodeURIComponent(id)}/${action}`, {}),
  deleteJob: (id: string) => request<void>(`/jobs/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  jobEvents: (id: string) => new EventSource(`${BASE}/jobs/${encodeURIComponent(id)}/events`),

  library: () => request<Library>('/solutions'),
  solution: (id: string) => request<SolutionDetail>(`/solutions/${encodeURIComponent(id)}`),
  deleteSolution: (id: string) => request<void>(`/solutions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  label: (id: string, labels: LabelsRequest) =>
    request<Labels>(`/solutions/${encodeURIComponent(id)}/labels`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(labels),
    }),
  solutionFile: (id: string) => `${BASE}/solutions/${encodeURIComponent(id)}/file`,
  upload: (name: string, file: Blob) =>
    request<SolutionSummary>(`/solutions?${query({ name })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    }),

  batches: () => request<Batches>('/batches').then((answer) => answer.batches),
  batch: (id: string, path: string, signal?: AbortSignal) =>
    request<Aggregate>(`${ofBatch(id)}?${query({ path })}`, signal ? { signal } : {}),
  newBatch: (body: BatchRequest) => post<BatchSummary>('/batches', body),
  batchStatus: (id: string) => request<BatchSummary>(`${ofBatch(id)}/status`),
  batchAction: (id: string, action: 'pause' | 'resume' | 'stop') => post<BatchSummary>(`${ofBatch(id)}/${action}`, {}),
  deleteBatch: (id: string) => request<void>(ofBatch(id), { method: 'DELETE' }),
  batchJob: (id: string, job: string) => request<BatchJob>(`${ofBatch(id)}/jobs/${encodeURIComponent(job)}`),
  flops: (name: string) => request<FlopList>(`/flops?${query({ name })}`).then((answer) => answer.flops),

  /** A decision; without equities before the river, which take longest, it is there in milliseconds. */
  node: (source: Source, path: string, equities: boolean, signal?: AbortSignal) =>
    request<NodeAnswer>(`${at(source)}/node?${query({ path, equities: String(equities) })}`, signal ? { signal } : {}),
  runouts: (source: Source, path: string, signal?: AbortSignal) =>
    request<Runouts>(`${at(source)}/runouts?${query({ path })}`, signal ? { signal } : {}).then(
      (answer) => answer.runouts,
    ),
  train: (source: Source, seed: number) => request<TrainQuestion>(`${at(source)}/train?${query({ seed })}`),
  pushfold: (body: PushFoldRequest, signal?: AbortSignal) => post<PushFoldAnswer>('/pushfold', body, signal),
  icm: (body: IcmRequest, signal?: AbortSignal) => post<IcmAnswer>('/icm', body, signal),
  /** The decisions before the flop of a blueprint. */
  chart: (file: Blob) => request<PreflopChart>('/charts', { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file }),
  blueprints: () => request<Blueprints>('/blueprints'),
  blueprintChart: (id: string) => request<PreflopChart>(`/blueprints/${encodeURIComponent(id)}/chart`),
  sitDown: (body: TableRequest) => post<Sitting>('/play', body),
  table: (id: string, signal?: AbortSignal) => request<Sitting>(ofTable(id), signal ? { signal } : {}),
  changeTable: (id: string, body: TableChange) =>
    request<Sitting>(ofTable(id), { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  leaveTable: (id: string) => request<void>(ofTable(id), { method: 'DELETE' }),
  act: (id: string, body: ActRequest, signal?: AbortSignal) => post<Sitting>(`${ofTable(id)}/act`, body, signal),
  /** The next hand, the bot's action, or the next review. */
  tableStep: (id: string, step: 'deal' | 'bot' | 'review', signal?: AbortSignal) => post<Sitting>(`${ofTable(id)}/${step}`, {}, signal),
  tableReport: (id: string, signal?: AbortSignal) => request<SittingReport>(`${ofTable(id)}/report`, signal ? { signal } : {}),
  handsFile: (id: string) => `${BASE}${ofTable(id)}/hands`,
  study: (id: string, hand: number, at: number) => request<Study>(`${ofTable(id)}/study?${query({ hand, at })}`),
  equity: (body: EquityRequest, signal?: AbortSignal) => post<EquityAnswer>('/equity', body, signal),
}
