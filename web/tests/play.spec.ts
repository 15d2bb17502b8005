/** A table with a bot: hands by mouse and by keyboard, the coach, the review, and decisions in the explorer. */

import { readFileSync } from 'node:fs'
import { expect, isPhone, test } from './fixtures'
import type { Page } from '@playwright/test'

test.describe.configure({ timeout: 120_000 })

async function sitDown(page: Page, coach: boolean): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Play against a blueprint' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^x\.eqb/ })).toBeChecked()
  await page.getByLabel('Seconds for a decision').fill('0.2')
  await page.getByLabel(/Coach: say at once/).setChecked(coach)
  await page.getByRole('button', { name: 'Sit down' }).click()
  await expect(page.getByRole('heading', { name: 'Hand 1' })).toBeVisible()
}

const next = (page: Page) => page.getByRole('button', { name: 'Next hand' })
const passive = (page: Page) => page.getByRole('button', { name: /^(Check|Call)/ })

/** Takes decisions until the hand is over. */
async function playOut(page: Page, decide: () => Promise<void>): Promise<number> {
  for (let decisions = 0; ; decisions += 1) {
    await expect(next(page).or(passive(page)).first()).toBeEnabled({ timeout: 20_000 })
    if (await next(page).isVisible()) return decisions
    const before = await page.getByTestId('own-cards').textContent()
    expect(before).toMatch(/^..?.?..?.?/)
    await decide()
    await expect(page.getByText('One moment…')).toHaveCount(0)
  }
}

test('a hand by mouse and one by keyboard, with the coach, the review and the explorer', async ({ open, page, blueprint }) => {
  expect(blueprint).toBe('x.eqb')
  await open('play')
  await sitDown(page, true)
  // By mouse; the coach speaks at once.
  const decisions = await playOut(page, async () => passive(page).click())
  expect(decisions).toBeGreaterThan(0)
  await expect(page.getByTestId('result')).toContainText(/You (win|lose)|The pot is split/)
  await expect(page.getByTestId('review')).toHaveCount(decisions, { timeout: 20_000 })
  await expect(page.getByTestId('score')).toContainText('bb/100')
  // By keyboard: a size, a raise, and calls; in some hands the bot leaves nothing to raise.
  await page.locator('h1').first().click()
  let [raised, number] = [false, 1]
  const decide = async (): Promise<void> => {
    const sizes = page.getByRole('group', { name: 'Sizes' }).getByRole('button')
    if (!raised && (await sizes.count()) > 1) {
      raised = true
      await page.keyboard.press('1')
      await expect(sizes.first()).toHaveAttribute('aria-pressed', 'true')
      await page.keyboard.press('r')
    } else await page.keyboard.press('c')
    await page.waitForTimeout(50)
  }
  while (!raised && number < 30) {
    number += 1
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: `Hand ${number}` })).toBeVisible()
    await playOut(page, decide)
  }
  expect(raised).toBe(true)
  await expect(page.getByTestId('score').getByText('Hands').locator('xpath=following-sibling::dd')).toHaveText(String(number))
  // A reload keeps the table.
  await page.reload()
  await expect(page.getByRole('heading', { name: `Hand ${number}` })).toBeVisible()
  await expect(next(page)).toBeEnabled()

  await page.getByRole('link', { name: 'Review and end…' }).click()
  await expect(page.getByRole('heading', { name: 'Review of the sitting' })).toBeVisible()
  await expect(page.getByText(/waits? for a review/)).toHaveCount(0, { timeout: 30_000 })
  await expect(page.getByTestId('hands').getByRole('row')).toHaveCount(number + 1)
  await expect(page.getByRole('region', { name: 'By street' })).toContainText('preflop')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /Download hands/ }).click()])
  expect(download.suggestedFilename()).toBe('equipoise.phhs')
  const hands = readFileSync(await download.path(), 'utf8')
  expect(hands).toContain('[1]\nvariant = "NT"')
  expect(hands).toContain('players = ["you", "equipoise"]')
  // Before the flop a decision is in the blueprint's chart.
  await page.goBack()
  await page.getByRole('button', { name: /on the preflop in explorer$/ }).first().click()
  await expect(page).toHaveURL(/#\/preflop\/charts/)
  await expect(page.getByTestId('actions')).toBeVisible()
  // Sitting again at the table, and leaving it for good.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Play' }).click()
  await expect(page.getByRole('heading', { name: `Hand ${number}` })).toBeVisible()
  await page.getByRole('link', { name: 'Review and end…' }).click()
  await page.getByRole('button', { name: 'End the sitting' }).click()
  await expect(page.getByRole('button', { name: 'Sit down' })).toBeVisible()
})

test('sizes have bounds, presets and a slider, and illegal ones are said', async ({ open, page, blueprint }) => {
  expect(blueprint).toBe('x.eqb')
  await open('play')
  await sitDown(page, false)
  const amount = page.getByLabel('Amount in big blinds')
  const raise = page.locator('button[aria-keyshortcuts=r]')
  // The first hand is on the button, where three quarters of the pot are 2.5 big blinds.
  await expect(page.getByText('2 bb to 8 bb are legal, the total of the street')).toBeVisible()
  await expect(amount).toHaveValue('2.5')
  for (const [typed, said] of [['1.5', null], ['9', null], ['x', null], ['3.25', 'Raise to 3.25 bb'], ['8', 'All-in 8 bb']] as const) {
    await amount.fill(typed)
    if (said === null) {
      await expect(page.getByRole('button', { name: 'Raise', exact: true })).toBeDisabled()
      await expect(page.getByRole('alert')).toContainText('are legal')
    } else await expect(page.getByRole('button', { name: said })).toBeEnabled()
  }
  await page.getByRole('button', { name: 'Min', exact: true }).click()
  await expect(raise).toHaveText('Raise to 2 bb')
  const slider = page.getByRole('slider', { name: 'Size of the raise' })
  await slider.focus()
  await page.keyboard.press('End')
  await expect(raise).toHaveText('All-in 8 bb')
  await page.keyboard.press('Home')
  await expect(raise).toHaveText('Raise to 2 bb')
  // Typing an amount presses no keys of the table.
  await amount.fill('')
  await amount.pressSequentially('3')
  await expect(raise).toHaveText('Raise to 3 bb')
  await expect(page.getByRole('heading', { name: 'Hand 1' })).toBeVisible()
  for (const width of isPhone(page) ? [390, 320] : [1280]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, `nothing is cut off at ${width}`).toBe(0)
    await expect(raise).toBeInViewport()
  }
})

test('a decision after the flop opens as a spot that can be solved', async ({ open, page, blueprint }) => {
  expect(blueprint).toBe('x.eqb')
  await open('play')
  await sitDown(page, false)
  const late = page.getByRole('button', { name: /on the (turn|river) in explorer$/ })
  for (let hand = 1; hand < 30; hand += 1) {
    await playOut(page, async () => passive(page).click())
    if ((await late.count()) > 0) break
    await next(page).click()
  }
  await late.first().click()
  await expect(page).toHaveURL(/#\/setup/)
  await expect(page.getByTestId('board').getByRole('img')).not.toHaveCount(3)
  await page.getByRole('button', { name: /^Solve/ }).first().click()
  await expect(page).toHaveURL(/#\/(solves|look)/)
})

test('a table that is gone is said, and the server says what is missing', async ({ open, page }) => {
  await page.addInitScript(() => localStorage.setItem('equipoise.table', JSON.stringify('0123456789abcdef0123456789abcdef')))
  await open('play')
  await expect(page.getByText('Your table is gone')).toBeVisible()
})
