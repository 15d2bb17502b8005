import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'

test('whole hands are played from a seat and a street, and what went wrong is repeated', async ({ open, server, solved }) => {
  test.setTimeout(120_000)
  const page = await open(`train/${solved.turn}?mode=hands`)
  const over = page.getByTestId('hand-over')
  const choices = page.getByRole('group', { name: 'What do you do?' })
  /** Plays a hand to its end, always with the last action; says how many decisions there were. */
  const play = async (): Promise<number> => {
    let count = 0
    for (;;) {
      await expect(choices.or(over).first()).toBeVisible()
      if (await over.isVisible()) return count
      count += 1
      await choices.getByRole('button').last().click()
      await expect(page.getByTestId('verdict')).toBeVisible()
      await page.getByRole('button', { name: 'Go on' }).click()
      await expect(page.getByTestId('verdict')).toHaveCount(0)
    }
  }
  let decisions = 0
  for (let hand = 1; hand <= 3; hand++) {
    decisions += await play()
    await expect(page.getByTestId('hands')).toHaveText(String(hand))
    await expect(over.getByRole('img')).not.toHaveCount(0)
    if (hand < 3) await page.getByRole('button', { name: 'Next hand' }).click()
  }
  expect(decisions).toBeGreaterThan(0)

  // Always all-in is wrong somewhere: the worst stands first, and comes again with the same cards.
  const worst = page.getByRole('region', { name: 'Worst decisions' })
  const losses = async (): Promise<number[]> => (await worst.locator('strong').allInnerTexts()).map((text) => Number.parseFloat(text.replace('−', '')))
  const before = await losses()
  expect(before.length).toBeGreaterThan(0)
  expect(before).toEqual([...before].sort((a, b) => b - a))
  const cardsOf = (place: Locator): Promise<(string | null)[]> => place.getByRole('img').evaluateAll((found) => found.map((card) => card.getAttribute('aria-label')))
  const cards = await cardsOf(worst.locator('li').first().locator('.row').first())
  await worst.getByRole('link', { name: 'Repeat' }).first().click()
  await expect(choices).toBeVisible()
  expect(await cardsOf(page.getByTestId('train-combo'))).toEqual(cards)

  // All of them, one after the other: what is played right is none any more.
  // It looks as the decision that is there: only the answer to what the page asks says that it is dealt anew.
  await Promise.all([page.waitForResponse(/\/node\?/), page.getByRole('button', { name: `Repeat mistakes (${before.length})` }).click()])
  await expect(choices).toBeVisible()
  expect(await cardsOf(page.getByTestId('train-combo'))).toEqual(cards)
  await expect(page.getByText(/^Repeats (after|at the first decision)/)).toBeVisible()
  const path = new URLSearchParams(page.url().split('?')[1]).get('start') ?? ''
  const combo = new URLSearchParams(page.url().split('?')[1]).get('hero') ?? ''
  const { combos } = await server.api<{ combos: Record<string, { combo: string; ev_losses: number[] }[]> }>(`/solutions/${solved.turn}/node?path=${encodeURIComponent(path)}`)
  const row = Object.values(combos).flat().find((one) => one.combo === combo && one.ev_losses.length > 0)
  const best = row?.ev_losses.indexOf(Math.min(...row.ev_losses)) ?? -1
  await choices.getByRole('button').nth(best).click()
  await expect(page.getByTestId('verdict')).toBeVisible()
  await expect(worst.locator('strong')).toHaveCount(before.length - 1)
  await page.getByRole('radiogroup', { name: 'Order of decisions' }).getByText('Latest first').click()
  await expect(worst.locator('li').first()).toContainText('no loss')
  await page.getByRole('radiogroup', { name: 'Order of decisions' }).getByText('Worst first').click()
  // To the end of this hand, then the next mistake or fresh hands.
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByTestId('verdict')).toHaveCount(0)
  await play()
  await expect(page.getByTestId('result')).toHaveText(/^(You fold|Your opponent folds|Showdown|All-in)/)
  await page.getByRole('button', { name: 'Next mistake' }).click()
  await expect(choices).toBeVisible()

  // The other seat, from the river on.
  await page.getByRole('radiogroup', { name: 'Your seat' }).getByText('IP', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Decisions from' }).getByText('from the river').click()
  // Hands that end before the river are dealt again.
  await expect(choices).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('in position', { exact: true })).toBeVisible()
  await expect(page.getByText('river', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('hands')).toHaveText(/^[3-9]$/)
})

test('hands begin at a decision that is looked at, hand after hand', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check`)
  await page.getByRole('link', { name: 'Train from here' }).click()
  const choices = page.getByRole('group', { name: 'What do you do?' })
  for (let hand = 1; hand <= 2; hand++) {
    // IP acts after the check, so that the first question is there.
    await expect(choices).toBeVisible()
    await expect(page.getByText('Begins after check')).toBeVisible()
    await expect(page.getByText('OOP check', { exact: true })).toBeVisible()
    await expect(page.getByText('in position', { exact: true })).toBeVisible()
    for (let decision = 0; decision < 20 && !(await page.getByTestId('hand-over').isVisible()); decision++) {
      await choices.getByRole('button').first().click()
      await page.getByRole('button', { name: 'Go on' }).click()
      await expect(choices.or(page.getByTestId('hand-over')).first()).toBeVisible()
    }
    await page.getByRole('button', { name: 'Next hand' }).click()
  }
  await page.getByRole('link', { name: 'From the beginning' }).click()
  await expect(page.getByText('Begins after')).toHaveCount(0)
})

test('decisions are asked from the streets that a solution has', async ({ open, solved }) => {
  const page = await open(`train/${solved.turn}?mode=hands`)
  const from = page.getByRole('radiogroup', { name: 'Decisions from' })
  await expect(from.getByRole('radio')).toHaveCount(2)
  await expect(from.getByRole('radio', { name: 'from the turn' })).toBeChecked()
  await from.getByText('from the river').click()
  await expect(page).toHaveURL(/from=river/)
  await expect(from.getByRole('radio', { name: 'from the river' })).toBeChecked()
})
