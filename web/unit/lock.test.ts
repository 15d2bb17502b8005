import { describe, expect, it } from 'vitest'
import { lockText, moveShare } from '../src/lib/lock'
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
