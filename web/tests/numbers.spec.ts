/** Numbers where one looks, and locks where one plays. */

import { readFileSync } from 'node:fs'
import { cell, expect, isPhone, test } from './fixtures'

test('cells have EVs, and every tab shows the combos of a hand with the EV of each action', async ({ open, solved, server }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check`)
  const { node, combos, solution } = await server.api<{ solution: { exploitability: { chips: number } }; node: { actions: { name: string }[] }; combos: { ip: { combo: string; action_evs: number[] }[] } }>(`/solutions/${solved.turn}/node?path=check`)
  // The digits that the exploitability supports.
  const places = Math.max(0, Math.ceil(-Math.log10(solution.exploitability.chips)))
  await expect(cell(page, 'KQs')).toHaveAccessibleName(/Check \d+ %.*; EV \d/)
  if (!isPhone(page)) await expect(cell(page, 'KQs')).toContainText(/KQs\s*\d/)
  for (const tab of ['Summary', 'Hands', 'Hand categories', 'Equity graph', 'Lock']) {
    await page.getByRole('radiogroup', { name: 'Details' }).getByText(tab, { exact: true }).click()
    if (isPhone(page)) await cell(page, 'KQs').click()
    else await cell(page, 'KQs').hover()
    const detail = page.getByTestId('class-detail')
    await expect(detail).toContainText('KQs')
    // Every action of the first combo with its EV.
    const row = combos.ip.find((one) => one.combo === 'KsQs')
    for (let i = 0; i < node.actions.length; i++) {
      const ev = row?.action_evs[i] ?? Number.NaN
      await expect(detail).toContainText(ev.toFixed(places).replace('-', '−'))
    }
    if (isPhone(page)) await cell(page, 'KQs').click()
    else await page.mouse.move(0, 0)
  }
})

test('every action has its EV in the table without scrolling at 1280', async ({ open, page, solved }) => {
  test.skip(isPhone(page), 'narrow screens scroll')
  await open(`look/solutions/${solved.turn}?path=check&tab=hands`)
  const table = page.getByRole('region', { name: 'Table of combos' })
  const heads = table.getByRole('columnheader', { name: /^EV (Check|Bet|All-in)/ })
  await expect(heads).not.toHaveCount(0)
  const box = await table.boundingBox()
  for (const head of await heads.all()) {
    const place = await head.boundingBox()
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0))
  }
})

test('both grids stand side by side where there is room', async ({ open, page, solved }) => {
  test.skip(isPhone(page), 'a phone has no room')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open(`look/solutions/${solved.turn}?path=check`)
  const other = page.getByTestId('other-grid')
  await expect(other.getByRole('grid', { name: /^OOP/ })).toBeVisible()
  await expect(page.getByRole('grid', { name: /^IP/ })).toBeVisible()
  await other.locator('[data-class="AA"]').hover()
  await expect(page.getByTestId('class-detail').filter({ hasText: 'AA' })).toBeVisible()
  // The space is used.
  expect(await page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().width ?? 0)).toBeGreaterThan(1800)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(other).toHaveCount(0)
})

test('hands are filtered by suit and by words', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check&tab=hands`)
  const table = page.getByRole('region', { name: 'Table of combos' })
  await page.getByLabel('Filter hands').fill('KQs')
  await expect(table.locator('tbody tr')).toHaveCount(3)
  await page.getByRole('button', { name: 'Only with hearts' }).click()
  await expect(table.locator('tbody tr')).toHaveCount(1)
  await expect(cell(page, 'AQs')).toHaveAccessibleName(/not in the range/)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(cell(page, 'AQs')).not.toHaveAccessibleName(/not in the range/)
  await page.getByLabel('Filter hands').fill('set')
  await expect(cell(page, '99')).not.toHaveAccessibleName(/not in the range/)
  await expect(cell(page, '44')).toHaveAccessibleName(/not in the range/)
})

