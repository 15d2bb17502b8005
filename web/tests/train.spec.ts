import { expect, test } from './fixtures'

test('whole hands are played from a seat and a street, and what went wrong is repeated', async ({ open, solved }) => {
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
  const losses = (await worst.locator('strong').allInnerTexts()).map((text) => Number.parseFloat(text.replace('−', '')))
  expect(losses).toEqual([...losses].sort((a, b) => b - a))
  const cards = await worst.locator('li').first().getByRole('img').evaluateAll((found) => found.map((card) => card.getAttribute('aria-label')))
  await worst.getByRole('link', { name: 'Repeat' }).first().click()
  await expect(choices).toBeVisible()
  const shown = await page.getByTestId('train-combo').getByRole('img').evaluateAll((found) => found.map((card) => card.getAttribute('aria-label')))
  expect(shown).toEqual(cards)

  // The other seat, from the river on.
  await page.getByRole('radiogroup', { name: 'Your seat' }).getByText('IP', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Decisions from' }).getByText('from the river').click()
  await expect(choices.or(over).first()).toBeVisible()
  if (await choices.isVisible()) {
    await expect(page.getByText('in position', { exact: true })).toBeVisible()
    await expect(page.getByText('river', { exact: true })).toBeVisible()
  }
  await page.reload()
  await expect(page.getByTestId('hands')).toHaveText(/^[3-9]$/)
})
