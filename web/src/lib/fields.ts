/** Keys of a spot file, as the fields of the page are called; errors of the server name keys. */

import type { ErrorDocument } from './types'

const NAMES: Record<string, string> = {
  'ranges.oop': 'Range out of position',
  'ranges.ip': 'Range in position',
  'cards.flop': 'Board',
  'cards.turn': 'Board',
  'cards.river': 'Board',
  'tree.starting_pot': 'Pot',
  'tree.effective_stack': 'Stack',
  'tree.rake_rate': 'Rake',
  'tree.rake_cap': 'Rake cap',
  'tree.add_allin_threshold': 'Add all-in',
  'tree.force_allin_threshold': 'All-in instead',
  'tree.merging_threshold': 'Merge sizes',
  'solver.target_exploitability_pct': 'Target',
  'solver.max_iterations': 'Max iterations',
  'solver.quantization': 'Storage',
  'solver.algorithm': 'Algorithm',
}

/** "bet_sizes.turn.oop_bet" as "Turn, OOP bet". */
export function fieldName(key: string): string {
  const size = /^bet_sizes\.(\w+)\.(oop|ip)_(\w+)$/.exec(key)
  if (!size) return NAMES[key] ?? key
  const [, street = '', player = '', kind = ''] = size
  return `${street.charAt(0).toUpperCase()}${street.slice(1)}, ${player.toUpperCase()} ${kind}`
}

/** What is wrong, without the key that stands before it: "[tree] starting_pot: …". */
export const bareMessage = (error: Pick<ErrorDocument, 'message' | 'place'>): string =>
  error.place?.key ? error.message.replace(/^\[[^\]]*\] [^\s:]+: /, '') : error.message

/** What a document has under a key such as "tree.starting_pot". */
export function valueAt(document: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown> | null | undefined)?.[part], document)
}
