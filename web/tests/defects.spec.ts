/** Each of these went wrong once. */

import type { Page } from '@playwright/test'
import { cell, expect, isPhone, test } from './fixtures'
import { LONG, RIVER } from './spots'

const look = (page: Page) => page.getByTestId('look')

/** Requests that the server refused, while something is done. */
function refused(page: Page): string[] {
  const list: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) list.push(`${response.status()} ${response.url()}`)
  })
  return list
}

/** What stands out of the page to the right, or is cut off by its own box. */
const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    const told: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('main *, header *')) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || element.closest('[class*=scroll], nav, [role=region], .segmented, .tools, .visually-hidden, svg, .u-wrap')) continue
      if (box.right > wide + 1 && box.left < wide) told.push(`${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40) ?? ''}`)
    }
    return told
  })

test('a big blind is a hundred chips, as the guide advises', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}`)
  await page.getByText('bb', { exact: true }).click()
  await expect(page.getByLabel('Chips of a big blind')).toHaveValue('100')
  await expect(page.getByTestId('pot')).toContainText('2.00 bb')
  await page.getByText('chips', { exact: true }).first().click()
})

test('a solution whose spot says what a big blind is opens in big blinds', async ({ open, server, page }) => {
  const id = await server.solve('blinds', RIVER.replace('starting_pot = 200', 'big_blind = 40\nstarting_pot = 200'))
  await open(`look/solutions/${id}`)
  await expect(page.getByTestId('pot')).toContainText('pot 5.00 bb')
  await expect(page.getByRole('radiogroup', { name: 'Units' }).getByRole('radio', { name: 'bb', exact: true })).toBeChecked()
  // It is known: nothing to fill in.
  await expect(page.getByLabel('Chips of a big blind')).toHaveCount(0)
  await expect(page.locator('[data-action="bet:120"]').first()).toContainText('Bet 60 % (3 bb)')
  const { solution } = await server.api<{ solution: { big_blind: number; exploitability: { chips: number } } }>(`/solutions/${id}/node?path=`)
  const places = Math.ceil(-Math.log10(solution.exploitability.chips / solution.big_blind))
  await expect(cell(page, 'AA')).toHaveAccessibleName(new RegExp(`EV −?\\d+\\.\\d{${places}} bb$`))
  await open(`train/${id}`)
  await expect(page.getByText(/stacks OOP \d+\.\d\d bb/)).toBeVisible()
  await open('library')
  await expect(page.locator(`[data-solution="${id}"]`)).toContainText('pot 5.00 bb, stacks 22.50 bb')
})

test('arrow keys walk the tree after a click on a tab, a mode or a box', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}`)
  await expect(look(page)).toHaveAttribute('data-path', '')
  for (const press of [
    () => page.getByRole('radiogroup', { name: 'Details' }).getByText('Hand categories').click(),
    () => page.getByRole('radiogroup', { name: 'What the grid shows' }).getByText('Equity').click(),
    () => page.getByRole('checkbox', { name: 'set', exact: true }).click(),
    () => page.getByRole('radiogroup', { name: 'Units' }).getByText('% pot').click(),
  ]) {
    await press()
    await page.keyboard.press('ArrowRight')
    await expect(look(page)).toHaveAttribute('data-path', 'check')
    await page.keyboard.press('ArrowLeft')
    await expect(look(page)).toHaveAttribute('data-path', '')
  }
  await page.getByRole('radiogroup', { name: 'Units' }).getByText('chips').click()
})

