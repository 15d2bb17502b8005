import { describe, expect, it } from 'vitest'
import { filterTest, isFiltering, noFilter } from '../src/lib/filter'
import type { ComboRow } from '../src/lib/types'

const row = (combo: string, made = 'nothing', draws: string[] = []): ComboRow => ({
  combo, weight: 1, share: 1, equity: null, ev: null, eqr: null, made, draws, frequencies: [], action_evs: [], ev_losses: [],
})
const rows = [row('AhKh', 'ace_high', ['flush_draw']), row('AhKd', 'ace_high'), row('9s9c', 'set'), row('KhQh', 'top_pair_top_kicker'), row('7s2d')]
const left = (text: string, suits: string[] = []): string[] => rows.filter(filterTest({ text, suits: new Set(suits) })).map((one) => one.combo)

describe('a filter of hands', () => {
  it('takes classes, combos, cards and ranks', () => {
    expect(left('AK')).toEqual(['AhKh', 'AhKd'])
    expect(left('AKs')).toEqual(['AhKh'])
    expect(left('ka')).toEqual(['AhKh', 'AhKd'])
    expect(left('KdAh')).toEqual(['AhKd'])
    expect(left('Kh')).toEqual(['AhKh', 'KhQh'])
    expect(left('9')).toEqual(['9s9c'])
    expect(left('99, 72o')).toEqual(['9s9c', '7s2d'])
  })

  it('takes words and categories, a blank being and, a comma or', () => {
    expect(left('suited')).toEqual(['AhKh', 'KhQh'])
    expect(left('pairs, offsuit')).toEqual(['AhKd', '9s9c', '7s2d'])
    expect(left('set')).toEqual(['9s9c'])
    expect(left('flush draw')).toEqual(['AhKh'])
    expect(left('AK flush draw')).toEqual(['AhKh'])
    expect(left('QQ flush draw')).toEqual([])
    expect(left('top pair')).toEqual(['KhQh'])
    expect(left('hearts suited')).toEqual(['AhKh', 'KhQh'])
  })

  it('takes suits, all of them', () => {
    expect(left('', ['h'])).toEqual(['AhKh', 'AhKd', 'KhQh'])
    expect(left('', ['h', 'd'])).toEqual(['AhKd'])
    expect(left('AK', ['d'])).toEqual(['AhKd'])
    expect(left('')).toHaveLength(5)
    expect(isFiltering(noFilter())).toBe(false)
  })
})
