import { describe, expect, it } from 'vitest'
import { lockText, moveShare, parseLock, scaleLocks, scaledFrequency, scaledShares } from '../src/lib/lock'
import { newScore, scored, verdictOf } from '../src/lib/score'

describe('locks', () => {
  it('are written as --lock reads them, summing to 1', () => {
    const shares = [{ name: 'check', frequency: 1 / 3 }, { name: 'bet:120', frequency: 2 / 3 }, { name: 'allin', frequency: 0 }]
    expect(lockText({ path: 'check', hands: 'AKs', shares })).toBe('check => AKs = check @ 0.333, bet:120 @ 0.667')
    expect(lockText({ path: '', hands: 'all', shares: [{ name: 'check', frequency: 1 }] })).toBe('=> all = check @ 1')
    const thirds = ['a', 'b', 'c'].map((name) => ({ name, frequency: 1 / 3 }))
    const numbers = [...lockText({ path: '', hands: 'all', shares: thirds }).matchAll(/@ ([\d.]+)/g)].map((match) => Number(match[1]))
    expect(numbers.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
  })

  it('move one slider, and the others make room', () => {
    expect(moveShare([0.5, 0.3, 0.2], 0, 0)).toEqual([0, expect.closeTo(0.6), expect.closeTo(0.4)])
    expect(moveShare([1, 0, 0], 0, 0.5)).toEqual([0.5, 0.25, 0.25])
    expect(moveShare([0.5, 0.5], 1, 2)).toEqual([0, 1])
  })
})

describe('scores', () => {
  const answer = { frequencies: [0.7, 0.2, 0.1, 0], ev_losses: [0, 0.1, 1, 30] }

  it('judge by frequency first, then by what is given away', () => {
    expect([0, 1, 2, 3].map((action) => verdictOf(answer, action, 100))).toEqual(['best', 'good', 'good', 'blunder'])
    expect(verdictOf({ frequencies: [1, 0], ev_losses: [0, 5] }, 1, 100)).toBe('mistake')
  })

  it('add up over a sitting', () => {
    const score = [0, 3, 0].reduce((sum, action) => scored(sum, answer, action, 100), newScore())
    expect(score).toEqual({ hands: 3, right: 2, lossPct: 30, lossChips: 30, run: 1 })
  })
})

describe('scaling', () => {
  const row = (frequencies: number[], action_evs: number[] = [], combo = 'AhKh') => ({
    combo, weight: 1, share: 1, equity: null, ev: null, eqr: null, made: 'nothing', draws: [], frequencies, action_evs, ev_losses: [],
  })

  it('keeps the proportions of the rest, and turns a pure hand to its next best action', () => {
    expect(scaledShares(row([0.5, 0.25, 0.25]), 0, 0.5)).toEqual([0.25, 0.375, 0.375])
    expect(scaledShares(row([0.5, 0.5, 0]), 0, 3)).toEqual([1, 0, 0])
    expect(scaledShares(row([1, 0, 0], [0, 3, 5]), 0, 0.5)).toEqual([0.5, 0, 0.5])
    expect(scaledShares(row([0, 1, 0]), 0, 2)).toEqual([0, 1, 0])
  })

  it('puts combos that play alike into one lock, which is read again', () => {
    const locks = scaleLocks('check', ['fold', 'call'], [row([1, 0], [0, 1], 'AhKh'), row([1, 0], [0, 1], 'AdKd'), row([0, 1], [], 'QQ')], 0, 0.5)
    expect(locks).toEqual(['check => AhKh,AdKd = fold @ 0.5, call @ 0.5', 'check => QQ = call @ 1'])
    expect(parseLock(locks[0] ?? '')).toEqual({ path: 'check', hands: 'AhKh,AdKd', shares: [{ name: 'fold', frequency: 0.5 }, { name: 'call', frequency: 0.5 }] })
    expect(parseLock('=> all = check @ 1')).toEqual({ path: '', hands: 'all', shares: [{ name: 'check', frequency: 1 }] })
    expect(scaledFrequency([row([1, 0], [0, 1]), row([0, 1])], 0, 0.5)).toBe(0.25)
  })
})
