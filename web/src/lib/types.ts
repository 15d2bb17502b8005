/** The documents of the API: made from crates/server/openapi.json by `npm run types`, not by hand. */

/** A value for each player. */
export type Both<T> = Record<PlayerName, T>

export interface ErrorDocument {
  /** The same as the status, as a word. */
  code: 'bad_input' | 'no_token' | 'forbidden' | 'not_found' | 'method' | 'conflict' | 'too_large' | 'media_type' | 'busy' | 'no_memory' | 'internal'
  /** What is wrong, for people. */
  message: string
  /** What to do about it. */
  help?: string
  /** Where it is. */
  place?: { key?: string; line?: number; column?: number }
}

export interface ErrorAnswer {
  error: ErrorDocument
}

export type PlayerName = 'oop' | 'ip'

export type Street = 'flop' | 'turn' | 'river'

/** What comes after a decision or an action. */
export type Next = 'decision' | 'card' | 'end'

export interface Exploitability {
  /** Absent if the spot is played for prizes. */
  chips?: number
  /** Only if the spot is played for prizes: the larger gain, ε. */
  prizes?: number
  /** In percent of the starting pot; for prizes, of what the pot is worth. */
  pct_pot: number
  /** Only if the spot is played for prizes: what each player could gain. */
  gains?: Both<number>
}

export interface Status {
  version: string
  /** Of a solve. */
  threads: number
  memory: { total_bytes: number | null; available_bytes: number | null }
  limits: { body_bytes: number; upload_bytes: number; request_s: number }
  /** The folder of the solutions. */
  library: string
  solutions: number
  /** Queued or running. */
  jobs: number
  /** Whether the page is in this binary. */
  page: boolean
}

/** The 1,326 combos in the order of weights. */
export interface Cards {
  combos: string[]
  /** The class of each combo, such as AKs. */
  classes: string[]
}

export interface RangePreset {
  name: string
  text: string
  /** What it is called in ranges, such as `@btn-open`. */
  named: string
}

export interface Presets {
  presets: RangePreset[]
}

export interface RangeDocument {
  /** The shortest text that means this range. */
  text: string
  /** The same in groups that every program reads alike: runs with both ends, no `+`. */
  expansion: string
  combos: number
  weight: number
  weights: number[]
}

export interface RangeText {
  /** Any dialect, such as `QQ+,AKs:0.5` or `15%`; empty for nothing. */
  text: string
}

export interface RangeWeights {
  weights: number[]
}

export interface SpotExample {
  name: string
  title: string
  toml: string
}

export interface Examples {
  examples: SpotExample[]
}

export interface Formation {
  name: string
  title: string
}

export interface Beginnings {
  formations: Formation[]
  /** Names of stakes, for what the house takes. */
  rakes: string[]
}

export interface BeginningRequest {
  formation: string
  /** Starting stacks, in big blinds; 100 by default. */
  depth_bb?: number
  /** A name, or such as `5%/3bb`; none by default. */
  rake?: string
  board: string
}

export interface Beginning {
  toml: string
}

export interface SpotRequest {
  /** A spot file; docs/configuration.md lists its keys. */
  toml: string
  /** As of `equipoise solve --lock`: `PATH => HANDS = ACTION @ FREQUENCY, …`. */
  locks?: string[]
}

export type SizeKey = 'oop_bet' | 'oop_raise' | 'oop_donk' | 'ip_bet' | 'ip_raise'

/** The bet sizes of a street, as in `60%, e, a`. Donk sizes that are left out are those of bets; empty ones allow no bet. */
export interface StreetSizes {
  oop_bet?: string
  oop_raise?: string
  oop_donk?: string
  ip_bet?: string
  ip_raise?: string
}

