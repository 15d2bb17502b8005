import { describe, expect, it } from 'vitest'
import { actionLabel, actionShort, bytes, duration, evAmount, evHead, exploitability, fixed, formatChips, formatEv, percent } from '../src/lib/units'

const scale = { unit: 'chips' as const, bigBlind: 10, pot: 200 }

describe('numbers', () => {
  it('are in the unit that was asked for', () => {
    expect(formatChips(91.919, scale)).toBe('91.92')
    expect(formatChips(120, scale)).toBe('120')
    expect(formatChips(-12.5, scale)).toBe('−12.50')
    expect(formatChips(25, { ...scale, unit: 'bb' })).toBe('2.50 bb')
    expect(formatChips(50, { ...scale, unit: 'pot' })).toBe('25.0 %')
    expect(formatChips(null, scale)).toBe('–')
  })

  it('have no minus zero, and call little little', () => {
    expect(fixed(-0.0001, 2)).toBe('0.00')
    expect(fixed(-0.86, 2)).toBe('−0.86')
    expect(formatChips(-0.86, scale)).toBe('−0.86')
    expect(percent(0)).toBe('0.0 %')
    expect(percent(0.0002)).toBe('<0.1 %')
    expect(percent(0.92809)).toBe('92.8 %')
    expect(exploitability(0.0983)).toBe('0.098 %')
    expect(exploitability(12.34)).toBe('12.3 %')
  })

  it('have the digits that the exploitability supports', () => {
    const exact = (error: number) => ({ unit: 'bb' as const, bigBlind: 100, pot: 550, error })
    expect([formatEv(123.456, exact(1.6)), formatEv(123.456, exact(0)), formatEv(123.456, exact(100))]).toEqual(['1.23 bb', '1.235 bb', '1 bb'])
    expect(formatEv(91.919, { ...scale, error: 0.6 })).toBe('91.9')
    expect(formatEv(91.919, { ...scale, unit: 'pot', error: 0.2 })).toBe('46.0 %')
    expect(evAmount(91.919, { ...scale, error: 2 })).toBe('92 chips')
  })

  it('are said with their units', () => {
    expect([bytes(512), bytes(12_490_158), bytes(3 * 2 ** 30)]).toEqual(['512 B', '12 MiB', '3.0 GiB'])
    expect([duration(0.22), duration(4.2), duration(75), duration(7260)]).toEqual(['220 ms', '4.2 s', '1 min 15 s', '2 h 1 min'])
    expect(duration(119.7)).toBe('2 min 0 s')
  })

  it('name actions', () => {
    const bet = { name: 'bet:120', kind: 'bet', chips: 120, pct_pot: 60 }
    expect(actionLabel(bet, scale)).toBe('Bet 60 % (120)')
    expect(actionLabel({ name: 'allin', kind: 'allin', chips: 900, pct_pot: 450 }, { ...scale, unit: 'bb' })).toBe('All-in (90 bb)')
    expect(actionLabel({ name: 'bet:180', kind: 'bet', chips: 180, pct_pot: 33 }, { unit: 'bb', bigBlind: 100, pot: 550 })).toBe('Bet 33 % (1.8 bb)')
    expect(actionLabel({ name: 'raise:420', kind: 'raise', chips: 420, pct_pot: null }, scale)).toBe('Raise 420')
    expect(actionShort(bet, scale)).toBe('Bet 60\u00a0%')
    expect(actionLabel({ name: 'check', kind: 'check', chips: 0, pct_pot: null }, scale)).toBe('Check')
    // Looked back at from a pot of 1,000, it is still 60 % of the 200 that it was made into.
    expect(actionLabel(bet, { ...scale, unit: 'pot', pot: 1000 })).toBe('Bet 60.0 %')
    expect(actionLabel({ name: 'raise:420', kind: 'raise', chips: 420, pct_pot: 68.18 }, { ...scale, unit: 'pot' })).toBe('Raise 68.2 %')
  })
})

describe('prizes', () => {
  const prizes = { unit: 'pot' as const, bigBlind: 100, pot: 200, prizes: true }
  it('are no chips, whatever the unit', () => {
    expect(formatEv(2.05912, prizes)).toBe('2.059')
    expect(formatEv(-0.00123456, prizes)).toBe('−0.001235')
    expect(formatEv(0, prizes)).toBe('0.00')
    expect(evAmount(28.5283, prizes)).toBe('28.53 prizes')
    expect(evHead(prizes)).toBe('EV, prizes')
    expect(evAmount(null, prizes)).toBe('–')
    expect(evAmount(50, { ...prizes, prizes: false })).toBe('25.0 %')
  })
})