test('a solve says at once what it does, and its clock goes on', async ({ open, server }) => {
  const job = await server.api<{ id: string }>('/jobs', { name: 'clock', toml: LONG })
  const page = await open(`solves/${job.id}`)
  // As a spot whose first iteration takes long: the server knows of none yet.
  await page.route(`**/api/v1/jobs`, async (request) => {
    const answer = await request.fetch()
    const body = (await answer.json()) as { jobs: Record<string, unknown>[] }
    for (const one of body.jobs) if (one['id'] === job.id) Object.assign(one, { iteration: 0, elapsed_s: 0.001, exploitability: null, checks: [] })
    await request.fulfill({ response: answer, json: body })
  })
  await page.route('**/events', (request) => request.fulfill({ contentType: 'text/event-stream', body: '' }))
  await page.reload()
  const panel = page.getByTestId('job')
  await expect(panel).toContainText('the first iteration runs')
  await expect(panel).toContainText('measured after 10 iterations')
  const clock = panel.getByTestId('elapsed')
  await expect(clock).toHaveText(/\d/)
  await expect(clock).not.toHaveText('1 ms')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await expect(panel.getByTestId('elapsed')).toHaveText(/\d/)
  await server.api(`/jobs/${job.id}/stop`, {})
})

test('two solutions are compared where a card comes', async ({ open, solved, server }) => {
  const page = await open(`compare/${solved.turn}/${solved.turn}?path=check+check`)
  await expect(page.getByText('what the second has more than the first')).toBeVisible()
  // The same solution twice: no card makes a difference.
  await expect(page.getByRole('button', { name: /^ace of spades: 0/ })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Counting what every card does…')).toHaveCount(0)
  await page.locator('[data-card="7s"]').click()
  await expect(page.getByTestId('differences')).toBeVisible()
  expect((await server.api<{ solutions: unknown[] }>('/solutions')).solutions.length).toBeGreaterThan(2)
})

test('a board that is being picked is no error, and asks the server nothing', async ({ open }) => {
  const page = await open('setup')
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeEnabled()
  const bad = refused(page)
  await page.getByRole('region', { name: 'Board' }).getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('Pick three cards for the flop.')).toBeVisible()
  for (const card of ['Td', '9d']) await page.locator(`[data-card="${card}"]`).click()
  await expect(page.getByText('Pick one more card for the flop.')).toBeVisible()
  await page.locator('[data-card="6h"]').click()
  await expect(page.getByText(/^Pick .* for the flop/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Solve', exact: true })).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.goto(`${page.url().split('#')[0]}#/equity`)
  await expect(page.getByTestId('equity-0')).toHaveText(/%/)
  for (const card of ['Td', '9d']) await page.locator(`[data-card="${card}"]`).click()
  await expect(page.getByText('pick one more.')).toBeVisible()
  await page.locator('[data-card="6h"]').click()
  await expect(page.getByTestId('equity-0')).toHaveText(/%/)
  expect(bad).toEqual([])
})

test('picking the card that comes asks for nothing that is not there', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check+check`)
  const bad = refused(page)
  await expect(page.getByRole('button', { name: /^ace of spades: \d/ })).toBeVisible({ timeout: 20_000 })
  for (const card of ['7s', '2d', 'Ac']) {
    await page.locator(`[data-card="${card}"]`).click()
    await expect(look(page)).toHaveAttribute('data-path', `check check | ${card} |`)
    await page.goBack()
    await expect(page.locator(`[data-card="${card}"]`)).toBeVisible()
  }
  expect(bad).toEqual([])
})

test('numbers of another input are not shown beside an error', async ({ open }) => {
  const page = await open('equity')
  const players = page.getByLabel(/^Player \d/)
  await players.nth(0).fill('AhAd')
  await expect(page.getByTestId('equity-0')).toHaveText(/%/)
  await players.nth(0).fill('AhAx')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByTestId('equity-0')).toHaveText('')
  await players.nth(0).fill('QQ+')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByTestId('equity-0')).toHaveText(/%/)
})

test('a server that is back is not said to be away, and what was asked for is shown', async ({ open, server, solved }) => {
  const page = await open('library')
  await expect(page.locator(`[data-solution="${solved.turn}"]`)).toBeVisible()
  await server.stop()
  await page.getByRole('link', { name: 'Equity' }).click()
  await page.getByRole('link', { name: 'Library' }).click()
  await expect(page.getByText('The server does not answer')).toBeVisible()
  await server.start()
  await expect(page.getByText(/server does not answer/i)).toHaveCount(0)
  await expect(page.locator(`[data-solution="${solved.turn}"]`)).toBeVisible()
})

test('moving the slider of the top hands leaves a painted range alone, and undo brings one back', async ({ open }) => {
  const page = await open('setup')
  const text = page.locator('textarea:visible')
  await text.fill('QQ')
  await expect(cell(page, 'AKs')).toHaveAccessibleName(/weight 0/)
  await cell(page, 'AKs').click()
  await expect(text).toHaveValue('QQ,AKs')
  await page.getByLabel('Top share of all hands').locator('visible=true').fill('30')
  await page.waitForTimeout(300)
  await expect(text).toHaveValue('QQ,AKs')
  await page.getByRole('button', { name: 'Use', exact: true }).locator('visible=true').click()
  await expect(text).toHaveValue('30%')
  const undo = page.getByRole('button', { name: 'Undo', exact: true }).locator('visible=true')
  await undo.click()
  await expect(text).toHaveValue('QQ,AKs')
  await expect(cell(page, 'AKs')).toHaveAccessibleName(/weight 100 %/)
  await undo.click()
  await expect(text).toHaveValue('QQ')
  await page.getByRole('button', { name: 'Redo', exact: true }).locator('visible=true').click()
  await expect(text).toHaveValue('QQ,AKs')
})

test('undo takes back one step however slowly the server reads', async ({ open, page }) => {
  await page.route('**/api/v1/ranges/*', async (request) => {
    await new Promise((wake) => setTimeout(wake, 400))
    await request.continue().catch(() => undefined)
  })
  await open('setup')
  const text = page.locator('textarea:visible')
  const undo = page.getByRole('button', { name: 'Undo', exact: true }).locator('visible=true')
  const before = await text.inputValue()
  // Painted on before it was read: what was typed is a step of its own.
  await expect(cell(page, 'AKs')).toHaveAccessibleName(/weight 100 %/)
  await text.fill('QQ')
  await cell(page, '72o').click()
  await expect(text).toHaveValue('QQ,72o')
  // Undone before it was read.
  await page.getByLabel('Top share of all hands').locator('visible=true').fill('30')
  await page.getByRole('button', { name: 'Use', exact: true }).locator('visible=true').click()
  await undo.click()
  await expect(text).toHaveValue('QQ,72o')
  await undo.click()
  await expect(text).toHaveValue('QQ')
  await expect(cell(page, 'AKs')).toHaveAccessibleName(/weight 0/)
  await expect(cell(page, 'QQ')).toHaveAccessibleName(/weight 100 %/)
  // A stroke that has no text yet.
  await cell(page, 'KK').click()
  await undo.click()
  await expect(cell(page, 'KK')).toHaveAccessibleName(/weight 0/)
  await expect(text).toHaveValue('QQ')
  await undo.click()
  await expect(text).toHaveValue(before)
})

test('undo outlives other pages, and a server that was away', async ({ open, server }) => {
  const page = await open('setup')
  const text = page.locator('textarea:visible')
  const undo = page.getByRole('button', { name: 'Undo', exact: true }).locator('visible=true')
  await text.fill('QQ')
  await cell(page, '72o').click()
  await expect(text).toHaveValue('QQ,72o')
  await page.getByRole('link', { name: 'Library' }).click()
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible()
  await page.getByRole('link', { name: 'Set up', exact: true }).first().click()
  await expect(text).toHaveValue('QQ,72o')
  await undo.click()
  await expect(text).toHaveValue('QQ')
  await server.stop()
  await expect(page.getByText('The server does not answer')).toBeVisible()
  // What is typed meanwhile is read when it is back.
  await text.fill('JJ')
  await server.start()
  await expect(page.getByText('The server does not answer')).toBeHidden()
  await expect(cell(page, 'JJ')).toHaveAccessibleName(/weight 100 %/)
  await expect(text).toHaveValue('JJ')
  await undo.click()
  await expect(text).toHaveValue('QQ')
  await expect(cell(page, 'JJ')).toHaveAccessibleName(/weight 0/)
})

test('pages never ask with the address of another one', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check`)
  const bad = refused(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await expect(look(page)).toHaveAttribute('data-path', 'check')
  for (const hash of ['library', `train/${solved.turn}`, 'setup', `look/solutions/${solved.river}`, `compare/${solved.turn}/${solved.river}`, 'solves', 'batches', 'equity', `look/solutions/${solved.turn}?path=check`]) {
    await page.evaluate((to) => (location.hash = `#/${to}`), hash)
    await expect(page.locator('main')).not.toBeEmpty()
    await page.waitForTimeout(150)
  }
  expect(bad).toEqual([])
  expect(asked.filter((url) => /\/(solutions|jobs)\/(\/|undefined|node)/.test(url))).toEqual([])
})

test('broken addresses say so', async ({ open, page, server }) => {
  await open('setup?spot=AAAA')
  await expect(page.getByRole('alert').first()).toContainText('holds no spot that can be read')
  await expect(page.getByText(/server does not answer/)).toHaveCount(0)
  for (const hash of ['%', 'look/solutions/%E0%A4%A', 'nowhere', 'look', 'look/solutions', 'constructor']) {
    await page.goto('about:blank')
    await page.goto(`${server.url}/#/${hash}`)
    await expect(page.getByRole('alert').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the library' })).toBeVisible()
  }
})

test('a deleted solution leads on', async ({ open, page, server }) => {
  const id = await server.solve('doomed', RIVER)
  const { jobs } = await server.api<{ jobs: { id: string; solution: string }[] }>('/jobs')
  const job = jobs.find((one) => one.solution === id)?.id ?? ''
  await fetch(`${server.url}/api/v1/solutions/${id}`, { method: 'DELETE' })
  await open(`look/solutions/${id}`)
  await expect(page.getByRole('alert')).toContainText('There is no solution called doomed')
  await page.getByRole('link', { name: 'Open the library' }).click()
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible()
  await open(`train/${id}`)
  await expect(page.getByRole('alert')).toContainText('There is no solution called doomed')
  await expect(page.getByRole('link', { name: 'Choose another' })).toBeVisible()
  await open(`solves/${job}`)
  await expect(page.getByText('not in the library any more')).toBeVisible()
  await page.getByRole('button', { name: 'Set up again' }).click()
  await expect(page.getByTestId('board').getByRole('img')).toHaveCount(5)
})

test('an error names its field once, and marks it', async ({ open }) => {
  const page = await open('setup')
  const alert = page.getByRole('alert').first()
  await page.getByLabel('Pot, bb').fill('0')
  await expect(alert).toContainText('Pot: the starting pot is 0')
  await expect(alert).not.toContainText('tree')
  await expect(page.getByLabel('Pot, bb')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Stack, bb')).toHaveAttribute('aria-invalid', 'false')
  await page.getByLabel('Pot, bb').fill('200')
  await expect(alert).toBeHidden()
  await expect(page.getByLabel('Pot, bb')).toHaveAttribute('aria-invalid', 'false')
  const sizes = page.getByLabel('turn: bets of the player out of position')
  await sizes.fill('33%, banana')
  await expect(alert).toContainText('Turn, OOP bet: unknown bet size')
  await expect(sizes).toHaveAttribute('aria-invalid', 'true')
})

test('nothing is cut off on narrow screens', async ({ open, page, solved }) => {
  test.setTimeout(120_000)
  const wide = isPhone(page) ? 320 : 900
  await page.setViewportSize({ width: wide, height: 800 })
  const pages = ['setup', 'solves', 'library', 'preflop', 'equity', `train/${solved.turn}`, `look/solutions/${solved.turn}`, `look/solutions/${solved.turn}?path=check&tab=lock`, `look/solutions/${solved.turn}?path=check&tab=kinds`, `look/solutions/${solved.turn}?path=check+check`, `compare/${solved.turn}/${solved.river}`]
  const told: string[] = []
  for (const hash of pages) {
    await page.goto('about:blank')
    await open(hash)
    await expect(page.getByRole('heading').first()).toBeAttached()
    await expect(page.getByText(/^(Opening|Loading|Dealing|Checking|Counting)/)).toHaveCount(0)
    for (const one of await clipped(page)) told.push(`${hash}: ${one}`)
    if (await page.evaluate((w) => document.documentElement.scrollWidth > w, wide)) told.push(`${hash}: scrolls sideways`)
  }
  expect(told).toEqual([])
})

test('line charts say what is pointed at', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.river}?tab=graph`)
  const graph = page.getByRole('img', { name: /^Equity of both ranges/ })
  await expect(graph.locator('canvas')).toBeVisible()
  await graph.locator('.u-over').hover({ position: { x: 80, y: 60 } })
  await expect(page.getByTestId('graph-oop')).toHaveText(/^\d+\.\d %$/)
  await expect(page.getByTestId('graph-ip')).toHaveText(/^\d+\.\d %$/)
  await page.goto(`${page.url().split('#')[0]}#/solves`)
  await expect(page.getByTestId('curve-value')).toContainText('Point at the curve')
  await page.getByRole('img', { name: /^Exploitability over/ }).locator('.u-over').hover({ position: { x: 60, y: 60 } })
  await expect(page.getByTestId('curve-value')).toHaveText(/After \d+ iterations, .+ of the pot/)
})

test('pages do not move while they load, and sliders are not white on dark', async ({ open, page, solved }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] })[]) {
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, what: entry.sources.map((source) => `${source.node?.tagName}.${source.node?.className}`).join(' ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const told: string[] = []
  for (const hash of ['setup', 'solves', 'library', 'preflop', 'equity', `look/solutions/${solved.turn}`, `look/solutions/${solved.turn}?path=check+check`, `train/${solved.turn}`]) {
    await page.goto('about:blank')
    await open(hash)
    await page.waitForTimeout(1500)
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: { value: number; what: string }[] }).shifts)
    const sum = shifts.reduce((all, shift) => all + shift.value, 0)
    if (sum > 0.02) told.push(`${hash}: ${sum.toFixed(3)}: ${shifts.map((shift) => `${shift.value.toFixed(3)} ${shift.what}`).join('; ')}`)
  }
  expect(told).toEqual([])
  await open('setup')
  const track = await page.locator('input[type=range]:visible').first().evaluate((slider) => {
    const style = getComputedStyle(slider)
    return [style.appearance, getComputedStyle(document.documentElement).getPropertyValue('--track')]
  })
  expect(track[0]).toBe('none')
})