export interface SolverKeys {
  algorithm?: string
  asymmetry_mode?: string
  asymmetry_alpha?: number
  alpha_max?: number
  lambda?: number
  kappa?: number
  dcfr_beta?: number
  alpha?: number
  beta?: number
  gamma?: number
  offset?: number
  horizon?: number
  look_ahead?: number
  quantization?: string
  regret_bits?: number
  strategy_bits?: number
  log_encoding?: boolean
  lazy_normalization?: boolean
  lazy_normalization_freq?: number
  isomorphism?: boolean
  keep_best?: boolean
  max_iterations?: number
  target_exploitability_pct?: number
}

export interface LockTable {
  line?: string
  runout?: string
  /** The frequency of each action, for every combo that `hands` does not name. */
  strategy?: Record<string, number>
  /** The same by class, combo or range. */
  hands?: Record<string, Record<string, number>>
}

export interface TreeKeys {
  big_blind?: number
  starting_pot: number
  effective_stack: number
  rake_rate?: number
  rake_cap?: number
  payouts?: number[]
  other_stacks?: number[]
  oop_stack?: number
  ip_stack?: number
  prize_table?: number[][]
  add_allin_threshold?: number
  force_allin_threshold?: number
  merging_threshold?: number
  add_allin_without_sizes?: boolean
  preset?: string
  add_lines?: string[]
  remove_lines?: string[]
}

/** A spot file as JSON; docs/configuration.md lists its keys. */
export interface SpotFile {
  schema_version?: number
  ranges: Both<string>
  cards: { flop: string; turn?: string; river?: string }
  tree: TreeKeys
  bet_sizes?: { flop?: StreetSizes; turn?: StreetSizes; river?: StreetSizes }
  solver?: SolverKeys
  locks?: LockTable[]
}

export interface TreeStreet {
  street: Street
  lines: number
  decisions: Both<number>
  actions: Both<number>
  folds: number
  showdowns: number
  runouts: number
}

export interface MemoryRow {
  /** What `solver.quantization` would be. */
  storage: string
  bytes: number
  fits: boolean
  selected: boolean
}

export interface MenuPreview {
  street: Street
  player: PlayerName
  key: SizeKey
  /** The street's totals of the first such bets in the tree. */
  chips: number[]
}

export interface SpotCheck {
  /** The spot file, with the locks in it. */
  document: SpotFile
  /** The same as TOML. */
  toml: string
  board: string
  street: Street
  /** That the board leaves each range. */
  combos: Both<number>
  tree: { nodes: number; decisions: number; terminals: number; entries: number; streets: TreeStreet[] }
  algorithm: string
  memory: MemoryRow[]
  /** With the storage that is selected. */
  memory_bytes: number
  available_bytes: number | null
  fits: boolean
  /** What to drop, if it does not fit. */
  advice: string | null
  /** What the author of the spot may not have meant. */
  notes: string[]
  /** The chips that bet sizes come to, where the tree first uses them. */
  menus: MenuPreview[]
}

export interface JobRequest {
  /** The file is called so; otherwise after the board. */
  name?: string | null
  /** May be left out with `from`: then its spot is solved. */
  toml?: string | null
  locks?: string[]
  /** A solution of the library of the same board, to compare with. If it keeps its tables (`contents` is `resumable`), they are a warm start. */
  from?: string | null
}

export interface Check {
  iteration: number
  seconds: number
  pct_pot: number
}

export type JobState = 'queued' | 'running' | 'paused' | 'done' | 'stopped' | 'failed'

export interface Job {
  id: string
  name: string
  state: JobState
  /** The request that it has not carried out yet: pausing and stopping write files. */
  wish: 'pause' | 'stop' | 'delete' | null
  /** The fraction of its tables that is set up, before the first iteration of a running job. */
  setting_up: number | null
  iteration: number
  /** Of the last checkpoint, from which it resumes after a crash. Null before the first. */
  saved_iteration: number | null
  max_iterations: number
  exploitability: Exploitability | null
  checks: Check[]
  elapsed_s: number
  eta_s: number | null
  /** While it runs. */
  memory_bytes: number
  algorithm: string
  storage: string
  target_pct: number
  board: string
  street: Street
  /** RFC 3339. */
  created: string
  /** Of a job that is done: `converged`, `max_iterations` or `stalled`. */
  stop_reason: string | null
  /** In the library, if it is done or stopped. */
  solution: string | null
  /** Of a job that failed. If only saving failed, its strategy can be viewed as long as the server runs. */
  error: string | null
  /** What went wrong without ending it, such as a checkpoint or strategies of rivers that do not fit on the disk. */
  warning: string | null
  toml: string
  locks: string[]
  from: string | null
  /** With `from`, once it is done: each player's EV less the EV there, in chips. */
  gains: Both<number> | null
}

