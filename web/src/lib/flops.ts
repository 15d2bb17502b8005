/** Which flops a batch is solved on: a subset that ships, textures of it, or flops that a person typed. */

import type { Flop } from './types'

export const SUBSETS = ['25', '49', '95', 'all'] as const
export type Subset = (typeof SUBSETS)[number]

/** Textures that are wanted; what is empty may be anything. */
export interface Textures {
  suits: string
  pairing: string
  high: string
  connectedness: string
}

export const ANY: Textures = { suits: '', pairing: '', high: '', connectedness: '' }
export const TEXTURES: { key: keyof Textures; text: string; words: string[] }[] = [
  { key: 'suits', text: 'Suits', words: ['rainbow', 'two-tone', 'monotone'] },
  { key: 'pairing', text: 'Pairs', words: ['unpaired', 'paired', 'trips'] },
  { key: 'high', text: 'High card', words: [...'AKQJT98765432'] },
  { key: 'connectedness', text: 'Connectedness', words: ['connected', 'semi-connected', 'disconnected'] },
]

export const isAny = (textures: Textures): boolean => Object.values(textures).every((word) => word === '')

export const ofTextures = (flops: readonly Flop[], textures: Textures): Flop[] =>
  flops.filter((flop) => TEXTURES.every(({ key }) => textures[key] === '' || flop[key] === textures[key]))

/** Flops as people type them: cards in any order, with a weight if wanted, between blanks, commas or lines. */
export const typedFlops = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')

/** What the server is asked for: a name where that says it all. */
export function choiceOf(subset: Subset, flops: readonly Flop[], textures: Textures): { subset: string } | { flops: string[] } {
  if (isAny(textures)) return { subset }
  return { flops: ofTextures(flops, textures).map((flop) => `${flop.board}:${flop.weight}`) }
}
