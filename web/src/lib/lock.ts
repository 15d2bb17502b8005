/** Locks as text: PATH => HANDS = ACTION @ FREQUENCY, … */

import type { ComboRow } from './types'

export interface Lock {
  path: string
  hands: string
  /** Frequencies that sum to 1. */
  shares: { name: string; frequency: number }[]
}

/** Three places are what a slider gives; the last one that is played takes what rounding leaves. */
function rounded(shares: Lock['shares']): Lock['shares'] {
  const played = shares.filter((share) => share.frequency >= 0.0005).map((share) => ({
    name: share.name,
    frequency: Math.round(share.frequency * 1000) / 1000,
  }))
  const rest = 1 - played.reduce((sum, share) => sum + share.frequency, 0)
  const largest = played.reduce((best, share) => (share.frequency > best.frequency ? share : best), played[0] ?? { name: '', frequency: 0 })
  largest.frequency = Math.round((largest.frequency + rest) * 1000) / 1000
  return played
}

const sharesText = (shares: Lock['shares']): string => rounded(shares).map((share) => `${share.name} @ ${share.frequency}`).join(', ')

export function lockText(lock: Lock): string {
  return `${lock.path} => ${lock.hands} = ${sharesText(lock.shares)}`.trim()
}

/** Reads what `lockText` wrote. */
export function parseLock(text: string): Lock {
  const [path = '', rest = ''] = text.split('=>').map((part) => part.trim())
  const [hands = '', played = ''] = rest.split('=').map((part) => part.trim())
  const shares = played.split(',').map((part) => {
    const [name = '', frequency = ''] = part.split('@').map((word) => word.trim())
    return { name, frequency: Number(frequency) }
  })
  return { path, hands, shares }
}

/**
 * Moves one share and lets the others make room in proportion, so that all sum to 1. If the others are all zero, they
 * take equal parts.
 */
export function moveShare(shares: readonly number[], index: number, value: number): number[] {
  const target = Math.min(Math.max(value, 0), 1)
  const others = shares.reduce((sum, share, i) => (i === index ? sum : sum + share), 0)
  const room = 1 - target
  return shares.map((share, i) => {
    if (i === index) return shares.length === 1 ? 1 : target
    return others > 1e-9 ? (share / others) * room : room / (shares.length - 1)
  })
}

/** A combo's strategy with one action scaled by a factor; a combo that plays nothing else turns to its next best action. */
export function scaledShares(row: Pick<ComboRow, 'frequencies' | 'action_evs'>, action: number, factor: number): number[] {
  const target = Math.min(1, (row.frequencies[action] ?? 0) * factor)
  const others = row.frequencies.reduce((sum, share, i) => (i === action ? sum : sum + share), 0)
  if (others > 1e-9 || row.frequencies.length < 2) return moveShare(row.frequencies, action, target)
  const evs = row.frequencies.map((_, i) => (i === action ? -Infinity : (row.action_evs[i] ?? -1e300)))
  const next = evs.indexOf(Math.max(...evs))
  return row.frequencies.map((_, i) => (i === action ? target : i === next ? 1 - target : 0))
}

/** Locks that scale a strategy combo by combo; combos that come to the same play share one. */
export function scaleLocks(path: string, names: readonly string[], rows: readonly ComboRow[], action: number, factor: number): string[] {
  const groups = new Map<string, string[]>()
  for (const row of rows) {
    const shares = scaledShares(row, action, factor).map((frequency, i) => ({ name: names[i] ?? '', frequency }))
    const text = sharesText(shares)
    groups.set(text, [...(groups.get(text) ?? []), row.combo])
  }
  return [...groups].map(([text, combos]) => `${path} => ${combos.join(',')} = ${text}`.trim())
}

/** How often an action is taken in all after it was scaled. */
export function scaledFrequency(rows: readonly ComboRow[], action: number, factor: number): number {
  const held = rows.reduce((sum, row) => sum + row.share, 0)
  const taken = rows.reduce((sum, row) => sum + row.share * (scaledShares(row, action, factor)[action] ?? 0), 0)
  return held > 0 ? taken / held : 0
}
