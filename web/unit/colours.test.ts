import { describe, expect, it } from 'vitest'
import { actionColours, actionInks, heatColour, heatInk, sharesBackground } from '../src/lib/colours'

const actions = [
  { name: 'fold', kind: 'fold', chips: 0 },
  { name: 'call', kind: 'call', chips: 100 },
  { name: 'raise:300', kind: 'raise', chips: 300 },
  { name: 'raise:600', kind: 'raise', chips: 600 },
  { name: 'allin', kind: 'allin', chips: 900 },
]
const parts = (colour: string): number[] => (colour.match(/\d+/g) ?? []).map(Number)

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = parts(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

/** What a deuteranope sees (Viénot, Brettel and Mollon 1999), in linear light. */
function deuteranope(colour: string): number[] {
  const [r = 0, g = 0, b = 0] = parts(colour).map((value) => (value / 255) ** 2.2)
  return [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b]
}

describe('colours of actions', () => {
  it('follow the kind, and get darker with the size', () => {
    const colours = actionColours(actions)
    expect(new Set(colours).size).toBe(actions.length)
    expect(luminance(colours[2] ?? '')).toBeGreaterThan(luminance(colours[3] ?? ''))
    expect(luminance(colours[3] ?? '')).toBeGreaterThan(luminance(colours[4] ?? ''))
    expect(actionColours([...actions].reverse())).toEqual([...colours].reverse())
  })

  it('differ for deuteranopes too', () => {
    const seen = actionColours(actions).map(deuteranope)
    for (let i = 0; i < seen.length; i++) {
      for (let j = i + 1; j < seen.length; j++) {
        const distance = Math.hypot(...(seen[i] ?? []).map((value, k) => value - (seen[j]?.[k] ?? 0)))
        expect(distance, `${actions[i]?.name} and ${actions[j]?.name}`).toBeGreaterThan(0.1)
      }
    }
  })

  it('carry text that can be read', () => {
    const colours = actionColours(actions)
    for (const [i, ink] of actionInks(actions).entries()) {
      expect(contrast(luminance(colours[i] ?? ''), ink === '#ffffff' ? 1 : 0), actions[i]?.name).toBeGreaterThan(4.5)
    }
    for (let value = 0; value <= 1; value += 0.02) {
      expect(contrast(luminance(heatColour(value)), heatInk(value) === '#ffffff' ? 1 : 0)).toBeGreaterThan(4.5)
    }
  })
})

describe('cells', () => {
  it('have a layer for each action that is played', () => {
    expect(sharesBackground([1, 0], ['red', 'blue'])).toBe('linear-gradient(red, red) 0% 0 / 100.2% 100% no-repeat')
    const half = sharesBackground([0.5, 0.25, 0.25], ['a', 'b', 'c'])
    expect(half.split(', linear').length).toBe(3)
    // A quarter that begins in the middle stands at two thirds of what is free.
    expect(half).toContain('linear-gradient(b, b) 66.67% 0 / 25.2% 100% no-repeat')
    expect(sharesBackground([0, 0], ['a', 'b'])).toBe('none')
  })

  it('have patterns above their colours', () => {
    expect(sharesBackground([0.5, 0.5], ['a', 'b'], ['stripes', null])).toMatch(/^stripes .*linear-gradient\(a, a\)/)
  })
})
