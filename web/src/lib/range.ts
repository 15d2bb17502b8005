/** A range as 1,326 weights, and what the editor does with it. */

import { CLASS_COMBOS, COMBOS, NUM_CLASSES, NUM_COMBOS, isBlocked } from './cards'

export type Weights = Float64Array

export const emptyRange = (): Weights => new Float64Array(NUM_COMBOS)

/** Mean weight of a class over its combos that no card of the board blocks; 0 if none is left. */
export function classWeight(weights: ArrayLike<number>, cell: number, blocked: ReadonlySet<number> = new Set()): number {
  let [sum, count] = [0, 0]
  for (const combo of CLASS_COMBOS[cell] ?? []) {
    if (isBlocked(combo, blocked)) continue
    sum += weights[combo.index] ?? 0
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

export function classWeights(weights: ArrayLike<number>): number[] {
  return Array.from({ length: NUM_CLASSES }, (_, cell) => classWeight(weights, cell))
}

/** Gives every combo of a class one weight. */
export function setClass(weights: Weights, cell: number, weight: number): void {
  for (const combo of CLASS_COMBOS[cell] ?? []) weights[combo.index] = weight
}

export interface RangeSize {
  combos: number
  weight: number
  /** Share of all combos that the cards leave, 0 to 1. */
  share: number
}

/** How large a range is when these cards are out. */
export function rangeSize(weights: ArrayLike<number>, blocked: ReadonlySet<number> = new Set()): RangeSize {
  let [combos, weight, all] = [0, 0, 0]
  for (const combo of COMBOS) {
    if (isBlocked(combo, blocked)) continue
    all += 1
    const w = weights[combo.index] ?? 0
    if (w > 0) combos += 1
    weight += w
  }
  return { combos, weight, share: all === 0 ? 0 : weight / all }
}

/** What a first touch paints: the brush, or nothing where the class already has just that weight. */
export function paintWeight(current: number, brush: number): number {
  return Math.abs(current - brush) < 0.005 ? 0 : brush
}

/** The cells on the straight way from one cell to another, so that a quick stroke leaves no gaps. */
export function cellsBetween(from: number, to: number): number[] {
  const [r0, c0, r1, c1] = [Math.floor(from / 13), from % 13, Math.floor(to / 13), to % 13]
  const steps = Math.max(Math.abs(r1 - r0), Math.abs(c1 - c0))
  const cells: number[] = []
  for (let i = 1; i <= steps; i++) {
    cells.push(Math.round(r0 + ((r1 - r0) * i) / steps) * 13 + Math.round(c0 + ((c1 - c0) * i) / steps))
  }
  return cells
}
