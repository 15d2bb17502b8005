import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { unpackText } from '../src/lib/share'
import type { SpotDocument } from '../src/lib/spot'
import { writeSpot } from '../src/lib/toml'
import { cell, expect, isPhone, test } from './fixtures'
import { TURN } from './spots'

/** Waits until the address holds the spot as it is; that comes a moment after the last change. */
const isShared = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      const packed = new URLSearchParams(page.url().split('?')[1]).get('spot') ?? ''
      const spot = await page.evaluate(() => localStorage.getItem('equipoise.spot') ?? '')
      return spot !== '' && packed !== '' && (await unpackText(packed)) === writeSpot(JSON.parse(spot) as SpotDocument)
    })
    .toBe(true)

test('a range is painted, weighed, typed and chosen', async ({ open }) => {
  const page = await open('setup')
  const text = page.locator('textarea:visible')
  const size = page.locator('[data-testid=range-size]:visible')
  await page.getByRole('button', { name: 'Clear', exact: true }).locator('visible=true').first().click()
  await expect(text).toHaveValue('')

  // A stroke over the first row, from AKs to AJs.
  const [from, to] = [await cell(page, 'AKs').boundingBox(), await cell(page, 'AJs').boundingBox()]
  if (!from || !to) throw new Error('the grid is not in sight')
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 2 })
  await page.mouse.up()
  await expect(text).toHaveValue('AJs+')
  // AcQc is not there: the queen of clubs is on the board.
  await expect(size).toContainText('11.0')

  // Half a brush on a pair, and the same press again takes it away.
  await page.getByLabel('Weight that is painted').locator('visible=true').fill('50')
  await cell(page, 'AA').click()
  await expect(text).toHaveValue('AA:0.5,AJs+')
  await expect(cell(page, 'AA')).toHaveAccessibleName('pair of aces, weight 50 %')
  await cell(page, 'AA').click()
  await expect(text).toHaveValue('AJs+')

  // One suit of a class.
  await page.getByLabel('Weight that is painted').locator('visible=true').fill('100')
  await cell(page, 'KQs').click()
  await page.locator('[data-combo=KhQh]:visible').click()
  await expect(text).toHaveValue('AJs+,KQs,KhQh:0')
  await expect(size).toContainText('13.0')

  // Text of another dialect, with its expansion; nonsense says where.
  await text.fill('AK, T9s+')
  await expect(page.getByText('= AKs, KQs, QJs, JTs, T9s, AKo', { exact: true }).locator('visible=true')).toBeVisible()
  await expect(cell(page, 'AKo')).toHaveAccessibleName(/weight 100 %/)
  await text.fill('QQ+,AKx')
  await expect(page.getByRole('alert').first()).toContainText("unexpected 'x'")

  // Top 15 % and presets.
  await text.fill('15%')
  await expect(cell(page, 'AA')).toHaveAccessibleName(/weight 100 %/)
  await page.getByLabel('Presets').locator('visible=true').selectOption({ index: 1 })
  await expect(text).not.toHaveValue('15%')
})

test('without donk sizes a donk bet has the sizes of bets, as the field says', async ({ open }) => {
  const page = await open('setup')
  const donk = page.getByLabel('river: bets out of position after calling on the street before')
  const [bet, chips] = [page.getByTestId('chips-river-oop_bet'), page.getByTestId('chips-river-oop_donk')]
  await expect(donk).toHaveValue('50%')
  await expect(chips).toHaveText(/→ [\d.]+ bb$/)
  /** Opens the page again when the address has what was written. */
  const reopen = async (write: () => Promise<void>): Promise<void> => {
    await write()
    await isShared(page)
    await page.reload()
  }
  await donk.fill('')
  await expect(donk).toHaveAttribute('placeholder', 'as bet')
  // As many sizes as bets have: 60 %, geometric and all-in.
  await expect(bet).toHaveText(/→ [\d.]+, [\d.]+/)
  await expect(chips).toHaveText(/→ [\d.]+, [\d.]+/)
  // A link has these sizes, written out; no bet only where that is said.
  await donk.fill('50%')
  await expect(chips).toHaveText(/→ [\d.]+ bb$/)
  await reopen(() => donk.fill(''))
  await expect(chips).toHaveText(/→ [\d.]+, [\d.]+/)
  await expect(donk).toHaveValue('60%, e, a')
  await reopen(() => donk.fill('none'))
  await expect(donk).toHaveValue('none')
  await expect(chips).toHaveText('')
  await donk.fill('50%')
  await expect(chips).toHaveText(/→ [\d.]+ bb$/)
})

