import { describe, expect, it } from 'vitest'
import { actionsOf, cellText, columnsOf, mixText, nextPaths, rowsOf, sorted } from '../src/lib/batch'
import type { SpotAggregate } from '../src/lib/types'

const worth = (ev: number | null) => ({ equity: 0.5, ev, eqr: ev === null ? null : ev / 50 })
const flop = (board: string, ev: number | null, check: number) => ({
  id: '0', board, weight: 12, deals: 1, probability: 1, suits: 'rainbow', pairing: 'unpaired', high: board.charAt(0), connectedness: 'connected',
  frequencies: [check, 1 - check], players: { oop: worth(ev), ip: worth(10) }, exploitability_pct: 1,
})
const mean = { flops: 3, weight: 36, probability: 1, frequencies: [0.5, 0.5], players: { oop: worth(20), ip: worth(10) } }
const spot: SpotAggregate = {
  spot: 'spot', player: 'oop', pot: 100, unit: 'chips', actions: ['check', 'bet:50'], planned: 3,
  flops: [flop('As7d2c', 10, 0.25), flop('Td9d6h', 30, 0.75), flop('KhKd4s', null, 0.5)],
  total: mean, total_by_deals: mean,
  groups: { suits: [{ ...mean, name: 'rainbow' }], pairing: [], high_card: [{ ...mean, name: 'A' }], connectedness: [] },
}

describe('tables of a batch', () => {
  it('sorts by any column, with rows that have no value last', () => {
    const columns = columnsOf(spot)
    const order = (key: string, falling: boolean) =>
      sorted(rowsOf(spot, 'flop'), columns.find((column) => column.key === key), falling).map((row) => row.name)
    expect(order('group', false)).toEqual(['As7d2c', 'Td9d6h', 'KhKd4s'])
    expect(order('oop_ev', true)).toEqual(['Td9d6h', 'As7d2c', 'KhKd4s'])
    expect(order('oop_ev', false)).toEqual(['As7d2c', 'Td9d6h', 'KhKd4s'])
    expect(order('check', true)).toEqual(['Td9d6h', 'KhKd4s', 'As7d2c'])
  })
  it('writes cells with their units', () => {
    const columns = columnsOf(spot)
    const texts = rowsOf(spot, 'flop').map((row) => columns.map((column) => cellText(row, column)))
    expect(texts[0]).toEqual(['As7d2c', '12', '50.0 %', '10.00', '20.0 %', '10.00', '20.0 %', '25.0 %', '75.0 %'])
    expect(texts[2]?.[3]).toBe('–')
    expect(rowsOf(spot, 'high_card')[0]?.name).toBe('A high')
  })
  it('leads to the decisions of the street', () => {
    expect(nextPaths(spot, '')).toEqual(['check', 'bet:50'])
    expect(nextPaths(spot, 'check')).toEqual(['check bet:50'])
    expect(nextPaths({ ...spot, actions: ['fold', 'call', 'raise:150'] }, 'bet:50')).toEqual(['bet:50 raise:150'])
  })
  it('knows what bets and raises are of the pot', () => {
    expect(actionsOf(spot, '')).toEqual([
      { name: 'check', kind: 'check', chips: 0, pct_pot: null },
      { name: 'bet:50', kind: 'bet', chips: 50, pct_pot: 50 },
    ])
    // OOP has bet 50 into 100 and IP raised to 150: a raise to 450 adds 300 to a call that makes the pot 400.
    const later: SpotAggregate = { ...spot, pot: 300, actions: ['fold', 'call', 'raise:450', 'allin:900'] }
    expect(actionsOf(later, 'bet:50 raise:150').map((action) => action.pct_pot)).toEqual([null, null, 75, null])
    expect(actionsOf(later, 'check').map((action) => action.kind)).toEqual(['fold', 'call', 'raise', 'allin'])
  })
  it('says what a row plays', () => {
    const [row] = rowsOf(spot, 'flop')
    expect(row && mixText(row, actionsOf(spot, ''))).toBe('check 25.0 %, bet:50 75.0 %')
  })
})
