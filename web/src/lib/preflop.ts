/** Charts of the betting before the flop: what is read from files, walked by lines, and opened as spots. */

import { CLASSES } from './cards'
import type { ActionLike } from './colours'
import type { SpotDocument } from './spot'
import type { ChartDecision, FlopEntry, PreflopChart } from './types'
import { fixed } from './units'

/** A chart with the name of its file. */
export interface OpenChart {
  name: string
  chart: PreflopChart
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isList = (value: unknown, count?: number): value is number[] => Array.isArray(value) && value.every(isNumber) && (count === undefined || value.length === count)

function isDecision(value: unknown): value is ChartDecision {
  const { line, player, actions, frequencies, classes } = (value ?? {}) as Partial<ChartDecision>
  if (typeof line !== 'string' || (player !== 'sb' && player !== 'bb') || !Array.isArray(actions) || actions.length === 0) return false
  if (!actions.every((action) => typeof action === 'string') || !isList(frequencies, actions.length) || typeof classes !== 'object') return false
  return CLASSES.every((name) => {
    const row = classes[name]
    return row !== undefined && isNumber(row.reach) && isList(row.frequencies, actions.length) && (isList(row.evs_bb, actions.length) || isList(row.evs_bb, 0))
  })
}

function isEntry(value: unknown): value is FlopEntry {
  const { line, pot_bb, behind_bb, ranges } = (value ?? {}) as Partial<FlopEntry>
  return typeof line === 'string' && isNumber(pot_bb) && isNumber(behind_bb) && typeof ranges?.sb === 'string' && typeof ranges.bb === 'string'
}

/** A chart as `equipoise preflop` writes it; throws if the text is none. */
export function readChart(text: string): PreflopChart {
  const make = 'make one with `equipoise preflop -o chart.json`'
  let chart: Partial<PreflopChart>
  try {
    chart = JSON.parse(text) as Partial<PreflopChart>
  } catch {
    throw new Error(`the file is no chart: ${make}`)
  }
  const { decisions, entries } = chart ?? {}
  if (!Array.isArray(decisions) || decisions.length === 0 || !decisions.every(isDecision)) throw new Error(`the file is no chart of the betting before the flop: ${make}`)
  if (!Array.isArray(entries) || !entries.every(isEntry) || !isNumber(chart.stack_bb)) throw new Error(`the chart does not say what reaches the flop: ${make}`)
  return chart as PreflopChart
}

/** What comes after a line: a decision, a flop, or neither: somebody folded or is all-in. */
export interface Spot {
  decision: ChartDecision | undefined
  entry: FlopEntry | undefined
}

export const after = (line: string, action: string): string => (line === '' ? action : `${line} ${action}`)

export function at(chart: PreflopChart, line: string): Spot {
  return { decision: chart.decisions.find((one) => one.line === line), entry: chart.entries.find((one) => one.line === line) }
}

/** The lines on the way, the first decision first. */
export function way(line: string): string[] {
  const words = line.split(' ').filter((word) => word !== '')
  return words.reduce<string[]>((lines, word) => [...lines, after(lines.at(-1) ?? '', word)], [''])
}

const WORDS: Record<string, [string, string]> = { f: ['Fold', 'fold'], x: ['Check', 'check'], c: ['Call', 'call'], a: ['All-in', 'allin'] }

/** An action in words. */
export function wordOf(action: string, line: string): string {
  if (action === 'c' && line === '') return 'Limp'
  return WORDS[action]?.[0] ?? `Raise to ${action.slice(1)}`
}

/** An action as colours need it: raises are darker the larger they are. */
export function actionsLike(actions: readonly string[]): ActionLike[] {
  return actions.map((name) => {
    const size = Number(name.slice(1))
    return { name, kind: WORDS[name]?.[1] ?? 'raise', chips: 0, pct_pot: WORDS[name] ? null : 25 * Math.max(1, Number.isFinite(size) ? size / 2 : 1) }
  })
}

/** What a chart says of itself. */
export function about(chart: PreflopChart): string {
  // A blueprint plays all flops; some were drawn for its EVs.
  const solved = chart.by_seat != null
  const found = isNumber(chart.exploitability_mbb) ? `exploitability ${fixed(chart.exploitability_mbb, 0)} mbb/hand ${solved ? 'on the flops solved' : 'as measured in training'}` : 'exploitability not measured'
  const flops = `${chart.flops} flop${chart.flops === 1 ? '' : 's'}`
  const what = solved ? flops : chart.flops > 0 ? `a blueprint with EVs of ${flops}` : 'a blueprint, without EVs'
  return `${chart.stack_bb} bb, bet sizes ${chart.menu}, ${what}, ${chart.boards.toLocaleString('en-US')} boards; ${found}`
}

/** The spot of a line that reaches the flop, on the board of another: the big blind acts first there. */
export function spotOf(entry: FlopEntry, like: SpotDocument): SpotDocument {
  return {
    ...like,
    ranges: { oop: entry.ranges.bb, ip: entry.ranges.sb },
    tree: { ...like.tree, big_blind: 100, starting_pot: Math.round(100 * entry.pot_bb), effective_stack: Math.round(100 * entry.behind_bb) },
  }
}
