import { describe, expect, it } from 'vitest'
import { splitCards } from '../src/lib/cards'
import { firstSpot, playedStreets, sizesOf, spotName, textureName, withBoard, withSizes } from '../src/lib/spot'
import { writeSpot, writeToml } from '../src/lib/toml'

describe('spot files', () => {
  it('are written in the order of the documentation', () => {
    expect(writeSpot({
      tree: { starting_pot: 200, effective_stack: 900, rake_rate: null, preset: 'simple', add_lines: ['bet:70 raise:300'] },
      cards: { flop: 'Td9d6h', turn: 'Qc' },
      ranges: { oop: 'QQ+', ip: 'AKs:0.5' },
      bet_sizes: { turn: { oop_bet: '60%, e, a' }, river: {} },
      locks: [{ line: 'check', strategy: { check: 0.7, 'bet:120': 0.3 } }],
    })).toBe(`schema_version = 1

[ranges]
oop = "QQ+"
ip = "AKs:0.5"

[cards]
flop = "Td9d6h"
turn = "Qc"

[tree]
starting_pot = 200
effective_stack = 900
preset = "simple"
add_lines = ["bet:70 raise:300"]

[bet_sizes.turn]
oop_bet = "60%, e, a"

[[locks]]
line = "check"
strategy = { check = 0.7, "bet:120" = 0.3 }
`)
  })

  it('quote what needs it', () => {
    expect(writeToml({ a: 'say "x"\n\u007f', 'b c': [true, 1.5] })).toBe('a = "say \\"x\\"\\n\\u007f"\n"b c" = [true, 1.5]\n')
  })
})

describe('spots', () => {
  it('know which streets are played', () => {
    expect(playedStreets(['Td', '9d', '6h'])).toEqual(['flop', 'turn', 'river'])
    expect(playedStreets(['Td', '9d', '6h', 'Qc', '2s'])).toEqual(['river'])
  })

  it('write sizes only where they differ from the preset', () => {
    const spot = firstSpot()
    expect(sizesOf(spot, 'turn', 'oop_bet')).toEqual({ text: '60%, e, a', own: false })
    const changed = withSizes(spot, 'turn', 'oop_bet', '33%')
    expect(sizesOf(changed, 'turn', 'oop_bet')).toEqual({ text: '33%', own: true })
    expect(withSizes(changed, 'turn', 'oop_bet', '60%, e, a').bet_sizes?.turn).toEqual({})
  })

  it('bet without donk sizes as everywhere, and not at all only if that is said', () => {
    const spot = firstSpot()
    expect(sizesOf(spot, 'river', 'oop_donk')).toEqual({ text: '50%', own: false })
    // A file without the key would get the preset's 50%.
    const cleared = withSizes(spot, 'river', 'oop_donk', ' ')
    expect(sizesOf(cleared, 'river', 'oop_donk')).toEqual({ text: '', own: true })
    expect(writeSpot(cleared)).toContain('oop_donk = "60%, e, a"')
    // It follows the sizes of bets.
    expect(writeSpot(withSizes(cleared, 'river', 'oop_bet', '33%'))).toContain('oop_donk = "33%"')
    const plain = { ...cleared, tree: { ...cleared.tree, preset: null } }
    expect(writeSpot(plain)).not.toContain('oop_donk')
    const none = withSizes(spot, 'river', 'oop_donk', 'None')
    expect(sizesOf(none, 'river', 'oop_donk')).toEqual({ text: 'none', own: true })
    expect(writeSpot(none)).toContain('oop_donk = ""')
    expect(withSizes(none, 'river', 'oop_donk', '50%').bet_sizes?.river).toEqual({})
  })

  it('take boards apart and are named by them', () => {
    const spot = withBoard(firstSpot(), ['Ah', 'Kh', '2c'])
    expect(spot.cards).toEqual({ flop: 'AhKh2c' })
    expect(spotName(spot)).toBe('AK2tt · pot 5.5 bb, stacks 97.5 bb')
    const named = (oop: string, ip: string, pot: number, stack: number): string =>
      spotName(withBoard({ ...spot, ranges: { oop, ip }, tree: { ...spot.tree, big_blind: 100, starting_pot: pot, effective_stack: stack } }, ['Qs', '7h', '2c']))
    expect(named('@bb-call-v-btn', '@btn-open', 550, 9750)).toBe('BTN v BB SRP · Q72r')
    expect(named('@sb-open', '@bb-call-v-sb', 600, 9700)).toBe('SB v BB SRP · Q72r')
    expect(named('@bb-3bet-v-co', '@co-call-3bet-v-bb', 2250, 8900)).toBe('CO v BB 3-bet · Q72r')
    // Another depth is said; ranges of one's own have no formation.
    expect(named('@bb-call-v-btn', '@btn-open', 550, 3750)).toBe('BTN v BB SRP · Q72r, 37.5 bb behind')
    expect(named('@bb-call-v-btn', '@co-open', 550, 9750)).toBe('Q72r · pot 5.5 bb, stacks 97.5 bb')
    expect(named('@bb-call-v-btn,AA', '@btn-open', 550, 9750)).toBe('Q72r · pot 5.5 bb, stacks 97.5 bb')
    expect(['Qh7c2s', '7s2sQs', 'Td9d6hQc'].map((board) => textureName(splitCards(board)))).toEqual(['Q72r', 'Q72m', 'T96tt Qc'])
  })
})
