import { describe, expect, it } from 'vitest'
import { CLASSES, CLASS_COMBOS, COMBOS, cardId, cardName, comboIndex, splitCards, spokenCard, spokenClass } from '../src/lib/cards'

describe('cards and combos', () => {
  it('numbers cards and combos as the engine does', () => {
    expect(cardId('2c')).toBe(0)
    expect(cardName(51)).toBe('As')
    expect(COMBOS).toHaveLength(1326)
    // Documented in crates/cards/src/combo.rs: 2d2c is 0, AsAh is 1325.
    expect(comboIndex('2d2c')).toBe(0)
    expect(comboIndex('AsAh')).toBe(1325)
    expect(COMBOS.every((combo) => comboIndex(combo.name) === combo.index)).toBe(true)
    expect(comboIndex('KdAh')).toBe(comboIndex('AhKd'))
    expect(comboIndex('AhAh')).toBe(-1)
  })

  it('has 13 pairs of 6, 78 suited of 4 and 78 offsuit classes of 12', () => {
    const sizes = CLASS_COMBOS.map((combos) => combos.length)
    expect([6, 4, 12].map((size) => sizes.filter((other) => other === size).length)).toEqual([13, 78, 78])
  })

  it('puts suited classes above the diagonal', () => {
    expect([CLASSES[0], CLASSES[1], CLASSES[13], CLASSES[168]]).toEqual(['AA', 'AKs', 'AKo', '22'])
    for (const [cell, combos] of CLASS_COMBOS.entries()) {
      const suited = combos.every((combo) => (combo.low & 3) === (combo.high & 3))
      expect(suited).toBe(CLASSES[cell]?.endsWith('s') ?? false)
    }
  })

  it('cuts boards, and ends at what is no card', () => {
    expect(splitCards('Td 9d,6hqC')).toEqual(['Td', '9d', '6h', 'Qc'])
    expect(splitCards('Tdxx6h')).toEqual(['Td'])
  })

  it('says cards and classes in words', () => {
    expect(spokenCard('Th')).toBe('ten of hearts')
    expect([spokenClass(0), spokenClass(1), spokenClass(13)]).toEqual(['pair of aces', 'ace king suited', 'ace king offsuit'])
  })
})