test('what is painted before a text has been read goes on top of it', async ({ open }) => {
  const page = await open('setup')
  const text = page.locator('textarea:visible')
  await text.fill('QQ')
  // The range before has all of these.
  for (const hand of ['AA', 'AKs', 'JJ']) await expect(cell(page, hand)).toHaveAccessibleName(/weight 0 %|weight 0.0 %/)
  await cell(page, 'AA').focus()
  await page.keyboard.press('ArrowRight')
  // Both in one task of the page: no reading can come between.
  await page.evaluate(() => {
    const area = [...document.querySelectorAll('textarea')].find((element) => element.getClientRects().length > 0)
    if (area) area.value = 'JJ'
    area?.dispatchEvent(new InputEvent('input', { bubbles: true }))
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))
  })
  await expect(text).toHaveValue('JJ,AKs')
})

test('the grid is painted by keyboard', async ({ open }) => {
  const page = await open('setup')
  await page.locator('textarea:visible').fill('QQ')
  await expect(cell(page, 'AA')).toHaveAccessibleName(/weight 0.0 %|weight 0 %/)
  await cell(page, 'AA').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(page.locator('textarea:visible')).toHaveValue('QQ,AKs')
})

test('boards, chips and sizes are checked while they are set', async ({ open }) => {
  const page = await open('setup')
  const board = page.getByTestId('board')
  await page.getByRole('region', { name: 'Board' }).getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeDisabled()
  for (const card of ['Td', '9d', '6h', 'Qc', '2h']) await page.locator(`[data-card="${card}"]`).click()
  await expect(board.getByRole('img')).toHaveCount(5)
  // Five are taken: no other can be.
  await expect(page.locator('[data-card="As"]')).toBeDisabled()
  await expect(page.locator('[data-card="2h"]')).toBeEnabled()
  await page.locator('[data-card="2h"]').click()

  await page.getByLabel('Pot, bb').fill('2')
  await page.getByLabel('Stack, bb').fill('9')
  await expect(page.getByTestId('chips-turn-oop_bet')).toHaveText('→ 1.2, 2.16, 9 bb')
  await page.getByLabel('turn: bets of the player out of position').fill('33%, 75%')
  await expect(page.getByTestId('chips-turn-oop_bet')).toContainText('→ 0.66, 1.5 bb')
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeEnabled()
  await page.getByLabel('turn: bets of the player out of position').fill('33%, banana')
  await expect(page.getByRole('alert').first()).toContainText('banana')
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeDisabled()
})

