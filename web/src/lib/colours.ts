/**
 * Colours of actions: the kind decides the hue, the size of a bet its shade. Fold is grey, check and call blue, bets go
 * from amber to dark red with falling lightness, so that they differ for colour-blind people too; patterns say it twice.
 */

export interface ActionLike {
  name: string
  kind: string
  chips: number
}

type Rgb = readonly [number, number, number]

const FOLD: Rgb = [124, 132, 145]
const PASSIVE: Rgb = [50, 112, 180]
const ALL_IN: Rgb = [110, 22, 58]
/** Bets from the smallest to the largest. */
const BETS: readonly Rgb[] = [[247, 196, 88], [240, 150, 60], [222, 100, 50], [184, 55, 48]]

const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`

function between(stops: readonly Rgb[], at: number): Rgb {
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1)
  const low = Math.min(Math.floor(place), stops.length - 2)
  const [a, b] = [stops[low] ?? ALL_IN, stops[low + 1] ?? ALL_IN]
  const mix = (i: 0 | 1 | 2): number => Math.round(a[i] + (b[i] - a[i]) * (place - low))
  return [mix(0), mix(1), mix(2)]
}

const isBet = (action: ActionLike): boolean => action.kind === 'bet' || action.kind === 'raise'

function rgbOf(action: ActionLike, bets: readonly ActionLike[]): Rgb {
  if (action.kind === 'fold') return FOLD
  if (action.kind === 'check' || action.kind === 'call') return PASSIVE
  if (!isBet(action)) return ALL_IN
  if (bets.length === 1) return BETS[1] ?? ALL_IN
  return between(BETS, bets.indexOf(action) / (bets.length - 1))
}

/** The colours of the actions of one decision, in their order. */
export function actionColours(actions: readonly ActionLike[]): string[] {
  const bets = actions.filter(isBet).sort((a, b) => a.chips - b.chips)
  return actions.map((action) => css(rgbOf(action, bets)))
}

/** The colour of text on each action's colour. */
export function actionInks(actions: readonly ActionLike[]): string[] {
  const bets = actions.filter(isBet).sort((a, b) => a.chips - b.chips)
  return actions.map((action) => inkOn(rgbOf(action, bets)))
}

/** Black or white: at this luminance both have the same contrast, 4.58 to 1. */
const inkOn = (rgb: Rgb): string => (luminance(rgb) > 0.179 ? '#000000' : '#ffffff')

function luminance(rgb: Rgb): number {
  const linear = rgb.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
}

/** Patterns of actions, for those who cannot or would not tell colours: layers over the plain colour. */
export function actionPattern(action: ActionLike, rank: number): string | null {
  if (action.kind === 'fold') return 'repeating-linear-gradient(135deg, rgb(0 0 0 / 45%) 0 1px, transparent 1px 5px)'
  if (action.kind === 'check' || action.kind === 'call') return null
  if (!isBet(action)) {
    return 'repeating-linear-gradient(0deg, rgb(255 255 255 / 40%) 0 1px, transparent 1px 4px)'
  }
  const gap = Math.max(3, 8 - 2 * rank)
  return `repeating-linear-gradient(45deg, rgb(0 0 0 / 50%) 0 1.5px, transparent 1.5px ${gap}px)`
}

export function actionPatterns(actions: readonly ActionLike[]): (string | null)[] {
  const bets = actions.filter(isBet).sort((a, b) => a.chips - b.chips)
  return actions.map((action) => actionPattern(action, bets.indexOf(action)))
}

/**
 * The background of a cell whose parts are the shares of actions, from left to right: one layer for each action, and
 * with patterns another above it.
 */
export function sharesBackground(shares: readonly number[], colours: readonly string[], patterns?: readonly (string | null)[]): string {
  const layers: string[] = []
  let left = 0
  const total = shares.reduce((sum, share) => sum + share, 0)
  if (total <= 0) return 'none'
  shares.forEach((raw, i) => {
    const share = raw / total
    if (share < 0.004) {
      left += share
      return
    }
    // A position in percent places the part within what the layer leaves free.
    const place = share > 0.996 ? 0 : (left / (1 - share)) * 100
    const box = `${round(place)}% 0 / ${round(share * 100 + 0.2)}% 100% no-repeat`
    const pattern = patterns?.[i]
    if (pattern) layers.push(`${pattern} ${box}`)
    layers.push(`linear-gradient(${colours[i]}, ${colours[i]}) ${box}`)
    left += share
  })
  return layers.join(', ')
}

const round = (value: number): number => Math.round(value * 100) / 100

/** A colour for a value from 0 to 1: dark blue to yellow, with lightness that only grows (after the cividis map). */
const HEAT: readonly Rgb[] = [[0, 34, 78], [54, 78, 112], [109, 112, 116], [160, 150, 106], [212, 190, 84], [254, 232, 56]]

export function heatColour(value: number): string {
  return css(between(HEAT, value))
}

/** Black or white, whichever is read better on the heat colour. */
export function heatInk(value: number): string {
  return inkOn(between(HEAT, value))
}
