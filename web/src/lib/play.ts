/** What the page says of a hand at a table, and sizes on a slider. */

import type { LegalSizes, ReviewedDecision, Street, TableAction, TableHand } from './types'
import { fixed } from './units'

/** An amount in big blinds without zeros at its end. */
export const bb = (amount: number): string => `${fixed(amount, 2).replace(/\.?0+$/, '')} bb`

/** What was won or lost. */
export function signedBb(amount: number, places = 2): string {
  const text = fixed(amount, places)
  return amount > 0 && Number(text) > 0 ? `+${text}` : text
}

const CHIP = 1e-9

/** The nearest legal size. */
export function legalSize(wanted: number, sizes: LegalSizes): number {
  if (!Number.isFinite(wanted)) return sizes.min_bb
  const chips = Math.round(wanted / sizes.step_bb) * sizes.step_bb
  const size = Math.min(Math.max(chips, sizes.min_bb), sizes.max_bb)
  return Math.round(size * 1e6) / 1e6
}

/** The size that a slider begins with: three quarters of the pot, or the least. */
export const firstSize = (sizes: LegalSizes): number => sizes.presets.find(({ name }) => name === '75 %')?.to_bb ?? sizes.min_bb

/** Places of the slider; sizes grow by equal ratios, so that small bets are not all at its end. */
export const SLIDER = 1000

export function sizeAt(place: number, sizes: LegalSizes): number {
  const { min_bb: min, max_bb: max } = sizes
  if (place >= SLIDER) return max
  const size = min * (max / min) ** (Math.max(place, 0) / SLIDER)
  // Tenths of a big blind are what people say.
  return legalSize(size < min + CHIP ? min : Math.round(size * 10) / 10, sizes)
}

export function placeOf(size: number, sizes: LegalSizes): number {
  const { min_bb: min, max_bb: max } = sizes
  if (max <= min) return SLIDER
  return Math.round((SLIDER * Math.log(Math.min(Math.max(size, min), max) / min)) / Math.log(max / min))
}

export const isAllIn = (size: number, sizes: LegalSizes): boolean => size >= sizes.max_bb - CHIP

/** What a bet or raise to a size is called on its button. */
export function sizeText(size: number, sizes: LegalSizes): string {
  if (isAllIn(size, sizes)) return `All-in ${bb(size)}`
  return `${sizes.kind === 'bet' ? 'Bet' : 'Raise to'} ${bb(size)}`
}

export interface StreetActions {
  street: 'preflop' | Street
  actions: TableAction[]
}

/** The actions of a hand by street. */
export function byStreet(hand: TableHand): StreetActions[] {
  const streets: StreetActions[] = []
  for (const action of hand.actions) {
    const last = streets.at(-1)
    if (last?.street === action.street) last.actions.push(action)
    else streets.push({ street: action.street, actions: [action] })
  }
  return streets
}

/** What the bot, or the person, did last on the street that is played. */
export function lastAction(hand: TableHand, by: 'you' | 'bot'): string {
  const last = hand.actions.filter((action) => action.street === hand.street && action.by === by).at(-1)
  return last?.text ?? ''
}

/** How a hand ended, for people. */
export function resultText(hand: TableHand): string {
  if (!hand.result) return ''
  const { won_bb: won, bot_cards: shown } = hand.result
  const folded = hand.actions.at(-1)?.kind === 'fold' ? (hand.actions.at(-1)?.by === 'bot' ? 'The bot folds. ' : 'You fold. ') : ''
  const ended = shown ? 'Showdown. ' : folded
  if (won === 0) return `${ended}The pot is split.`
  return `${ended}You ${won > 0 ? 'win' : 'lose'} ${bb(Math.abs(won))}.`
}

/** A loss with what is not certain of it. */
export function lossText(decision: ReviewedDecision): string {
  const loss = `${fixed(decision.ev_loss_bb, 2)}`
  return decision.std_error_bb > 0 ? `${loss} ± ${fixed(1.96 * decision.std_error_bb, 2)} bb` : `${loss} bb`
}

/** How dear a decision was: nothing, little, or much. */
export function lossGrade(decision: ReviewedDecision): 'good' | 'fair' | 'dear' {
  const sure = decision.ev_loss_bb - 1.96 * decision.std_error_bb
  if (decision.ev_loss_bb < 0.05 || sure <= 0) return 'good'
  return decision.ev_loss_bb < 0.5 ? 'fair' : 'dear'
}

/** What a decision is compared with. */
export function sourceText(decision: ReviewedDecision): string {
  if (decision.source !== 'resolved') return 'against the blueprint’s own play, on boards that were drawn'
  return `against the street re-solved to ${fixed(decision.exploitability_pct ?? 0, 1)} % of the pot`
}
