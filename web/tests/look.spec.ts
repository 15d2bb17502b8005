import { cell, expect, isPhone, test } from './fixtures'

interface Kind {
  kind: string
  share: number
  actions: { frequency: number }[]
}
interface Node {
  node: { actions: { name: string; frequency: number }[] }
  by_kind: Kind[]
}

const path = (page: import('@playwright/test').Page) => page.getByTestId('look')

test('arrow keys walk the tree, and the browser goes back', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}`)
  await expect(path(page)).toHaveAttribute('data-path', '')
  await page.keyboard.press('ArrowRight')
  await expect(path(page)).toHaveAttribute('data-path', 'check')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(path(page)).toHaveAttribute('data-path', /^check bet:\d+$/)
  await page.keyboard.press('ArrowLeft')
  await expect(path(page)).toHaveAttribute('data-path', 'check')
  // The way that was taken is taken again.
  await page.keyboard.press('ArrowRight')
  await expect(path(page)).toHaveAttribute('data-path', /^check bet:\d+$/)
  await page.goBack()
  await expect(path(page)).toHaveAttribute('data-path', 'check')
})

test('the card that comes is chosen from a heat map, and can be changed', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check+check`)
  await expect(page.getByRole('button', { name: /^ace of spades: \d/ })).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[data-card="Qc"]')).toBeDisabled()
  await page.getByText('OOP equity').click()
  await expect(page.getByRole('button', { name: /^ace of spades: \d+\.\d %/ })).toBeVisible()
  await page.locator('[data-card="7s"]').click()
  await expect(path(page)).toHaveAttribute('data-path', 'check check | 7s |')
  await page.getByRole('button', { name: 'seven of spades' }).click()
  await page.locator('[data-card="2d"]').click()
  await expect(path(page)).toHaveAttribute('data-path', 'check check | 2d |')
})

test('frequencies, kinds and hands are those of the server', async ({ open, server, solved }) => {
  const answer = await server.api<Node>(`/solutions/${solved.turn}/node?path=check`)
  const page = await open(`look/solutions/${solved.turn}?path=check`)
  for (const action of answer.node.actions) {
    const share = 100 * action.frequency
    const shown = share > 0 && share < 0.05 ? '<0.1 %' : `${share.toFixed(1)} %`
    await expect(page.getByTestId(`frequency-${action.name}`)).toHaveText(shown)
  }
  // The page sums kinds up itself, for both players; the server does so for whoever acts.
  await page.getByText('Hand categories', { exact: true }).click()
  for (const key of ['set', 'straight', 'overcards'] as const) {
    const kind = answer.by_kind.find((row) => row.kind === key)
    const row = page.getByRole('row', { name: new RegExp(`^${key} \\d`) })
    await expect(row.getByRole('cell').nth(1)).toHaveText(`${(100 * (kind?.share ?? 0)).toFixed(1)} %`)
    const shares = kind?.actions.map((action) => `${Math.round(100 * action.frequency)} %`).filter((text) => text !== '0 %') ?? []
    for (const share of shares) await expect(row.getByRole('img')).toHaveAccessibleName(new RegExp(share))
  }
  // A filter filters the grid: a pair of fours is no set here.
  await expect(cell(page, '44')).not.toHaveAccessibleName(/not in the range/)
  await page.getByRole('checkbox', { name: 'set', exact: true }).check()
  await expect(cell(page, '44')).toHaveAccessibleName(/not in the range/)
  await expect(cell(page, '99')).not.toHaveAccessibleName(/not in the range/)
})

