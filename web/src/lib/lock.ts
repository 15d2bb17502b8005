/** Locks as text: PATH => HANDS = ACTION @ FREQUENCY, … */

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

export function lockText(lock: Lock): string {
  const shares = rounded(lock.shares).map((share) => `${share.name} @ ${share.frequency}`)
  return `${lock.path} => ${lock.hands} = ${shares.join(', ')}`.trim()
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
