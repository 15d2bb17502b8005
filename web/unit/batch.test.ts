import { describe, expect, it } from 'vitest'
import { actionsOf, cellText, columnsOf, mixText, nextPaths, parentOf, rowsOf, sorted, waysOf } from '../src/lib/batch'
import { ANY, choiceOf, ofTextures, typedFlops } from '../src/lib/flops'
import type { Flop, SpotAggregate } from '../src/lib/types'
import type { UnitScale } from '../src/lib/units'

const worth = (ev: number | null) => ({ equity: 0.5, ev, eqr: ev === null ? null : ev / 50 })
const flop = (board: string, ev: number | null, check: number) => ({
  id: '0', board, weight: 12, boards: 1, file_bytes: 9, deals: 1, probability: 1, suits: 'rainbow', pairing: 'unpaired', high: board.charAt(0), connectedness: 'connected',
  frequencies: [check, 1 - check], players: { oop: worth(ev), ip: worth(10) }, exploitability_pct: 1,
})
const mean = { flops: 3, weight: 36, probability: 1, frequencies: [0.5, 0.5], players: { oop: worth(20), ip: worth(10) } }
const spot: SpotAggregate = {
  spot: 'spot', street: 'flop', big_blind: null, starting_pot: 100, player: 'oop', pot: 100, unit: 'chips', actions: ['check', 'bet:50'], pct_pot: [null, 50], planned: 3,
  flops: [flop('As7d2c', 10, 0.25), flop('Td9d6h', 30, 0.75), flop('KhKd4s', null, 0.5)],
  total: mean, total_by_deals: mean, cards: null,
  groups: { suits: [{ ...mean, name: 'rainbow' }], pairing: [], high_card: [{ ...mean, name: 'A' }], connectedness: [] },
}

const chips: UnitScale = { unit: 'chips', bigBlind: 10, pot: 100 }