test('going back in the trainer shows the hand that was there', async ({ open, solved }) => {
  const page = await open(`train/${solved.turn}`)
  const combo = page.getByTestId('train-combo')
  await expect(combo).toBeVisible()
  const hand = async (): Promise<string> => (await combo.getByRole('img').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')).join())) + page.url()
  const first = await hand()
  await page.keyboard.press('1')
  await expect(page.getByTestId('verdict')).toBeVisible()
  await page.getByRole('link', { name: 'Browse this decision' }).click()
  await expect(look(page)).toBeVisible()
  await page.goBack()
  await expect.poll(hand).toBe(first)
  await expect(page.getByTestId('verdict')).toBeVisible()
  await page.getByRole('button', { name: 'Next hand' }).click()
  await expect(page.getByTestId('verdict')).toBeHidden()
  const second = await hand()
  await page.reload()
  await expect.poll(hand).toBe(second)
  await page.goBack()
  await expect.poll(hand).toBe(first)
})

test('what the grid shows, and of whom, is there after a reload', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.turn}?path=check`)
  await page.getByRole('radiogroup', { name: 'What the grid shows' }).getByText('Equity').click()
  await page.getByRole('radiogroup', { name: 'Whose hands' }).getByText('OOP').click()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/equity \d/)
  await page.reload()
  await expect(cell(page, 'AA')).toHaveAccessibleName(/equity \d/)
  await expect(page.getByRole('radio', { name: 'OOP', exact: true })).toBeChecked()
  // The next decision is looked at from whoever acts there.
  await page.keyboard.press('ArrowLeft')
  await expect(look(page)).toHaveAttribute('data-path', '')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'IP', exact: true })).toBeChecked()
})
