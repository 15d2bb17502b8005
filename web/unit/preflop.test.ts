import { describe, expect, test } from 'vitest'
import { CLASSES } from '../src/lib/cards'
import { about, actionsLike, after, at, readChart, spotOf, way, wordOf } from '../src/lib/preflop'
import { firstSpot } from '../src/lib/spot'
import type { ChartDecision, PreflopChart } from '../src/lib/types'

function decision(line: string, player: 'sb' | 'bb', actions: string[], evs = true): ChartDecision {
  const even = actions.map(() => 1 / actions.length)
  const row = { reach: 1, frequencies: even, evs_bb: evs ? even : [], std_errors_bb: null }
  return { line, player, actions, frequencies: even, classes: Object.fromEntries(CLASSES.map((name) => [name, row])) }
}

const CHART: PreflopChart = {
  schema_version: 1, stack_bb: 20, menu: 'A', flops: 25, boards: 480000, boards_per_s: 700, elapsed_s: 600, memory_bytes: 1,
  exploitability_mbb: 29.6, by_seat: { sb: 1, bb: 2 }, self_play_bb: 0, is_interrupted: false,
  decisions: [decision('', 'sb', ['f', 'c', 'r2.5', 'a']), decision('r2.5', 'bb', ['f', 'c', 'a'])],
  entries: [{ line: 'r2.5 c', pot_bb: 5, behind_bb: 17.5, ranges: { sb: 'AA', bb: 'KK:0.25' } }],
}

describe('charts before the flop', () => {
  test('are read, with or without EVs', () => {
    expect(readChart(JSON.stringify(CHART))).toEqual(CHART)
    const without = { ...CHART, decisions: [decision('', 'sb', ['f', 'a'], false)] }
    expect(readChart(JSON.stringify(without)).decisions[0]?.classes['AA']?.evs_bb).toEqual([])
  })

  test('what is no chart says so', () => {
    const first = CHART.decisions[0] as ChartDecision
    const { AA, ...others } = first.classes
    const bad = [
      'no chart', '[]', 'null', '{}', '{"decisions": []}',
      JSON.stringify({ ...CHART, decisions: [{ ...first, classes: others }] }),
      JSON.stringify({ ...CHART, decisions: [{ ...first, classes: { ...others, AA: { ...AA, frequencies: [1] } } }] }),
      JSON.stringify({ ...CHART, decisions: [{ ...first, player: 'co' }] }),
    ]
    for (const text of bad) expect(() => readChart(text), text.slice(0, 60)).toThrow(/no chart/)
    for (const entries of [undefined, [{ line: 'c x' }]]) expect(() => readChart(JSON.stringify({ ...CHART, entries }))).toThrow(/reaches the flop/)
  })

  test('are walked by lines', () => {
    expect(way('r2.5 c')).toEqual(['', 'r2.5', 'r2.5 c'])
    expect(after('', 'c')).toBe('c')
    expect(at(CHART, after('r2.5', 'c')).entry?.pot_bb).toBe(5)
    expect(at(CHART, 'r2.5').decision?.player).toBe('bb')
    expect(at(CHART, 'f')).toEqual({ decision: undefined, entry: undefined })
    expect([wordOf('c', ''), wordOf('c', 'r2.5'), wordOf('r2.5', ''), wordOf('a', '')]).toEqual(['Limp', 'Call', 'Raise to 2.5', 'All-in'])
    expect(actionsLike(['f', 'x', 'r5', 'a']).map((action) => action.kind)).toEqual(['fold', 'check', 'raise', 'allin'])
  })

  test('say how good they are', () => {
    expect(about(CHART)).toBe('20 bb, bet sizes A, 25 flops, 480,000 boards; exploitability 30 mbb/hand on the flops solved')
    expect(about({ ...CHART, by_seat: null, flops: 0, exploitability_mbb: null })).toContain('without EVs, 480,000 boards; exploitability not measured')
    expect(about({ ...CHART, by_seat: null, flops: 16 })).toContain('a blueprint with EVs of 16 flops, 480,000 boards; exploitability 30 mbb/hand as measured in training')
  })

  test('open as spots with their ranges, pot and stack', () => {
    const entry = CHART.entries[0]
    if (!entry) throw new Error('it is there')
    const spot = spotOf(entry, firstSpot())
    expect(spot.ranges).toEqual({ oop: 'KK:0.25', ip: 'AA' })
    expect([spot.tree.big_blind, spot.tree.starting_pot, spot.tree.effective_stack]).toEqual([100, 500, 1750])
    expect(spot.cards).toEqual(firstSpot().cards)
  })
})
