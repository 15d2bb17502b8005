/** How amounts are shown of a solution. */

import { settings } from './settings.svelte'
import type { UnitScale } from './units'

interface Known {
  big_blind?: number | null | undefined
  unit?: 'chips' | 'prizes'
  exploitability?: { chips?: number } | null
}

/** What a person has chosen, or big blinds where the spot says what one is; `pot` is what percentages are of, in chips. */
export function scaleOf(solution: Known | null | undefined, pot: number): UnitScale {
  const known = solution?.big_blind ?? null
  return {
    unit: settings.unit === 'auto' ? (known === null ? 'chips' : 'bb') : settings.unit,
    bigBlind: known ?? settings.chipsPerBb,
    pot,
    prizes: solution?.unit === 'prizes',
    error: solution?.exploitability?.chips,
  }
}
