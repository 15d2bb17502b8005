import { describe, expect, it } from 'vitest'
import { ACTION_INK, actionColours, heatColour, heatInk, sharesBackground } from '../src/lib/colours'
import { colourPlaces } from '../src/lib/gridmodes'

const fold = { name: 'fold', kind: 'fold', chips: 0, pct_pot: null }
const call = { name: 'call', kind: 'call', chips: 100, pct_pot: null }
const allin = { name: 'allin', kind: 'allin', chips: 900, pct_pot: 300 }
const raise = (pct: number) => ({ name: `raise:${pct}`, kind: 'raise', chips: 10 * pct, pct_pot: pct })
const actions = [fold, call, raise(33), raise(75), raise(150), allin]
const parts = (colour: string): number[] => (colour.match(/\d+/g) ?? []).map(Number)

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = parts(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

/** What people see who lack one of the three cones (Viénot, Brettel and Mollon 1999), in linear light; and what all others see. */
const SIGHTS: Record<string, number[][]> = {
  'all cones': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  deuteranope: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
  protanope: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  tritanope: [[1, 0.1446, -0.1446], [0, 0.8592, 0.1408], [0, 0.8592, 0.1408]],
}

/** In CIE L*a*b*, where 2.3 is a difference that is just noticed. */
function lab(colour: string, sight: number[][]): number[] {
  const light = parts(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [r = 0, g = 0, b = 0] = sight.map((row) => Math.max(0, row.reduce((sum, factor, i) => sum + factor * (light[i] ?? 0), 0)))
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const distance = (a: string, b: string, sight: number[][]): number =>
  Math.hypot(...lab(a, sight).map((value, i) => value - (lab(b, sight)[i] ?? 0)))

describe('colours of actions', () => {
  it('are those that players know: blue, green, red that darkens with the share of the pot', () => {
    const colours = actionColours(actions)
    const strongest = (colour: string): number => parts(colour).indexOf(Math.max(...parts(colour)))
    expect(colours.slice(0, 5).map(strongest)).toEqual([2, 1, 0, 0, 0])
    const lights = [10, 25, 33, 50, 75, 100, 150, 200, 400].map((pct) => luminance(actionColours([raise(pct)])[0] ?? ''))
    for (let i = 1; i < lights.length; i++) expect(lights[i]).toBeLessThanOrEqual(lights[i - 1] ?? 0)
    expect(actionColours([...actions].reverse())).toEqual([...colours].reverse())
  })

  it('are the same for the same size at every decision', () => {
    expect(actionColours([raise(75)])).toEqual([actionColours(actions)[3]])
    expect(actionColours([call, raise(33), raise(75), raise(125)])[2]).toBe(actionColours([fold, raise(75), allin])[1])
    expect(actionColours([{ ...raise(75), kind: 'bet', chips: 7 }])[0]).toBe(actionColours([raise(75)])[0])
  })

  it('differ for everybody, with whatever cones', () => {
    const colours = actionColours(actions)
    for (const [who, sight] of Object.entries(SIGHTS)) {
      for (let i = 0; i < colours.length; i++) {
        for (let j = i + 1; j < colours.length; j++) {
          const both = `${actions[i]?.name} and ${actions[j]?.name} for ${who}`
          expect(distance(colours[i] ?? '', colours[j] ?? '', sight), both).toBeGreaterThan(i >= 2 && j === i + 1 ? 11 : 15)
        }
      }
    }
  })

  it('carry text that can be read', () => {
    expect(ACTION_INK).toBe('#ffffff')
    for (const action of [fold, call, allin, ...[1, 25, 33, 50, 100, 200, 999].map(raise)]) {
      expect(contrast(luminance(actionColours([action])[0] ?? ''), 1), action.name).toBeGreaterThan(4.5)
    }
    for (let value = 0; value <= 1; value += 0.02) {
      expect(contrast(luminance(heatColour(value)), heatInk(value) === '#ffffff' ? 1 : 0)).toBeGreaterThan(4.5)
    }
  })
})

describe('the scale of EVs', () => {
  it('gives neighbours colours that differ, though one is far away', () => {
    const evs = Array.from({ length: 60 }, (_, i) => 1 + i / 10)
    const places = colourPlaces([...evs, 900, null], 'ev')
    expect(places.at(-1)).toBeNull()
    expect(places.at(-2)).toBe(1)
    // Ten cells of the crowd are as far apart as people see at a glance.
    const normal = SIGHTS['all cones'] ?? []
    expect(distance(heatColour(places[0] ?? 0), heatColour(places[10] ?? 0), normal)).toBeGreaterThan(10)
    for (let i = 1; i < 61; i++) expect(places[i]).toBeGreaterThan(places[i - 1] ?? 1)
    expect(colourPlaces([0.2, 0.9], 'equity')).toEqual([0.2, 0.9])
    expect(colourPlaces([5, 5], 'ev')).toEqual([0.5, 0.5])
  })
})

describe('cells', () => {
  it('have a layer for each action that is played', () => {
    expect(sharesBackground([1, 0], ['red', 'blue'])).toBe('linear-gradient(red, red) 0 0 / 100% 100% no-repeat')
    const half = sharesBackground([0.5, 0.25, 0.25], ['a', 'b', 'c'])
    expect(half.split(', linear').length).toBe(3)
    // A quarter after a half ends at three quarters, below the half: no seam between them shows what is behind.
    expect(half).toBe(['a 0 0 / 50', 'b 0 0 / 75', 'c 0 0 / 100'].map((part) => `linear-gradient(${part[0]}, ${part[0]})${part.slice(1)}% 100% no-repeat`).join(', '))
    expect(sharesBackground([0, 0], ['a', 'b'])).toBe('none')
  })

  it('have patterns above their colours', () => {
    expect(sharesBackground([0.5, 0.5], ['a', 'b'], ['stripes', null])).toMatch(/^stripes .*linear-gradient\(a, a\)/)
  })
})
