import { describe, expect, it } from 'vitest'
import { dealHands, nextMistake, pick, randomOf, worstFirst } from '../src/lib/hand'
import type { ComboRow } from '../src/lib/types'

const row = (combo: string, weight: number, share: number): ComboRow => ({
  combo, weight, share, equity: null, ev: null, eqr: null, made: 'nothing', draws: [], frequencies: [], action_evs: [], ev_losses: [],
})

describe('a hand', () => {
  it('is what its seed says, and evenly spread', () => {
    const numbers = Array.from({ length: 4000 }, randomOf(7))
    expect(numbers.slice(0, 3)).toEqual(Array.from({ length: 3 }, randomOf(7)))
    expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true)
    // The mean of 4,000 is 0.5 within four standard errors.
    expect(Math.abs(numbers.reduce((sum, x) => sum + x, 0) / 4000 - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 4000))
    expect(pick([0, 0], randomOf(1))).toBe(-1)
    const random = randomOf(3)
    const counts = [0, 0, 0]
    for (let i = 0; i < 4000; i++) counts[pick([1, 0, 3], random)]! += 1
    expect(counts[1]).toBe(0)
    expect(Math.abs((counts[2] ?? 0) / 4000 - 0.75)).toBeLessThan(4 * Math.sqrt(0.1875 / 4000))
  })

  it('deals hands as often as both are held, never the same card twice', () => {
    const rows = { oop: [row('AhKh', 1, 0.25), row('QcQd', 1, 0.75)], ip: [row('AhAd', 1, 0.5), row('7c7d', 1, 0.5)] }
    const random = randomOf(11)
    let queens = 0
    for (let i = 0; i < 2000; i++) {
      const hands = dealHands(rows, random)
      expect(hands).not.toBeNull()
      if (hands?.oop === 'AhKh') expect(hands.ip).toBe('7c7d')
      else queens += 1
    }
    expect(Math.abs(queens / 2000 - 0.75)).toBeLessThan(4 * Math.sqrt(0.1875 / 2000))
    expect(dealHands(rows, random, { player: 'ip', combo: 'AhAd' })).toEqual({ oop: 'QcQd', ip: 'AhAd' })
    expect(dealHands(rows, random, { player: 'ip', combo: '2c2d' })).toBeNull()
  })

  const played = (combo: string, lossPct: number) => ({ path: '', combo, player: 'oop' as const, board: '', action: '', lossPct, lossChips: 0 })

  it('leaves a history with the worst first, until it is repeated and right', () => {
    const history = [played('AhKh', 1), played('QcQd', 0), played('7c7d', 9)]
    expect(worstFirst(history).map((one) => one.lossPct)).toEqual([9, 1])
    expect(worstFirst([...history, played('7c7d', 0)]).map((one) => one.combo)).toEqual(['AhKh'])
    expect(worstFirst([...history, played('7c7d', 0.5)]).map((one) => one.combo)).toEqual(['AhKh', '7c7d'])
  })

  it('repeats mistakes from the worst on, and begins again with what is left', () => {
    const history = [played('AhKh', 1), played('7c7d', 9), played('2c2d', 4)]
    expect(nextMistake(history, null)?.combo).toBe('7c7d')
    expect(nextMistake(history, played('7c7d', 9))?.combo).toBe('2c2d')
    expect(nextMistake(history, played('AhKh', 1))?.combo).toBe('7c7d')
    expect(nextMistake([played('AhKh', 1)], played('AhKh', 1))?.combo).toBe('AhKh')
    expect(nextMistake([played('AhKh', 0)], played('AhKh', 0))).toBeNull()
  })
})
