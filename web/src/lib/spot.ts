/** The spot that is being set up, and what the page changes in it. */

import { RANKS, splitCards } from './cards'
import type { SizeKey, SpotFile, Street, StreetSizes as WrittenSizes } from './types'

/** What is left out may be null as well, at any depth. */
type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { [Key in keyof T]: undefined extends T[Key] ? Draft<NonNullable<T[Key]>> | null : Draft<T[Key]> }
    : T

/** A spot file that is being edited. */
export type SpotDocument = Draft<SpotFile>

/** Donk sizes that are null are those of bets, even where the preset has others; empty ones allow no bet. */
export type StreetSizes = Draft<WrittenSizes>

export const STREETS: readonly Street[] = ['flop', 'turn', 'river']
export const SIZE_KEYS: readonly SizeKey[] = ['oop_bet', 'oop_raise', 'oop_donk', 'ip_bet', 'ip_raise']

/** What the presets of the program stand for, to be shown where nothing is written. */
export const MENU_PRESETS: Record<string, Record<Street, StreetSizes>> = (() => {
  const both = (bet: string, raise: string, donk?: string): StreetSizes => ({
    oop_bet: bet, oop_raise: raise, ip_bet: bet, ip_raise: raise, ...(donk ? { oop_donk: donk } : {}),
  })
  const [simple, standard] = [both('60%', '2.5x'), both('60%, e, a', '2.5x')]
  return {
    simple: { flop: simple, turn: simple, river: simple },
    standard: { flop: standard, turn: standard, river: both('60%, e, a', '2.5x', '50%') },
    wide: {
      flop: both('33%, 75%', '60%'),
      turn: both('75%, 150%', '60%'),
      river: both('33%, 75%, 150%, a', '60%, a'),
    },
  }
})()

/** A spot to begin with: single raised pot, button against big blind, in hundredths of a big blind. */
export const firstSpot = (): SpotDocument => ({
  schema_version: 1,
  ranges: {
    oop: '66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s',
    ip: 'QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+',
  },
  cards: { flop: 'Td9d6h', turn: 'Qc' },
  tree: { big_blind: 100, starting_pot: 550, effective_stack: 9750, preset: 'standard' },
  solver: { target_exploitability_pct: 0.3, max_iterations: 1000 },
})

export function boardOf(spot: SpotDocument): string[] {
  return splitCards(`${spot.cards.flop}${spot.cards.turn ?? ''}${spot.cards.river ?? ''}`)
}

/** Puts a board into a spot; fewer than three cards are kept as they are, and the check says what is missing. */
export function withBoard(spot: SpotDocument, board: readonly string[]): SpotDocument {
  const cards: SpotDocument['cards'] = { flop: board.slice(0, 3).join('') }
  if (board[3]) cards.turn = board[3]
  if (board[4]) cards.river = board[4]
  return { ...spot, cards }
}

export const firstStreet = (board: readonly string[]): Street => (board.length >= 5 ? 'river' : board.length === 4 ? 'turn' : 'flop')

/** The streets that are played from this board on. */
export const playedStreets = (board: readonly string[]): Street[] => STREETS.slice(STREETS.indexOf(firstStreet(board)))

/** What is written for a menu, or what the preset puts there. */
export function sizesOf(spot: SpotDocument, street: Street, key: SizeKey): { text: string; own: boolean } {
  const own = spot.bet_sizes?.[street]?.[key]
  if (key === 'oop_donk' && own === null) return { text: '', own: true }
  if (key === 'oop_donk' && own?.trim() === '') return { text: NO_DONK, own: true }
  if (own !== undefined && own !== null) return { text: own, own: true }
  return { text: presetSizes(spot, street, key), own: false }
}

/** Instead of donk sizes: no bets. Nothing at all means the sizes of bets, as everywhere. */
export const NO_DONK = 'none'

const presetSizes = (spot: SpotDocument, street: Street, key: SizeKey): string => MENU_PRESETS[spot.tree.preset ?? '']?.[street][key] ?? ''

