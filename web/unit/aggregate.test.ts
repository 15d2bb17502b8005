import { describe, expect, it } from 'vitest'
import { equityCurve, gridCells, sortRows } from '../src/lib/aggregate'
import { CLASSES } from '../src/lib/cards'
import { describeKind, isOfKinds, kindsOf } from '../src/lib/kinds'
import type { ComboRow } from '../src/lib/types'

const row = (combo: string, change: Partial<ComboRow> = {}): ComboRow => ({
  combo, weight: 1, share: 0.25, equity: 0.5, ev: 10, eqr: 1, made: 'nothing', draws: [],
  frequencies: [1, 0], action_evs: [10, 5], ev_losses: [0, 5], ...change,
})

describe('what is drawn', () => {
  it('puts combos into cells by the share in which they are held', () => {
    const rows = [row('AhKh', { share: 0.3 }), row('AsKs', { share: 0.1, frequencies: [0, 1], weight: 0.5 }), row('2c2d', { weight: 0 })]
    const cell = gridCells(rows, 'AdQc3h', 2)[CLASSES.indexOf('AKs')]
    // Three of four suits are left, one of them with half of its weight and one not held.
    expect(cell?.weight).toBeCloseTo(0.5)
    expect(cell?.shares).toEqual([expect.closeTo(0.75), expect.closeTo(0.25)])
    expect(cell?.held).toBeCloseTo(0.4)
    expect(gridCells(rows, '', 2)[CLASSES.indexOf('22')]?.rows).toEqual([])
  })

  it('sorts by any column, what has no value last', () => {
    const rows = [row('AhKh', { ev: null }), row('AsKs', { ev: 5, frequencies: [0.2, 0.8] }), row('QsQh', { ev: 9 })]
    const names = (sorted: ComboRow[]): string[] => sorted.map((one) => one.combo)
    expect(names(sortRows(rows, { column: 'ev' }, true))).toEqual(['QsQh', 'AsKs', 'AhKh'])
    expect(names(sortRows(rows, { column: 'ev' }, false))).toEqual(['AsKs', 'QsQh', 'AhKh'])
    expect(names(sortRows(rows, { column: 'frequency', action: 1 }, true))[0]).toBe('AsKs')
    expect(names(sortRows(rows, { column: 'combo' }, false))[0]).toBe('AsKs')
  })

  it('draws equities from the strongest down', () => {
    const rows = [row('AhKh', { equity: 0.2, share: 0.75 }), row('AsKs', { equity: 0.9, share: 0.25 })]
    expect(equityCurve(rows, 4)).toEqual([0.9, 0.9, 0.2, 0.2, 0.2])
  })
})

describe('kinds', () => {
  const rows = [
    row('AhKh', { made: 'ace_high', draws: ['flush_draw', 'overcards', 'backdoor_straight_draw'], share: 0.5, frequencies: [0, 1] }),
    row('QsQh', { made: 'overpair', share: 0.5 }),
  ]

  it('are one made hand each, and any number of draws', () => {
    const kinds = kindsOf(rows, 2)
    expect(kinds.map((kind) => kind.key)).toEqual(['overpair', 'ace_high', 'flush_draw', 'overcards', 'backdoor_straight_draw'])
    expect(kinds.find((kind) => kind.key === 'flush_draw')?.frequencies).toEqual([0, 1])
    expect(kinds.filter((kind) => !kind.isDraw).reduce((sum, kind) => sum + kind.share, 0)).toBe(1)
  })

  it('filter', () => {
    expect(rows.filter((one) => isOfKinds(one, new Set(['flush_draw']))).map((one) => one.combo)).toEqual(['AhKh'])
    expect(rows.filter((one) => isOfKinds(one, new Set()))).toHaveLength(2)
    expect(describeKind(rows[0] as ComboRow)).toBe('ace high, flush draw')
  })
})