test('runouts are a table with the mix of actions, sorted and saved', async ({ open, solved, server }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check+check&runouts=table`)
  const rows = page.locator('[data-runout]')
  await expect(rows).toHaveCount(48, { timeout: 20_000 })
  const { runouts } = await server.api<{ runouts: { card: string; node: { players: { oop: { ev: number } }; actions: { name: string; frequency: number }[] } }[] }>(`/solutions/${solved.turn}/runouts?path=check+check`)
  await page.getByRole('button', { name: /^OOP EV/ }).click()
  const best = runouts.toSorted((a, b) => b.node.players.oop.ev - a.node.players.oop.ev)[0]
  await expect(rows.first()).toHaveAttribute('data-runout', best?.card ?? '')
  await expect(rows.first().getByRole('img').last()).toHaveAccessibleName(/Check \d+ %/)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save CSV' }).click()])
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(49)
  expect(lines[0]).toMatch(/^card,board,oop_equity,oop_ev,ip_equity,ip_ev,acts,check,/)
  const line = lines.find((one) => one.startsWith(`${best?.card},`))?.split(',') ?? []
  expect(Number(line[3])).toBeCloseTo(best?.node.players.oop.ev ?? 0, 6)
  await rows.first().getByRole('button').click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', `check check | ${best?.card} |`)
})

test('ranges, tables, commands and links are copied', async ({ open, page, solved }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(`look/solutions/${solved.turn}?path=check`)
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await copied()).toBe(`equipoise show ${solved.turn} --node 'check'`)
  await page.getByRole('button', { name: 'Copy the range as text' }).click()
  await expect.poll(copied).toMatch(/^[2-9TJQKA]/)
  await page.getByRole('radiogroup', { name: 'Details' }).getByText('Hands', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy the table' }).click()
  await expect.poll(copied).toMatch(/^combo\tweight\tequity\tev\teqr\tcheck\t/)
})

test('locks are painted on the grid', async ({ open, page, solved, server }) => {
  await open(`look/solutions/${solved.turn}?path=check&tab=lock`)
  await page.getByRole('radiogroup', { name: 'What is locked' }).getByText('Paint').click()
  await page.getByRole('button', { name: 'Always Check' }).click()
  await cell(page, 'AQs').scrollIntoViewIfNeeded()
  const [from, to] = [await cell(page, 'AQs').boundingBox(), await cell(page, 'ATs').boundingBox()]
  if (!from || !to) throw new Error('the grid is not in sight')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(to.x + 8, to.y + 8, { steps: 2 })
  await page.mouse.up()
  for (const hand of ['AQs', 'AJs', 'ATs']) await expect(cell(page, hand)).toHaveAccessibleName(/Check 100 %.*; locked/)
  await expect(cell(page, 'A9s')).not.toHaveAccessibleName(/locked/)
  const lines = page.getByRole('region', { name: 'Details' }).locator('li code')
  await expect(lines).toHaveText(['check => AQs = check @ 1', 'check => AJs = check @ 1', 'check => ATs = check @ 1'])
  await page.getByLabel('Unlock what is painted').check()
  await cell(page, 'AJs').click()
  await expect(lines).toHaveCount(2)
  const { toml } = await server.api<{ toml: string }>(`/solutions/${solved.turn}`)
  await server.api('/spots/check', { toml, locks: await lines.allInnerTexts() })
  for (const name of ['AQs', 'ATs']) await page.getByRole('button', { name: `Unlock check => ${name} = check @ 1` }).click()
})

test('a strategy is scaled, re-solved, and its decision marked as locked', async ({ open, page, solved, server }) => {
  test.setTimeout(120_000)
  await open(`look/solutions/${solved.river}?path=check&tab=lock`)
  await page.getByRole('radiogroup', { name: 'What is locked' }).getByText('Scale').click()
  await page.getByLabel('How often against the solved strategy').fill('50')
  const { node } = await server.api<{ node: { actions: { name: string; frequency: number }[] } }>(`/solutions/${solved.river}/node?path=check`)
  const check = node.actions[0]?.frequency ?? 0
  // Half as often.
  await expect(page.getByTestId('scaled')).toContainText(`${(50 * check).toFixed(1)} %`)
  await page.getByRole('button', { name: 'Lock the scaled strategy' }).click()
  await page.getByRole('button', { name: /^Re-solve with \d+ locks/ }).click()
  const job = page.getByTestId('job')
  await expect(job.getByText('done', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await job.getByRole('link', { name: 'Browse', exact: true }).click()
  await page.locator('[data-action=check]').click()
  // As often but for what OOP's new play takes away of the range.
  await expect.poll(async () => Math.abs(Number.parseFloat(await page.getByTestId('frequency-check').innerText()) - 50 * check)).toBeLessThan(1)
  await expect(page.getByTestId('locked')).toContainText('IP is locked here')
  await expect(page.getByRole('navigation', { name: 'The way here' })).toContainText('locked')
})