test('a spot that is too large says what to drop', async ({ open }) => {
  const page = await open('setup')
  await page.getByRole('radio', { name: 'wide' }).check({ force: true })
  await page.getByRole('region', { name: 'Board' }).getByRole('button', { name: 'Clear' }).click()
  for (const card of ['Td', '9d', '6h']) await page.locator(`[data-card="${card}"]`).click()
  for (const street of ['flop', 'turn', 'river']) {
    for (const who of ['out of position', 'in position']) {
      await page.getByLabel(`${street}: bets of the player ${who}`, { exact: true }).fill('20%, 33%, 50%, 66%, 75%, 100%, 125%, 150%, 200%, a')
      await page.getByLabel(`${street}: raises of the player ${who}`, { exact: true }).fill('2x, 2.5x, 3x, 4x, a')
    }
  }
  await expect(page.getByRole('alert').first()).toContainText(/Does not fit|memory|nodes/, { timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeDisabled()
})

test('a spot is opened, saved, shared, and there after a reload', async ({ open, server }) => {
  const page = await open('setup')
  await page.getByLabel('Open a spot file').setInputFiles({ name: 'turn.toml', mimeType: 'text/plain', buffer: Buffer.from(TURN) })
  await expect(page.getByText('turn.toml is open.')).toBeVisible()
  await expect(page.locator('textarea:visible')).toHaveValue(/^66\+,A8s\+/)
  await page.getByLabel('Pot', { exact: true }).fill('250')

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save TOML' }).click()])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toContain('starting_pot = 250')
  // The server reads what the page writes.
  const check = await server.api<{ street: string }>('/spots/check', { toml: saved })
  expect(check.street).toBe('turn')

  await isShared(page)
  const link = page.url()
  await page.reload()
  await expect(page.getByLabel('Pot', { exact: true })).toHaveValue('250')
  // Another browser that knows nothing but the link.
  const context = await page.context().browser()?.newContext()
  const other = await context?.newPage()
  await other?.goto(link)
  await expect(other?.getByLabel('Pot', { exact: true }) ?? page.locator('none')).toHaveValue('250')
  await context?.close()

  await page.goto(`${server.url}/#/setup?spot=nonsense`)
  await page.reload()
  await expect(page.getByRole('alert').first()).toContainText('holds no spot')
})

test('the second range has an editor of its own', async ({ open }) => {
  const page = await open('setup')
  await page.locator('textarea:visible').fill('QQ')
  await page.getByText('In position', { exact: true }).click()
  await page.locator('textarea:visible').fill('JJ')
  await expect(cell(page, 'JJ')).toHaveAccessibleName(/weight 100 %/)
  await page.getByText('Out of position', { exact: true }).click()
  await expect(page.locator('textarea:visible')).toHaveValue('QQ')
  if (isPhone(page)) expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a formation fills everything in, and can be taken back', async ({ open }) => {
  const page = await open('setup')
  await page.getByLabel('Formation').selectOption({ label: 'BTN opens 2.5, BB 3-bets to 11, BTN calls' })
  await expect(page.getByLabel('Pot, bb')).toHaveValue('22.5')
  await expect(page.getByLabel('Stack, bb')).toHaveValue('89')
  await expect(page.getByLabel('Name of the solution')).toHaveAttribute('placeholder', /^BTN v BB 3-bet · /)
  await page.getByLabel('Depth, bb').fill('60')
  await page.getByLabel('Depth, bb').press('Tab')
  await expect(page.getByLabel('Stack, bb')).toHaveValue('49')
  await page.getByRole('combobox', { name: 'Rake', exact: true }).selectOption('nl50')
  await expect(page.getByLabel('Rake cap, bb')).toHaveValue('4')
  await expect(page.getByText('approximations, not solved')).toBeVisible()
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByLabel('Rake cap, bb')).toHaveValue('')
  // Decimals of big blinds are chips; in chips the same spot.
  await page.getByLabel('Pot, bb').fill('6.25')
  await page.getByRole('radiogroup', { name: 'Amounts in' }).getByText('chips').click()
  await expect(page.getByLabel('Pot', { exact: true })).toHaveValue('625')
})

test('a board is typed or dealt, and nonsense is said at once', async ({ open }) => {
  const page = await open('setup')
  const typed = page.getByLabel('Board as text')
  await typed.fill('as 7d,2c')
  await typed.press('Enter')
  await expect(page.getByTestId('board')).toContainText('A')
  await expect(page.locator('[data-card="As"]')).toHaveAttribute('aria-pressed', 'true')
  for (const [text, said] of [['As7d', 'Three to five cards'], ['As7dxx', 'Three to five cards'], ['AsAs7d', 'A card is there twice']] as const) {
    await typed.fill(text)
    await typed.press('Enter')
    await expect(page.getByRole('alert')).toContainText(said)
  }
  await page.getByRole('button', { name: 'Random flop' }).click()
  await expect(page.locator('[data-card][aria-pressed="true"]')).toHaveCount(3)
})

test('ranges and set-ups are kept under names', async ({ open }) => {
  const page = await open('setup')
  const text = page.locator('textarea:visible').first()
  await text.fill('JJ,AKs')
  await page.getByRole('button', { name: 'Keep this range…' }).click()
  await page.getByLabel('Name of this range').fill('tight')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByRole('button', { name: 'Keep this set-up…' }).click()
  await page.getByLabel('Name of this set-up').fill('my spot')
  await page.getByLabel('Name of this set-up').press('Enter')
  await text.fill('22+')
  await page.getByLabel('Pot, bb').fill('1000')
  await page.reload()
  await page.getByLabel('Your ranges').locator('visible=true').selectOption('tight')
  await expect(text).toHaveValue('JJ,AKs')
  await page.getByLabel('Your set-ups').selectOption('my spot')
  await expect(page.getByLabel('Pot, bb')).not.toHaveValue('1000')
  await page.getByRole('button', { name: 'Forget' }).first().click()
  await expect(page.getByLabel('Your set-ups')).toHaveCount(0)
})

test('what was painted or typed a moment ago is solved, kept and saved', async ({ open, page, server }) => {
  await page.route('**/api/v1/ranges/*', async (request) => {
    await new Promise((wake) => setTimeout(wake, 700))
    await request.continue().catch(() => undefined)
  })
  await open('setup')
  await page.getByLabel('Open a spot file').setInputFiles({ name: 'turn.toml', mimeType: 'text/plain', buffer: Buffer.from(TURN) })
  const text = page.locator('textarea:visible')
  await expect(text).toHaveValue(/^66\+,A8s\+/)
  const solve = page.getByRole('button', { name: 'Solve', exact: true })
  await expect(solve).toBeEnabled()
  await text.fill('KK+')
  await cell(page, '22').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save TOML' }).click()])
  expect(readFileSync(await download.path(), 'utf8')).toContain('oop = "KK+,22"')
  await cell(page, '33').click()
  await page.getByRole('button', { name: 'Keep this range…' }).locator('visible=true').first().click()
  await page.getByLabel('Name of this range').fill('quick')
  await page.getByLabel('Name of this range').press('Enter')
  await expect(page.getByLabel('Your ranges').locator('visible=true').first()).toHaveValue('quick')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('KK+,33-22')
  await cell(page, '44').click()
  await solve.click()
  await expect(page).toHaveURL(/#\/solves\//)
  const { toml } = await server.api<{ toml: string }>(`/jobs/${page.url().split('#/solves/')[1]}`)
  expect(toml).toContain('oop = "KK+,44-22"')
})