/** Writes sizes; text that is just what the preset says is not written again, and no donk sizes are those of bets, as the field says. */
export function withSizes(spot: SpotDocument, street: Street, key: SizeKey, text: string): SpotDocument {
  const sizes: StreetSizes = { ...spot.bet_sizes?.[street] }
  if (text.trim() === presetSizes(spot, street, key)) delete sizes[key]
  else if (key !== 'oop_donk') sizes[key] = text
  else sizes[key] = text.trim() === '' ? null : text.trim().toLowerCase() === NO_DONK ? '' : text
  return { ...spot, bet_sizes: { ...spot.bet_sizes, [street]: sizes } }
}

/** The same spot with words instead of nulls: a file without donk sizes would get those of the preset. */
export function withDonks(spot: SpotDocument): SpotDocument {
  const written = STREETS.map((street) => {
    const sizes = spot.bet_sizes?.[street]
    const isAsBet = sizes?.oop_donk === null && presetSizes(spot, street, 'oop_donk') !== ''
    return [street, isAsBet ? { ...sizes, oop_donk: sizesOf(spot, street, 'oop_bet').text } : sizes] as const
  })
  return spot.bet_sizes ? { ...spot, bet_sizes: Object.fromEntries(written) } : spot
}

/** A flop as players write it: "Q72r", with r, tt or m for three, two or one suit; then turn and river. */
export function textureName(board: readonly string[]): string {
  const [flop, later] = [board.slice(0, 3), board.slice(3)]
  const ranks = flop.map((card) => card[0] ?? '').sort((a, b) => RANKS.indexOf(b) - RANKS.indexOf(a)).join('')
  const suits = new Set(flop.map((card) => card[1])).size
  return [`${ranks}${flop.length < 3 ? '' : suits === 3 ? 'r' : suits === 2 ? 'tt' : 'm'}`, ...later].join(' ')
}

/** Who raised whom, by the names of both ranges: "BTN v BB SRP"; nothing where ranges have others. */
export function formationName({ oop, ip }: SpotDocument['ranges']): string {
  for (const [first, second] of [[ip, oop], [oop, ip]]) {
    const both = `${first?.trim()} ${second?.trim()}`
    const raised = /^@(\w+)-open @(\w+)-call-v-\1$/.exec(both)
    if (raised) return `${seatNames(`${raised[1]} v ${raised[2]}`)} SRP`
    const reraised = /^@(\w+)-call-(\d)bet-v-(\w+) @\3-\2bet-v-\1$/.exec(both)
    if (reraised) return `${seatNames(`${reraised[1]} v ${reraised[3]}`)} ${reraised[2]}-bet`
  }
  return ''
}
const seatNames = (seats: string): string => seats.toUpperCase().replace(' V ', ' v ')

/** What players sat down with, to the nearest of what pot and stack allow for: the blinds of others may be in the pot. */
function isHundredBlinds(pot: number, stack: number): boolean {
  const most = stack + pot / 2
  return most >= 100 && most - 0.75 <= 100
}

/** A name for a solve that people recognise. */
export function spotName(spot: SpotDocument): string {
  const { starting_pot, effective_stack, big_blind: blind } = spot.tree
  const formation = formationName(spot.ranges)
  if (formation !== '' && typeof blind === 'number' && blind > 0 && typeof starting_pot === 'number' && typeof effective_stack === 'number') {
    const [pot, stack] = [starting_pot / blind, effective_stack / blind]
    return `${formation} · ${textureName(boardOf(spot))}${isHundredBlinds(pot, stack) ? '' : `, ${Math.round(100 * stack) / 100} bb behind`}`
  }
  const amount = (chips: number | string): string => (typeof blind === 'number' && blind > 0 && typeof chips === 'number' ? `${Math.round((100 * chips) / blind) / 100} bb` : String(chips))
  return `${textureName(boardOf(spot))} · pot ${amount(starting_pot)}, stacks ${amount(effective_stack)}`
}