test('hands are sorted by every column, and chosen by class', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check&tab=hands`)
  const table = page.getByRole('region', { name: 'Table of combos' })
  const heads = table.getByRole('columnheader')
  await expect.poll(() => heads.count()).toBeGreaterThan(10)
  const count = await heads.count()
  for (let i = 0; i < count; i++) {
    await heads.nth(i).getByRole('button').click()
    await expect(heads.nth(i)).toHaveAttribute('aria-sort', /ascending|descending/)
  }
  await heads.nth(1).getByRole('button').click()
  await expect(heads.nth(1)).toHaveAttribute('aria-sort', 'descending')
  const equities = (await table.locator('tbody tr td:nth-child(2)').allInnerTexts()).map((text) => Number.parseFloat(text)).filter(Number.isFinite)
  expect(equities.length).toBeGreaterThan(5)
  expect(equities).toEqual([...equities].sort((a, b) => b - a))
  await cell(page, '99').click()
  await expect(table.locator('tbody tr')).toHaveCount(3)
})

test('both players, units, modes and patterns', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}`)
  await expect(cell(page, 'AA')).toHaveAccessibleName(/^pair of aces: Check/)
  await page.getByText('IP', { exact: true }).first().click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/not in the range/)
  await page.getByText('OOP', { exact: true }).first().click()
  await page.getByRole('radiogroup', { name: 'What the grid shows' }).getByText('EV').click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/ev \d/)
  await page.getByText('% pot', { exact: true }).click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/ev \d+\.\d %/)
  await page.getByText('bb', { exact: true }).click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/ev \d+\.\d{2,3} bb/)
  await page.getByRole('radiogroup', { name: 'What the grid shows' }).getByText('Equity').click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/equity \d+\.\d %/)
  await page.getByText('Strategy', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Patterns' }).check()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Patterns' })).toBeChecked()
  await cell(page, 'KJs').click()
  await expect(page.getByTestId('class-detail')).toContainText('straight')
  if (isPhone(page)) expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('bets are in percent of the pot that they were made into, wherever one looks', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}`)
  await page.getByText('% pot', { exact: true }).click()
  const now = page.locator('[aria-current=step]')
  await expect(now.locator('[data-action="bet:120"]')).toContainText('Bet 60.0 %')
  await now.locator('[data-action="bet:120"]').click()
  // To 300 over 120, of the 440 that a call makes.
  await expect(now.locator('[data-action="raise:300"]')).toContainText('Raise 40.9 %')
  await page.goto(page.url().replace(/path=[^&]*/, 'path=bet%3A120+call+%7C+7s+%7C+check'))
  await expect(path(page)).toHaveAttribute('data-path', 'bet:120 call | 7s | check')
  // The pot has become 440; the turn's bet was made into 200.
  await expect(page.getByRole('navigation', { name: 'The way here' }).getByRole('button', { name: /^Bet 60\.0 %$/ }).first()).toHaveAttribute('aria-pressed', 'true')
  await expect(now.locator('[data-action="bet:264"]')).toContainText('Bet 60.0 %')
  await page.getByText('chips', { exact: true }).first().click()
})

test('classes, kinds and combos are locked with sliders', async ({ open, solved, server }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check&tab=lock`)
  const scope = page.getByRole('radiogroup', { name: 'What is locked' })
  await cell(page, 'KQs').click()
  await scope.getByText('Class').click()
  await page.getByRole('button', { name: 'Always Check' }).click()
  await page.getByRole('button', { name: 'Lock KQs' }).click()
  await scope.getByText('Category').click()
  await page.getByLabel('Hand category').selectOption('flush_draw')
  await page.getByLabel('How often Check, in percent').fill('40')
  await page.getByRole('button', { name: 'Lock flush draw' }).click()
  await scope.getByText('Combo').click()
  await page.getByRole('combobox', { name: 'Combo' }).selectOption('KhQh')
  await page.getByRole('button', { name: /^Always Bet/ }).first().click()
  await page.getByRole('button', { name: 'Lock KhQh' }).click()
  const lines = page.getByRole('region', { name: 'Details' }).locator('li code')
  await expect(lines).toHaveCount(3)
  const locks = await lines.allInnerTexts()
  expect(locks[0]).toBe('check => KQs = check @ 1')
  expect(locks[1]).toMatch(/^check => flush draw = check @ 0\.4, /)
  expect(locks[2]).toMatch(/^check => KhQh = bet:\d+ @ 1$/)
  // The server understands what the sliders say.
  const { toml } = await server.api<{ toml: string }>(`/solutions/${solved.turn}`)
  await server.api('/spots/check', { toml, locks })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Re-solve with 3 locks' })).toBeVisible()
  await page.getByRole('button', { name: /^Unlock/ }).first().click()
  await expect(page.getByRole('button', { name: 'Re-solve with 2 locks' })).toBeVisible()
})

test('what cannot be opened says why', async ({ open, solved }) => {
  const page = await open('look/solutions/nowhere.eqp')
  await expect(page.getByRole('alert')).toBeVisible()
  await open(`look/solutions/${solved.turn}?path=dance`)
  await expect(page.getByRole('alert')).toContainText('dance')
  await page.getByRole('button', { name: 'To the beginning' }).click()
  await expect(path(page)).toHaveAttribute('data-path', '')
})