describe('tables of a batch', () => {
  it('sorts by any column, with rows that have no value last', () => {
    const columns = columnsOf(spot, chips)
    const order = (key: string, falling: boolean) =>
      sorted(rowsOf(spot, 'flop'), columns.find((column) => column.key === key), falling).map((row) => row.name)
    expect(order('group', false)).toEqual(['As7d2c', 'Td9d6h', 'KhKd4s'])
    expect(order('oop_ev', true)).toEqual(['Td9d6h', 'As7d2c', 'KhKd4s'])
    expect(order('oop_ev', false)).toEqual(['As7d2c', 'Td9d6h', 'KhKd4s'])
    expect(order('check', true)).toEqual(['Td9d6h', 'KhKd4s', 'As7d2c'])
  })
  it('writes cells with their units', () => {
    const columns = columnsOf(spot, chips)
    const texts = rowsOf(spot, 'flop').map((row) => columns.map((column) => cellText(row, column, chips)))
    expect(texts[0]).toEqual(['As7d2c', '12', '50.0 %', '10.00', '20.0 %', '10.00', '20.0 %', '25.0 %', '75.0 %'])
    expect(texts[2]?.[3]).toBe('–')
    expect(rowsOf(spot, 'high_card')[0]?.name).toBe('A high')
  })
  it('says all-in without an amount', () => {
    const jam: SpotAggregate = { ...spot, actions: ['check', 'allin'], pct_pot: [null, null] }
    expect(columnsOf(jam, chips).map((column) => column.text).slice(-2)).toEqual(['Check', 'All-in'])
  })
  it('shows amounts in big blinds', () => {
    const bb: UnitScale = { ...chips, unit: 'bb' }
    const [row] = rowsOf(spot, 'flop')
    const columns = columnsOf(spot, bb)
    expect(columns.map((column) => column.text)).toContain('Bet 50 % (5 bb)')
    expect(row && columns.filter((column) => column.key === 'oop_ev').map((column) => cellText(row, column, bb))).toEqual(['1.00 bb'])
  })
  it('leads to the decisions of the street, and to every card after it', () => {
    const paths = (of: SpotAggregate, path: string) => nextPaths(of, path).map((next) => next.path)
    expect(paths(spot, '')).toEqual(['check', 'bet:50'])
    expect(nextPaths(spot, 'check')).toEqual([{ path: 'check check | * |', action: 'check', street: 'turn' }, { path: 'check bet:50', action: 'bet:50', street: null }])
    const facing = { ...spot, actions: ['fold', 'call', 'raise:150'] }
    expect(paths(facing, 'bet:50')).toEqual(['bet:50 call | * |', 'bet:50 raise:150'])
    expect(paths({ ...facing, street: 'turn' }, 'check check | * | bet:50')).toEqual(['check check | * | bet:50 call | * |', 'check check | * | bet:50 raise:150'])
    expect(paths({ ...spot, street: 'turn' }, 'check check | * |')).toEqual(['check check | * | check', 'check check | * | bet:50'])
    expect(paths({ ...facing, street: 'river' }, 'bet:50')).toEqual(['bet:50 raise:150'])
    expect(paths({ ...spot, actions: ['fold', 'call'] }, 'allin:100')).toEqual([])
  })
  it('goes back a decision', () => {
    expect(parentOf('check bet:50')).toBe('check')
    expect(parentOf('check')).toBe('')
    expect(parentOf('check check | * |')).toBe('check')
    expect(parentOf('check check | * | bet:50')).toBe('check check | * |')
  })
  it('groups runouts by their last card', () => {
    const card = { suit: [{ ...mean, name: 'flush card' }], pairing: [], straights: [], height: [], rank: [{ ...mean, name: 'A' }] }
    const turn = { ...spot, street: 'turn' as const, cards: card }
    expect(waysOf(spot)).toHaveLength(5)
    expect(waysOf(turn)).toHaveLength(10)
    expect(rowsOf(turn, 'card_suit').map((row) => row.name)).toEqual(['flush card'])
    expect(rowsOf(turn, 'card_rank').map((row) => row.name)).toEqual(['A'])
    expect(rowsOf(spot, 'card_rank')).toEqual([])
  })
  it('knows what bets are of the pot', () => {
    expect(actionsOf(spot)).toEqual([
      { name: 'check', kind: 'check', chips: 0, pct_pot: null },
      { name: 'bet:50', kind: 'bet', chips: 50, pct_pot: 50 },
    ])
    const later: SpotAggregate = { ...spot, actions: ['fold', 'call', 'raise:450', 'allin:900'], pct_pot: [null, null, 75, 300] }
    expect(actionsOf(later).map((action) => action.kind)).toEqual(['fold', 'call', 'raise', 'allin'])
    expect(actionsOf(later).map((action) => action.pct_pot)).toEqual([null, null, 75, null])
  })
  it('says what a row plays', () => {
    const [row] = rowsOf(spot, 'flop')
    expect(row && mixText(row, actionsOf(spot), chips)).toBe('Check 25.0 %, Bet 50 % (50) 75.0 %')
  })
})

describe('flops of a batch', () => {
  const flop = (board: string, suits: string, high: string): Flop => ({ board, weight: 12, texture: null, suits, pairing: 'unpaired', high, connectedness: 'connected' })
  const flops = [flop('As7d2c', 'rainbow', 'A'), flop('Td9d6h', 'two-tone', 'T'), flop('Ah8h3c', 'two-tone', 'A')]
  it('are chosen by texture', () => {
    expect(ofTextures(flops, { ...ANY, suits: 'two-tone' }).map((one) => one.board)).toEqual(['Td9d6h', 'Ah8h3c'])
    expect(ofTextures(flops, { ...ANY, suits: 'two-tone', high: 'A' }).map((one) => one.board)).toEqual(['Ah8h3c'])
    expect(choiceOf('49', flops, ANY)).toEqual({ subset: '49' })
    expect(choiceOf('49', flops, { ...ANY, high: 'T' })).toEqual({ flops: ['Td9d6h:12'] })
  })
  it('are typed in any way', () => {
    expect(typedFlops(' As7d2c,Td9d6h:3.5\n8s5s3s ; ')).toEqual(['As7d2c', 'Td9d6h:3.5', '8s5s3s'])
  })
})
