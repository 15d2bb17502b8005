import { describe, expect, it } from 'vitest'
import { bb, byStreet, firstSize, isAllIn, legalSize, lossGrade, placeOf, resultText, signedBb, sizeAt, sizeText, SLIDER } from '../src/lib/play'
import type { LegalSizes, ReviewedDecision, TableHand } from '../src/lib/types'

const sizes: LegalSizes = {
  kind: 'raise', min_bb: 2, max_bb: 100, step_bb: 0.01,
  presets: [{ name: 'Min', to_bb: 2 }, { name: '75 %', to_bb: 2.5 }, { name: 'All-in', to_bb: 100 }],
}

describe('sizes on a slider', () => {
  it('go from the least to all-in, and are legal everywhere between', () => {
    expect(sizeAt(0, sizes)).toBe(2)
    expect(sizeAt(SLIDER, sizes)).toBe(100)
    for (let place = 0; place <= SLIDER; place += 7) {
      const size = sizeAt(place, sizes)
      expect(legalSize(size, sizes)).toBe(size)
      expect(sizeAt(placeOf(size, sizes), sizes)).toBeCloseTo(size, 0)
    }
  })
  it('small ones have as much room as large ones', () => {
    expect(sizeAt(SLIDER / 2, sizes)).toBeCloseTo(Math.sqrt(2 * 100), 1)
  })
  it('are rounded to chips and kept within the bounds', () => {
    expect(legalSize(2.504, sizes)).toBe(2.5)
    expect(legalSize(1, sizes)).toBe(2)
    expect(legalSize(1000, sizes)).toBe(100)
    expect(legalSize(Number.NaN, sizes)).toBe(2)
  })
  it('begin with three quarters of the pot, or the least', () => {
    expect(firstSize(sizes)).toBe(2.5)
    expect(firstSize({ ...sizes, presets: [] })).toBe(2)
  })
  it('have one place where only all-in is legal', () => {
    const one = { ...sizes, min_bb: 100 }
    expect(placeOf(100, one)).toBe(SLIDER)
    expect(isAllIn(sizeAt(0, one), one)).toBe(true)
  })
  it('are said as players say them', () => {
    expect(sizeText(2.5, sizes)).toBe('Raise to 2.5 bb')
    expect(sizeText(2, { ...sizes, kind: 'bet' })).toBe('Bet 2 bb')
    expect(sizeText(100, sizes)).toBe('All-in 100 bb')
    expect([bb(0.5), bb(10), signedBb(-1.5), signedBb(2)]).toEqual(['0.5 bb', '10 bb', '−1.50', '+2.00'])
  })
})

describe('a hand', () => {
  const action = (street: 'preflop' | 'flop', by: 'you' | 'bot', kind: 'call' | 'fold', at: number) => ({ at, street, by, kind, to_bb: null, text: kind })
  const hand = { actions: [action('preflop', 'you', 'call', 0), action('flop', 'bot', 'fold', 1)], result: { won_bb: 1, bot_cards: null } } as unknown as TableHand
  it('is told by street', () => {
    expect(byStreet(hand).map(({ street, actions }) => [street, actions.length])).toEqual([['preflop', 1], ['flop', 1]])
  })
  it('ends with a fold, a showdown or a split pot', () => {
    expect(resultText(hand)).toBe('The bot folds. You win 1 bb.')
    expect(resultText({ ...hand, result: { won_bb: -8, bot_cards: 'AhAd' } })).toBe('Showdown. You lose 8 bb.')
    expect(resultText({ ...hand, result: { won_bb: 0, bot_cards: 'AhAd' } })).toBe('Showdown. The pot is split.')
    expect(resultText({ ...hand, result: null })).toBe('')
  })
})

describe('a loss', () => {
  const of = (loss: number, error = 0) => lossGrade({ ev_loss_bb: loss, std_error_bb: error } as ReviewedDecision)
  it('is dear only where it is certain', () => {
    expect([of(0.01), of(0.2), of(0.2, 0.2), of(3), of(3, 0.1)]).toEqual(['good', 'fair', 'good', 'dear', 'dear'])
  })
})
