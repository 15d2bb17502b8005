/**
 * Colours of actions, as players know them from other tools: fold blue, check and call green, bets red and darker with
 * their share of the pot, all-in plum. A size has one colour at every decision. All are dark enough for white text, and
 * differ in lightness too, so that colour-blind people tell them apart; patterns say it twice.
 */

export interface ActionLike {
  name: string
  kind: string
  chips: number
  /** Of a bet or raise, in percent. */
  pct_pot: number | null
}

type Rgb = readonly [number, number, number]

const FOLD: Rgb = [36, 72, 158]
const PASSIVE: Rgb = [8, 133, 98]
const ALL_IN: Rgb = [92, 14, 84]
/** Bets from a quarter of the pot to twice the pot, in equal ratios. */
const BETS: readonly Rgb[] = [[214, 62, 48], [196, 38, 44], [150, 20, 36], [104, 10, 28]]
const [SMALLEST_PCT, LARGEST_PCT] = [25, 200]

/** Of text on an action's colour. */
export const ACTION_INK = '#ffffff'

const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`

function between(stops: readonly Rgb[], at: number): Rgb {
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1)
  const low = Math.min(Math.floor(place), stops.length - 2)
  const [a, b] = [stops[low] ?? ALL_IN, stops[low + 1] ?? ALL_IN]
  const mix = (i: 0 | 1 | 2): number => Math.round(a[i] + (b[i] - a[i]) * (place - low))
  return [mix(0), mix(1), mix(2)]
}

const isBet = (action: ActionLike): boolean => action.kind === 'bet' || action.kind === 'raise'

/** Where a size stands between the smallest and the largest shade, 0 to 1. */
const sizePlace = (action: ActionLike): number =>
  Math.log(Math.max(action.pct_pot ?? 100, 1) / SMALLEST_PCT) / Math.log(LARGEST_PCT / SMALLEST_PCT)

function rgbOf(action: ActionLike): Rgb {
  if (action.kind === 'fold') return FOLD
  if (action.kind === 'check' || action.kind === 'call') return PASSIVE
  return isBet(action) ? between(BETS, sizePlace(action)) : ALL_IN
}

/** The colours of actions, in their order. */
export const actionColours = (actions: readonly ActionLike[]): string[] => actions.map((action) => css(rgbOf(action)))

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
export function actionPattern(action: ActionLike): string | null {
  if (action.kind === 'fold') return 'repeating-linear-gradient(135deg, rgb(255 255 255 / 45%) 0 1px, transparent 1px 5px)'
  if (action.kind === 'check' || action.kind === 'call') return null
  if (!isBet(action)) {
    return 'repeating-linear-gradient(0deg, rgb(255 255 255 / 40%) 0 1px, transparent 1px 4px)'
  }
  const gap = Math.round(8 - 5 * Math.min(Math.max(sizePlace(action), 0), 1))
  return `repeating-linear-gradient(45deg, rgb(255 255 255 / 40%) 0 1px, transparent 1px ${gap}px)`
}

export const actionPatterns = (actions: readonly ActionLike[]): (string | null)[] => actions.map(actionPattern)

/**
 * The background of a cell whose parts are the shares of actions, from left to right: one layer for each action, and
 * with patterns another above it. The first layer is on top.
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
    left += share
    // Each layer begins at the left, below those before it: between two parts nothing shows through.
    const box = `0 0 / ${left > 0.996 ? 100 : round(left * 100)}% 100% no-repeat`
    const pattern = patterns?.[i]
    if (pattern) layers.push(`${pattern} ${box}`)
    layers.push(`linear-gradient(${colours[i]}, ${colours[i]}) ${box}`)
  })
  return layers.join(', ')
}

const round = (value: number): number => Math.round(value * 100) / 100

/** A colour for a value from 0 to 1: from purple by blue and green to yellow, with lightness that only grows. */
const HEAT: readonly Rgb[] = [[68, 20, 90], [66, 62, 133], [46, 104, 142], [31, 146, 140], [72, 182, 110], [152, 212, 66], [248, 228, 60]]

export const HEAT_RAMP = `linear-gradient(to right, ${HEAT.map(css).join(', ')})`

export function heatColour(value: number): string {
  return css(between(HEAT, value))
}

/** Black or white, whichever is read better on the heat colour. */
export function heatInk(value: number): string {
  return inkOn(between(HEAT, value))
}