/** Data of the event `progress`. */
export interface Progress {
  id: string
  name: string
  state: JobState
  /** The fraction of its tables that is set up, before the first iteration of a running job. */
  setting_up: number | null
  iteration: number
  /** Of the last checkpoint, from which it resumes after a crash. Null before the first. */
  saved_iteration: number | null
  max_iterations: number
  exploitability: Exploitability | null
  elapsed_s: number
  eta_s: number | null
  /** While it runs. */
  memory_bytes: number
  /** Null unless there is a new one. */
  check: Check | null
}

export interface Jobs {
  /** Newest first. */
  jobs: Job[]
}

export interface Labels {
  /** What people call it; empty if it has the name of its file only. At most 120 characters. */
  title: string
  /** At most 20 of at most 40 characters. */
  tags: string[]
  /** At most 10,000 characters. */
  notes: string
}

/** What is left out is empty. */
export interface LabelsRequest {
  /** What people call it; empty if it has the name of its file only. At most 120 characters. */
  title?: string
  /** At most 20 of at most 40 characters. */
  tags?: string[]
  /** At most 10,000 characters. */
  notes?: string
}

export interface SolutionSummary {
  /** The name of its file. */
  id: string
  board: string
  street: Street
  starting_pot: number
  effective_stack: number
  /** In chips, if the spot says what a big blind is. */
  big_blind?: number
  exploitability: Exploitability
  iterations: number
  algorithm: string
  storage: string
  target_pct: number
  converged: boolean
  contents: 'full' | 'no-river' | 'no-turn' | 'resumable'
  bytes: number
  /** RFC 3339. */
  modified: string
  /** Decisions that are locked. */
  locked: number
  /** What people call it; empty if it has the name of its file only. At most 120 characters. */
  title: string
  /** At most 20 of at most 40 characters. */
  tags: string[]
  /** At most 10,000 characters. */
  notes: string
}

export interface SolutionDetail extends SolutionSummary {
  toml: string
  ranges: Both<string>
  checks: Check[]
  elapsed_s: number
  evs: Both<{ ev: number; equity: number }>
}

export interface DamagedFile {
  id: string
  message: string
}

export interface Library {
  /** Newest first. */
  solutions: SolutionSummary[]
  /** Files of the folder that cannot be used. */
  damaged: DamagedFile[]
}

export interface LookedAt {
  /** The solution's id or the job's. */
  file: string
  board: string
  starting_pot: number
  effective_stack: number
  /** In chips, if the spot says what a big blind is. */
  big_blind?: number
  /** What EVs are counted in. */
  unit: 'chips' | 'prizes'
  /** Null before the first check of a job. */
  exploitability: Exploitability | null
  /** Of the snapshot, if it is a job. */
  iterations: number
  algorithm: string
  storage: string
  target_pct: number
  converged: boolean
}

export interface PlayerNumbers {
  combos: number
  weighted_combos: number
  equity: number | null
  ev: number | null
  eqr: number | null
}

export interface ActionBase {
  /** As paths name it, such as `bet:120`. */
  name: string
  kind: 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'allin'
  /** The street's total after it. */
  chips: number
  /** Of a bet, raise or all-in: what goes beyond the call, in percent of the pot after the call, as sizes are written in spot files. */
  pct_pot: number | null
}

export interface ActionDocument extends ActionBase {
  frequency: number
  ev: number | null
  /** What comes after it. */
  next: Next
}

