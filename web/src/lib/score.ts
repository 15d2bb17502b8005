/** How well a chosen action plays, and the score of a session. */

export type Verdict = 'best' | 'good' | 'inaccurate' | 'mistake' | 'blunder'

export const VERDICTS: Record<Verdict, string> = {
  best: 'What equilibrium plays most',
  good: 'Played in equilibrium too',
  inaccurate: 'Inaccuracy',
  mistake: 'Mistake',
  blunder: 'Blunder',
}

export interface Answer {
  frequencies: readonly number[]
  ev_losses: readonly (number | null)[]
}

/** Chips that an action gives away; nothing where nobody can tell. */
export const lossOf = (answer: Answer, action: number): number => Math.max(0, answer.ev_losses[action] ?? 0)

/**
 * An action that is played at least one time in ten is no error, whatever rounding says; of the others the loss in
 * percent of the pot decides.
 */
export function verdictOf(answer: Answer, action: number, pot: number): Verdict {
  const frequency = answer.frequencies[action] ?? 0
  if (frequency >= Math.max(...answer.frequencies) - 1e-9) return 'best'
  const share = (100 * lossOf(answer, action)) / Math.max(1, pot)
  if (frequency >= 0.1 || share <= 0.5) return 'good'
  if (share <= 2) return 'inaccurate'
  return share <= 8 ? 'mistake' : 'blunder'
}

export interface Score {
  hands: number
  /** Best or good. */
  right: number
  /** Sum of what was given away, in percent of the pot of its decision. */
  lossPct: number
  lossChips: number
  run: number
}

export const newScore = (): Score => ({ hands: 0, right: 0, lossPct: 0, lossChips: 0, run: 0 })

export function scored(score: Score, answer: Answer, action: number, pot: number): Score {
  const verdict = verdictOf(answer, action, pot)
  const isRight = verdict === 'best' || verdict === 'good'
  const loss = lossOf(answer, action)
  return {
    hands: score.hands + 1,
    right: score.right + (isRight ? 1 : 0),
    lossPct: score.lossPct + (100 * loss) / Math.max(1, pot),
    lossChips: score.lossChips + loss,
    run: isRight ? score.run + 1 : 0,
  }
}

const answersKey = (id: string): string => `equipoise.train.answers.${id}`

/** What was chosen in hands of this visit; another tab has its own. */
export function savedAnswers(id: string): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(answersKey(id)) ?? '[]') as [string, number][])
  } catch {
    return new Map()
  }
}

export function saveAnswers(id: string, answers: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(answersKey(id), JSON.stringify([...answers].slice(-500)))
  } catch {
    // Without a store, going back shows the hand before its answer.
  }
}
