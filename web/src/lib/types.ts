/** The documents of the API, as far as the page reads them; `GET /api/v1/openapi.json` describes all. */

export type PlayerName = 'oop' | 'ip'
export type Street = 'flop' | 'turn' | 'river'
export type Both<T> = Record<PlayerName, T>

export interface Exploitability {
  chips: number
  pct_pot: number
}

export interface ErrorDocument {
  code: string
  message: string
  help?: string | null
  place?: { key?: string | null; line?: number | null; column?: number | null } | null
}

export interface RangeDocument {
  text: string
  /** In groups that every program reads alike. */
  expansion: string
  combos: number
  weight: number
  weights: number[]
}

export interface RangePreset {
  name: string
  text: string
}

export interface SpotExample {
  name: string
  title: string
  toml: string
}

/** A spot file as JSON. Keys that the page has no field for are kept as they are. */
export interface SpotDocument {
  schema_version?: number
  ranges: Both<string>
  cards: { flop: string; turn?: string | null; river?: string | null }
  tree: {
    starting_pot: number
    effective_stack: number
    rake_rate?: number | null
    rake_cap?: number | null
    add_allin_threshold?: number | null
    force_allin_threshold?: number | null
    merging_threshold?: number | null
    preset?: string | null
    add_lines?: string[] | null
    remove_lines?: string[] | null
  }
  bet_sizes?: Partial<Record<Street, StreetSizes | null>> | null
  solver?: SolverKeys | null
  locks?: LockTable[] | null
}

export type SizeKey = 'oop_bet' | 'oop_raise' | 'oop_donk' | 'ip_bet' | 'ip_raise'
/** Donk sizes that are null are those of bets, even where the preset has others; empty ones allow no bet. */
export type StreetSizes = Partial<Record<SizeKey, string | null>>

export interface SolverKeys {
  algorithm?: string | null
  quantization?: string | null
  max_iterations?: number | null
  target_exploitability_pct?: number | null
  [key: string]: string | number | boolean | null | undefined
}

export interface LockTable {
  line?: string
  runout?: string
  strategy?: Record<string, number> | null
  hands?: Record<string, Record<string, number>> | null
}

export interface MemoryRow {
  storage: string
  bytes: number
  fits: boolean
  selected: boolean
}

export interface MenuPreview {
  street: Street
  player: PlayerName
  key: SizeKey
  chips: number[]
}

export interface SpotCheck {
  document: SpotDocument
  toml: string
  board: string
  street: Street
  combos: Both<number>
  tree: { nodes: number; decisions: number; terminals: number }
  memory: MemoryRow[]
  fits: boolean
  advice?: string | null
  notes: string[]
  menus: MenuPreview[]
}

export type JobState = 'queued' | 'running' | 'paused' | 'done' | 'stopped' | 'failed'

export interface Check {
  iteration: number
  seconds: number
  pct_pot: number
}

export interface Job {
  id: string
  name: string
  state: JobState
  /** What it will do as soon as its file is written. */
  wish: 'pause' | 'stop' | 'delete' | null
  iteration: number
  /** Of the last checkpoint; null before the first. */
  saved_iteration: number | null
  max_iterations: number
  exploitability: Exploitability | null
  checks: Check[]
  elapsed_s: number
  eta_s: number | null
  memory_bytes: number
  algorithm: string
  storage: string
  target_pct: number
  board: string
  street: Street
  created: string
  stop_reason: string | null
  solution: string | null
  error: string | null
  toml: string
  locks: string[]
  from: string | null
  /** Against `from`: each player's EV less the EV there, in chips. */
  gains: Both<number> | null
}

export interface SolutionSummary {
  id: string
  board: string
  street: Street
  starting_pot: number
  effective_stack: number
  exploitability: Exploitability
  iterations: number
  algorithm: string
  storage: string
  target_pct: number
  converged: boolean
  contents: string
  bytes: number
  modified: string
  locked: number
}

export interface SolutionDetail extends SolutionSummary {
  toml: string
  ranges: Both<string>
  checks: Check[]
}

export interface PlayerNumbers {
  combos: number
  weighted_combos: number
  equity: number | null
  ev: number | null
  eqr: number | null
}