/** A street that the file leaves out and that was re-solved. */
export interface ReSolved {
  exploitability: Exploitability
  iterations: number
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
  /** Whether all or some combos of the player who acts have a given strategy. */
  locked: 'all' | 'some' | null
  /** Null if the file has the street. */
  solved_again: ReSolved | null
  actions: ActionDocument[]
  players: Both<PlayerNumbers>
}

export interface ComboRow {
  combo: string
  /** The made hand, such as `top-pair`. */
  made: string
  draws: string[]
  weight: number
  /** Of the range. */
  share: number
  equity: number | null
  ev: number | null
  eqr: number | null
  /** In the order of the node's actions; empty for the player who does not act. */
  frequencies: number[]
  action_evs: (number | null)[]
  ev_losses: (number | null)[]
}

export interface KindRow {
  kind: string
  name: string
  combos: number
  weighted_combos: number
  share: number
  equity: number | null
  ev: number | null
  eqr: number | null
  actions: { name: string; frequency: number; ev: number | null }[]
}

export interface CrumbStep {
  player: PlayerName
  action: string
  alternatives: ActionBase[]
}

export interface Crumb {
  street: Street
  board: string
  steps: CrumbStep[]
}

export interface NextCard {
  card: string
  /** The card that is the same by suit isomorphism, if it is another. */
  stands_for: string | null
}

export interface NodeAnswer {
  solution: LookedAt
  next: Next
  /** Whether equities (and EQR) are in the answer; before the river they take most of the time. */
  equities: boolean
  /** Null unless `next` is `decision`. */
  node: NodeDocument | null
  /** Those that get there. */
  combos: Both<ComboRow[]> | null
  /** Of the player who acts. */
  by_kind: KindRow[] | null
  ranges: Both<string> | null
  breadcrumb: Crumb[]
  /** If `next` is `card`: those that can come. */
  cards: NextCard[] | null
}

export interface Runout {
  card: string
  ev_pct_pot: Both<number | null>
  node: NodeDocument
}

