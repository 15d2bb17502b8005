/** What every card that can come does, as a heat map and as a table. */

import type { Runout } from './types'

export type Measure = 'oop_ev' | 'oop_equity' | 'ip_ev' | 'ip_equity' | 'bets'

/** How often whoever acts first bets. */
export const betting = (runout: Runout): number =>
  runout.node.actions.filter((action) => !['check', 'fold', 'call'].includes(action.kind)).reduce((sum, action) => sum + action.frequency, 0)

export function measured(runout: Runout | undefined, measure: Measure): number | null {
  if (!runout) return null
  const { oop, ip } = runout.node.players
  switch (measure) {
    case 'oop_ev': return oop.ev
    case 'ip_ev': return ip.ev
    case 'oop_equity': return oop.equity
    case 'ip_equity': return ip.equity
    case 'bets': return betting(runout)
  }
}

/** What the second has more than the first. */
export const difference = (first: number | null, second: number | null): number | null => (first === null || second === null ? null : second - first)

/** The actions of all runouts, by name, in the order in which they first come. */
export function actionNames(runouts: readonly Runout[]): string[] {
  return [...new Set(runouts.flatMap((runout) => runout.node.actions.map((action) => action.name)))]
}

const number = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(9))))

/** The table as comma-separated values, with plain numbers: EVs in chips, the rest as fractions. */
export function runoutsCsv(runouts: readonly Runout[]): string {
  const names = actionNames(runouts)
  const head = ['card', 'board', 'oop_equity', 'oop_ev', 'ip_equity', 'ip_ev', 'acts', ...names]
  const rows = runouts.map((runout) => {
    const { oop, ip } = runout.node.players
    const played = names.map((name) => number(runout.node.actions.find((action) => action.name === name)?.frequency ?? null))
    return [runout.card, runout.node.board, number(oop.equity), number(oop.ev), number(ip.equity), number(ip.ev), runout.node.player, ...played]
  })
  return `${[head, ...rows].map((cells) => cells.join(',')).join('\n')}\n`
}
