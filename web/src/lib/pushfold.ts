/** Jam or fold: what is asked of the server, and how its answer is read. */

import { CLASSES } from './cards'
import type { PushFoldAnswer, PushFoldRequest } from './types'
import { fixed } from './units'

export type Stakes = 'chips' | 'prizes'

/** What the fields say, as text where people write lists. */
export interface PushFoldFields {
  stakes: Stakes
  /** Of both players, in big blinds. */
  stack: number
  /** Of each player, in big blinds. */
  ante: number
  /** With prizes, in chips: small blind's and big blind's stack, blinds, ante, the others, and prizes from the first place on. */
  seats: string
  blinds: string
  chipsAnte: string
  others: string
  payouts: string
}

export const FIRST_FIELDS: PushFoldFields = {
  stakes: 'chips', stack: 10, ante: 0, seats: '3000, 1800', blinds: '50, 100', chipsAnte: '0', others: '2500', payouts: '50, 30, 20',
}

/** Numbers with commas, semicolons or blanks between them; throws if something else is there. */
export function numbersOf(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return parts.map((part) => {
    const value = Number(part)
    if (!Number.isFinite(value)) throw new Error(`“${part}” is no number`)
    return value
  })
}

function several(text: string, what: string, count: number): number[] {
  const numbers = numbersOf(text)
  if (numbers.length !== count) throw new Error(`${what}: write ${count === 1 ? 'one number' : `${count} numbers`}, such as ${what === 'Blinds' ? '50, 100' : what === 'Stacks' ? '3000, 1800' : '10'}`)
  return numbers
}

/** The request; throws with what is missing. */
export function requestOf(fields: PushFoldFields): PushFoldRequest {
  if (fields.stakes === 'chips') return { stacks: [fields.stack, fields.stack], ante: fields.ante }
  const payouts = numbersOf(fields.payouts)
  if (payouts.length === 0) throw new Error('Prizes: write at least one, such as 50, 30, 20')
  const [ante = 0] = several(fields.chipsAnte, 'Ante', 1)
  return { stacks: several(fields.seats, 'Stacks', 2), blinds: several(fields.blinds, 'Blinds', 2), ante, payouts, others: numbersOf(fields.others) }
}

export interface PushFoldSide {
  name: string
  /** What is played instead of a fold, of a class's place in the grid. */
  frequencies: number[]
  evs: number[]
  evFold: number
  share: number
  ev: number
}

/** Both players' charts, whatever their EVs are counted in. */
export function sidesOf(answer: PushFoldAnswer): [PushFoldSide, PushFoldSide] {
  const classes = CLASSES.map((name) => answer.classes[name])
  const { sb, bb } = answer
  return [
    {
      name: 'Small blind jams', share: sb.jam, ev: sb.ev_bb ?? sb.ev ?? 0, evFold: sb.ev_fold_bb ?? sb.ev_fold ?? 0,
      frequencies: classes.map((row) => row?.jam ?? 0), evs: classes.map((row) => row?.ev_jam_bb ?? row?.ev_jam ?? 0),
    },
    {
      name: 'Big blind calls', share: bb.call, ev: bb.ev_bb ?? bb.ev ?? 0, evFold: bb.ev_fold_bb ?? bb.ev_fold ?? 0,
      frequencies: classes.map((row) => row?.call ?? 0), evs: classes.map((row) => row?.ev_call_bb ?? row?.ev_call ?? 0),
    },
  ]
}

export const unitOfPushFold = (answer: PushFoldAnswer): 'bb' | 'prizes' => (answer.payouts ? 'prizes' : 'bb')

/** An EV with its sign and three decimals. */
export const signedEv = (ev: number): string => (ev > 0 ? '+' : '') + fixed(ev, 3)