export interface Runouts {
  solution: LookedAt
  path: string
  runouts: Runout[]
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

/** A batch and how far it is. */
export interface BatchSummary {
  id: string
  spots: string[]
  jobs: number
  done: number
  /** Here or in another process. */
  running: number
  failed: number
  /** Flops on which a spot cannot be played. */
  impossible: number
  save: BatchSave
  /** Whether the server can run it: it is in the library. */
  can_run: boolean
  /** Where it is in the server's queue; idle: nowhere. */
  state: 'idle' | 'queued' | 'running' | 'paused'
  /** The request that it has not carried out yet. */
  wish: 'pause' | 'stop' | 'delete' | null
  /** What is being solved now. */
  under_way: FlopProgress[]
  /** How long the server has worked on it since it was started. */
  elapsed_s: number
  eta_s: number | null
  /** Of the jobs that run at a time, at most. */
  memory_bytes: number
  /** Of all jobs that are not done, at most. */
  disk_bytes: number
  /** Why it ended early, or what to mind. */
  warning: string | null
  /** The first flops that failed, and why. */
  failures: FlopFailure[]
}

/** What is kept of every job: as of `equipoise solve --save`, or only a summary. */
export type BatchSave = 'full' | 'no-river' | 'no-turn' | 'resumable' | 'summary'

export interface FlopProgress {
  spot: string
  board: string
  /** The fraction of its tables that is set up. Null once iterations run. */
  setting_up: number | null
  iteration: number
  /** Of the last check, in percent of the starting pot. */
  exploitability_pct: number | null
}

export interface FlopFailure {
  board: string
  reason: string
}

export interface BatchRequest {
  /** Of its folder in the library. */
  name?: string
  /** A spot file; its board is left out. */
  toml: string
  /** Flops by their name; or */
  subset?: string
  /** flops one by one, with weights if wanted. */
  flops?: string[]
  save?: BatchSave
}

/** A flop of a batch. */
export interface BatchJob {
  id: string
  spot: string
  board: string
  state: 'done' | 'running' | 'begun' | 'failed' | 'waiting'
  save: BatchSave
  /** Of its solution; 0 if none is kept. */
  file_bytes: number
  /** Its spot file, if the plan can be read here. */
  toml: string | null
}

export interface Flop {
  board: string
  /** How many flops it stands for. */
  weight: number
  texture: string | null
  suits: string
  pairing: string
  high: string
  connectedness: string
}

export interface FlopList {
  flops: Flop[]
}

export interface Batches {
  batches: BatchSummary[]
}

export interface PlayerWorth {
  equity: number | null
  /** Chips from the decision on. */
  ev: number | null
  /** ev / (equity * pot) */
  eqr: number | null
}

/** Weighted averages over flops: by the flops that each stands for, and by how often play reaches the decision. */
export interface BatchMean {
  flops: number
  weight: number
  probability: number
  frequencies: number[]
  players: Both<PlayerWorth>
}

export interface BatchGroup extends BatchMean {
  name: string
}

/** Runouts that have something in common: by what the last card changes. */
export interface CardGroups {
  suit: BatchGroup[]
  pairing: BatchGroup[]
  straights: BatchGroup[]
  height: BatchGroup[]
  rank: BatchGroup[]
}

export interface FlopRow {
  /** Of the job. */
  id: string
  board: string
  /** How many flops it stands for. */
  weight: number
  /** How many boards were read: 1, or the runouts that differ in more than suits. */
  boards: number
  /** Of the solution that is kept; 0 if none is. */
  file_bytes: number
  /** The weight of all pairs of combos that it leaves possible. */
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

/** One spot of a batch over its flops. */
export interface SpotAggregate {
  spot: string
  street: Street
  /** In chips, if the spot says what a big blind is. */
  big_blind: number | null
  /** In chips, where the spot begins. */
  starting_pot: number
  /** Null if nobody acts. */
  player: PlayerName | null
  pot: number
  /** What EVs are counted in. */
  unit: 'chips' | 'prizes'
  actions: string[]
  /** Of each action that is a bet or raise its share of the pot, in percent. */
  pct_pot: (number | null)[]
  /** Flops of the plan; those that are done are in `flops`. */
  planned: number
  flops: FlopRow[]
  total: BatchMean
  total_by_deals: BatchMean
  /** By what the last * of the path changes. Null without one. */
  cards: CardGroups | null
  groups: { suits: BatchGroup[]; pairing: BatchGroup[]; high_card: BatchGroup[]; connectedness: BatchGroup[] }
}

/** How many jobs an engine solved. */
export interface EngineCount {
  /** Null for summaries of programs that did not name it. */
  engine: Engine | null
  jobs: number
}

export interface Engine {
  version: string
  /** What was compiled, if that is known. */
  commit: string | null
  /** The instructions that it computed with, such as `avx2`. */
  kernel: string
}

export interface Aggregate {
  schema_version: number
  path: string
  spots: SpotAggregate[]
  /** Who solved the jobs, and how many each; more than one where the engine changed on the way. */
  engines: EngineCount[]
}

export interface EquityRequest {
  /** Cards, a range, or `random`. */
  players: string[]
  board?: string
  dead?: string
  mode?: 'auto' | 'exact' | 'monte-carlo'
  /** The number of deals to sample, unless the mode is `exact`. */
  samples?: number | null
  seed?: number
  /** The timeout, 10 by default; at most `limits.request_s` of the status. Sampling that is cut short answers with its samples so far, and `interrupted` is true; `auto` samples what it cannot count in half of the time; `exact` answers 400. */
  seconds?: number | null
  /** What to list each player's equity by; `class` by default. */
  by?: 'class' | 'combo' | 'none'
}

export interface ClassShare {
  class: string
  probability: number
  equity: number
  win: number
  tie: number
}

export interface ComboShare {
  combo: string
  probability: number
  equity: number
  win: number
  tie: number
}

export interface EquityPlayer {
  input: string
  expansion: string
  combos: number
  equity: number
  win: number
  tie: number
  std_error: number
  by_class?: ClassShare[]
  by_combo?: ComboShare[]
}

/** The document of `equipoise equity --json`. */
export interface EquityAnswer {
  schema_version: number
  mode: 'exact' | 'monte-carlo'
  /** A string above 2^53. */
  deals: number | string
  std_error: number
  elapsed_s: number
  interrupted: boolean
  board: string
  dead: string
  seed: number | string
  players: EquityPlayer[]
}

export interface PushFoldRequest {
  /** Of the small and the big blind, before posting. The shorter one plays and must reach beyond the small blind and the ante. */
  stacks: number[]
  /** The small and the big blind, ½ and 1 by default; the big one is above 0 and the larger. */
  blinds?: number[]
  /** Of each player, 0 by default. */
  ante?: number
  /** Prizes from the first place on, to play for these instead of chips. */
  payouts?: number[]
  /** With prizes: chips of players of the tournament who are not in the hand. */
  others?: number[]
}

export interface PushFoldClass {
  jam: number
  call: number
  ev_jam_bb?: number
  /** Given a jam. */
  ev_call_bb?: number
  /** In prizes. */
  ev_jam?: number
  /** In prizes, given a jam. */
  ev_call?: number
}

export interface PushFoldSmallBlind {
  /** Part of all combos. */
  jam: number
  ev_bb?: number
  ev_fold_bb?: number
  /** Of the best response. */
  gain_bb?: number
  ev?: number
  ev_fold?: number
  gain?: number
}

export interface PushFoldBigBlind {
  /** Part of all combos. */
  call: number
  ev_bb?: number
  /** Given a jam. */
  ev_fold_bb?: number
  /** Of the best response. */
  gain_bb?: number
  ev?: number
  ev_fold?: number
  gain?: number
}

/** The document of `equipoise pushfold --json` for two players. */
export interface PushFoldAnswer {
  schema_version: number
  /** The shorter stack. Fields that end in _bb are there without prizes, the others with them. */
  stack_bb?: number
  stacks_bb?: number[]
  ante_bb?: number
  small_blind_bb?: number
  stacks?: number[]
  blinds?: number[]
  ante?: number
  payouts?: number[]
  sb: PushFoldSmallBlind
  bb: PushFoldBigBlind
  exploitability_bb?: number
  /** The larger gain of both players. */
  epsilon?: number
  iterations: number
  /** By name: AKs. */
  classes: Record<string, PushFoldClass>
}

/** The document of `equipoise preflop --json`; of a blueprint, without EVs. */
export interface PreflopChart {
  schema_version: number
  stack_bb: number
  /** The bet sizes. */
  menu: string
  /** On how many flops it was solved, or valued; 0: there are no EVs. */
  flops: number
  boards: number
  boards_per_s: number | null
  elapsed_s: number | null
  memory_bytes: number | null
  /** Thousandths of a big blind a hand, the mean of both seats' gains: on the flops solved; of a blueprint as it was measured in training, if it was. */
  exploitability_mbb: number | null
  by_seat: BySeat | null
  /** What the hand is worth to the button. */
  self_play_bb: number
  is_interrupted: boolean
  decisions: ChartDecision[]
  entries: FlopEntry[]
}

/** The gain of each seat's best response. */
export interface BySeat {
  sb: number
  bb: number
}

/** A decision before the flop. */
export interface ChartDecision {
  /** The actions that lead there: r2.5 is a raise to 2.5 bb. */
  line: string
  player: 'sb' | 'bb'
  actions: string[]
  /** With hands that reach the decision. */
  frequencies: number[]
  /** By name: AKs. */
  classes: Record<string, ChartClass>
}

/** A hand class at a decision. */
export interface ChartClass {
  /** How often the player's own actions lead there. */
  reach: number
  /** In the order of the actions. */
  frequencies: number[]
  /** From the start of the hand, blinds included; empty if no flop was played. */
  evs_bb: number[]
  std_errors_bb: number[] | null
}

/** A line that reaches the flop with betting to come. */
export interface FlopEntry {
  line: string
  pot_bb: number
  /** What each player has left. */
  behind_bb: number
  ranges: SeatRanges
}

/** Ranges as text. */
export interface SeatRanges {
  sb: string
  bb: string
}

export interface IcmRequest {
  /** The chips of each player. */
  stacks: number[]
  /** Prizes from the first place on. */
  payouts: number[]
}

/** The document of `equipoise icm --json`. */
export interface IcmAnswer {
  schema_version: number
  stacks: number[]
  payouts: number[]
  /** The expected prize of each player, in the order given. */
  equities: number[]
  /** Of each player against each; null against oneself, without chips, and where winning gains nothing. */
  bubble_factors: ((number | null)[])[]
  risk_premiums: ((number | null)[])[]
}

/** A mean with its interval. */
export interface Mean {
  mean: number
  /** The 95 % interval; of one observation or none it is the mean. */
  ci95: number[]
}

/** A blueprint that can be played against. */
export interface BlueprintSummary {
  /** Its name. */
  id: string
  /** The stacks that it was trained for. */
  stack_bb: number
  /** Its bet sizes. */
  menu: string
  /** How many boards it was trained on. */
  boards: number
  /** As measured in training, in thousandths of a big blind a hand. */
  exploitability_mbb: number | null
  bytes: number
  /** What is missing before it can play. */
  missing: string | null
}

export interface Blueprints {
  blueprints: BlueprintSummary[]
  damaged: { id: string; message: string }[]
}

export interface TableRequest {
  /** The id of a blueprint. */
  blueprint: string
  /** For a decision of the bot, and for a review. */
  seconds?: number
  /** Iterations of a re-solve, instead of seconds: the same choices on every machine. */
  iterations?: number
  /** The first street that is re-solved; `turn` if it is left out. */
  search?: 'none' | 'river' | 'turn' | 'flop'
  /** Whether decisions are reviewed at once, rather than after the hand. */
  coach?: boolean
  /** The stacks of every hand; those of the blueprint if it is left out. */
  stack_bb?: number
  /** Whether the stacks may be others than those of the blueprint. */
  other_stack?: boolean
  /** What determines the cards and the bot's choices; drawn at random if it is left out. Whoever knows it knows the bot's cards. */
  seed?: number
}

export interface TableChange {
  /** For a decision of the bot, and for a review. */
  seconds?: number
  /** Whether decisions are reviewed at once. */
  coach?: boolean
}

export interface ActRequest {
  action: 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'allin'
  /** Of a bet or raise: the total of the street in big blinds. */
  to_bb?: number
  /** How many actions the hand had when the person decided: what is sent twice is done once. */
  at?: number
}

/** A person at a table with a bot. Of the bot's cards it has those of a showdown only. */
export interface Sitting {
  /** What the other requests take. */
  id: string
  blueprint: string
  /** What every hand begins with. */
  stack_bb: number
  /** What the blueprint was trained for, if that is another stack. */
  trained_bb: number | null
  /** The first street that the bot re-solves. */
  search: 'none' | 'river' | 'turn' | 'flop'
  /** For a decision of the bot, and for a review. */
  seconds: number
  coach: boolean
  hand: TableHand | null
  score: TableScore
  /** The decisions that cost most, the dearest first, at most five. */
  worst: ReviewedDecision[]
}

/** The hand that is played, or the last one. */
export interface TableHand {
  /** From 1. */
  number: number
  /** The person's seat. */
  player: 'sb' | 'bb'
  /** The person's. */
  cards: string
  /** As far as it came. */
  board: string
  street: 'preflop' | 'flop' | 'turn' | 'river'
  /** Bets on the table included. */
  pot_bb: number
  you: TableSeat
  bot: TableSeat
  actions: TableAction[]
  /** Who acts; null if the hand is over. */
  turn: 'you' | 'bot' | null
  legal: LegalActions | null
  result: TableResult | null
  /** The person's; none of a hand that is played without a coach. */
  decisions: MadeDecision[]
}

export interface TableSeat {
  /** What is left. */
  stack_bb: number
  /** What was bet on this street. */
  bet_bb: number
}

export interface TableAction {
  /** How many came before it. */
  at: number
  street: 'preflop' | 'flop' | 'turn' | 'river'
  by: 'you' | 'bot'
  kind: 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'allin'
  /** The total of the street. */
  to_bb: number | null
  /** In words. */
  text: string
}

/** What the person may do. */
export interface LegalActions {
  /** What a call costs; null where a check is legal and nothing can be folded to. */
  call_bb: number | null
  sizes: LegalSizes | null
}

/** Totals of the street. */
export interface LegalSizes {
  kind: 'bet' | 'raise'
  min_bb: number
  /** All-in. */
  max_bb: number
  /** A chip. */
  step_bb: number
  presets: { name: string; to_bb: number }[]
}

export interface TableResult {
  /** By the person. */
  won_bb: number
  /** If there was a showdown. */
  bot_cards: string | null
}

/** A decision of the person. */
export interface MadeDecision {
  /** How many actions of the hand came before it. */
  at: number
  /** Whether it waits for its review, and whether the blueprint knows it. */
  state: 'waiting' | 'reviewed' | 'unknown'
  review: ReviewedDecision | null
}

/** A decision, and what it gave away. */
export interface ReviewedDecision {
  /** From 1. */
  hand: number
  /** How many actions of the hand came before it. */
  at: number
  street: 'preflop' | 'flop' | 'turn' | 'river'
  /** The street, the kind of pot, the position and what was answered. */
  situation: string
  player: 'sb' | 'bb'
  combo: string
  board: string
  pot_bb: number
  /** What was done. */
  action: string
  /** What it was taken for, if the strategy does not have it. */
  taken_as: string | null
  actions: { action: string; frequency: number; ev_bb: number }[]
  /** How often the strategy does what was done. */
  frequency: number
  /** The action that is worth most. */
  best: string
  /** What was done was worth this much less. */
  ev_loss_bb: number
  /** Of the loss; 0 if the street was re-solved. */
  std_error_bb: number
  source: 'resolved' | 'blueprint'
  /** How far the re-solved street is from being solved, in percent of the pot. */
  exploitability_pct: number | null
  /** Of the re-solve. */
  iterations: number | null
}

/** What a sitting comes to so far; the second mean is without the luck that is known (AIVAT). */
export interface TableScore {
  /** That are over. */
  hands: number
  won_bb: number
  bb_per_100: Mean
  aivat_bb_per_100: Mean
  /** That were reviewed, of hands that are over. */
  decisions: number
  /** What they gave away. */
  ev_loss_bb: number
  /** For a hundred hands. */
  ev_loss_bb_per_100: number
  /** Decisions that wait for a review. */
  waiting: number
}

export interface LossGroup {
  name: string
  decisions: number
  ev_loss_bb: number
  ev_loss_bb_per_decision: number
  /** Actions that the strategy takes less than once in a hundred. */
  rare_actions: number
}

/** The document of `equipoise play --json`. */
export interface SittingReport {
  schema_version: number
  blueprint: string
  stack_bb: number
  trained_bb: number | null
  search: 'none' | 'river' | 'turn' | 'flop'
  score: TableScore
  by_street: LossGroup[]
  by_situation: LossGroup[]
  hands: { number: number; player: 'sb' | 'bb'; cards: string; board: string; bot_cards: string | null; won_bb: number; ev_loss_bb: number }[]
  decisions: ReviewedDecision[]
}

/** Where a decision can be studied. */
export interface Study {
  street: 'preflop' | 'flop' | 'turn' | 'river'
  /** Before the flop: the line in the blueprint's chart. */
  line: string | null
  /** After the flop: a spot file of the street, with the ranges that the blueprint brings there. */
  toml: string | null
  /** After the flop: from the beginning of the street to the decision. */
  path: string | null
}
