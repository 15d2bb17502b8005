import { describe, expect, it } from 'vitest'
import { CLASSES, cardId, comboIndex } from '../src/lib/cards'
import { cellsBetween, classWeight, classWeights, emptyRange, paintWeight, rangeSize, setClass } from '../src/lib/range'

const cell = (name: string): number => CLASSES.indexOf(name)

describe('ranges', () => {
  it('weighs classes by the combos that the board leaves', () => {
    const weights = emptyRange()
    setClass(weights, cell('TT'), 1)
    weights[comboIndex('TsTh')] = 0
    expect(classWeight(weights, cell('TT'))).toBeCloseTo(5 / 6)
    expect(classWeight(weights, cell('TT'), new Set([cardId('Td'), cardId('Tc')]))).toBe(0)
    expect(classWeights(weights).filter((weight) => weight > 0)).toHaveLength(1)
  })

  it('counts what a board leaves of a range', () => {
    const weights = emptyRange()
    setClass(weights, cell('AKs'), 0.5)
    expect(rangeSize(weights)).toEqual({ combos: 4, weight: 2, share: 2 / 1326 })
    // One of four suits is gone; 50 cards leave 1,225 combos.
    const blocked = new Set([cardId('Ah'), cardId('2c')])
    expect(rangeSize(weights, blocked)).toEqual({ combos: 3, weight: 1.5, share: 1.5 / 1225 })
  })

  it('paints the brush, and takes it away where it is already', () => {
    expect([paintWeight(0, 0.5), paintWeight(0.5, 0.5), paintWeight(1, 0.5)]).toEqual([0.5, 0, 0.5])
  })

  it('leaves no gaps in a quick stroke', () => {
    expect(cellsBetween(0, 0)).toEqual([])
    expect(cellsBetween(0, 3)).toEqual([1, 2, 3])
    expect(cellsBetween(0, 3 * 13 + 3)).toEqual([14, 28, 42])
  })
})