export interface ActionDocument {
  name: string
  kind: string
  chips: number
  /** Of a bet or raise: beyond the call, of the pot after the call. */
  pct_pot: number | null
  frequency: number
  ev: number | null
  next: 'decision' | 'card' | 'end'
}

export interface NodeDocument {
  path: string
  board: string
  street: Street
  player: PlayerName
  pot: number
  stacks: Both<number>
  probability: number
  unreached: boolean
  unreliable: boolean
  solved_again: { exploitability: Exploitability; iterations: number } | null
  actions: ActionDocument[]
  players: Both<PlayerNumbers>
}

export interface ComboRow {
  combo: string
  weight: number
  share: number
  equity: number | null
  ev: number | null
  eqr: number | null
  made: string
  draws: string[]
  frequencies: number[]
  action_evs: (number | null)[]
  ev_losses: (number | null)[]
}

export interface CrumbStep {
  player: PlayerName
  action: string
  alternatives: { name: string; kind: string; chips: number; pct_pot: number | null }[]
}

export interface Crumb {
  street: Street
  board: string
  steps: CrumbStep[]
}

export interface LookedAt {
  file: string
  board: string
  starting_pot: number
  effective_stack: number
  /** Null before the first check of a solve that runs. */
  exploitability: Exploitability | null
  iterations: number
  algorithm: string
  storage: string
  target_pct: number
  converged: boolean
}

export interface NodeAnswer {
  solution: LookedAt
  next: 'decision' | 'card' | 'end'
  /** Whether equities and EQR are in the answer. */
  equities: boolean
  node: NodeDocument | null
  combos: Both<ComboRow[]> | null
  ranges: Both<string> | null
  breadcrumb: Crumb[]
  cards: { card: string; stands_for: string | null }[] | null
}

export interface Runout {
  card: string
  node: NodeDocument
  ev_pct_pot: Both<number | null>
}

export interface TrainQuestion {
  path: string
  board: string
  street: Street
  player: PlayerName
  combo: string
  pot: number
  stacks: Both<number>
  actions: ActionDocument[]
  breadcrumb: Crumb[]
  answer: { frequencies: number[]; action_evs: (number | null)[]; ev_losses: (number | null)[] }
}

export interface EquityRequest {
  players: string[]
  board: string
  dead: string
  mode: 'auto' | 'exact' | 'monte-carlo'
  samples?: number
  seed?: number
}

export interface EquityPlayer {
  input: string
  expansion: string
  combos: number
  equity: number
  win: number
  tie: number
  std_error: number
  by_class?: { class: string; probability: number; equity: number; win: number; tie: number }[]
}

export interface EquityAnswer {
  mode: string
  deals: number | string
  std_error: number
  elapsed_s: number
  interrupted: boolean
  players: EquityPlayer[]
}

/** What is looked at: a solution of the library, or a job's average so far. */
export type Source = { kind: 'solutions' | 'jobs'; id: string }

export interface Library {
  solutions: SolutionSummary[]
  damaged: { id: string; message: string }[]
}

export interface BatchSummary {
  id: string
  spots: string[]
  jobs: number
  done: number
  running: number
  failed: number
}

export interface PlayerWorth {
  equity: number | null
  ev: number | null
  eqr: number | null
}

/** Averages over flops. */
export interface BatchMean {
  flops: number
  weight: number
  probability: number
  frequencies: number[]
  players: Both<PlayerWorth>
}

export interface FlopRow {
  id: string
  board: string
  weight: number
  deals: number
  probability: number
  suits: string
  pairing: string
  high: string
  connectedness: string
  frequencies: number[]
  players: Both<PlayerWorth>
  exploitability_pct: number
}

export type BatchGroup = BatchMean & { name: string }

/** One spot of a batch over its flops. */
export interface SpotAggregate {
  spot: string
  player: PlayerName | null
  pot: number
  actions: string[]
  planned: number
  flops: FlopRow[]
  total: BatchMean
  total_by_deals: BatchMean
  groups: { suits: BatchGroup[]; pairing: BatchGroup[]; high_card: BatchGroup[]; connectedness: BatchGroup[] }
}

export interface Aggregate {
  path: string
  spots: SpotAggregate[]
}
