/** What charts draw: after a change of what they show, the same as a chart that is made for it. */

import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { LONG } from './spots'

/** The pixels of a chart, once they do not change any more. */
async function drawn(page: Page, name: RegExp): Promise<string> {
  const canvas = page.getByRole('img', { name }).locator('canvas')
  const pixels = (): Promise<string> => canvas.evaluate((found: HTMLCanvasElement) => found.toDataURL())
  let last = ''
  await expect.poll(async () => {
    const [before, now] = [last, await pixels()]
    last = now
    return before === now
  }, { intervals: [150] }).toBe(true)
  return last
}

/** The chart as it is becomes the one that another page draws anew for the same address, and stays it; then that page is reloaded. */
async function checkAnew(page: Page, name: RegExp): Promise<string> {
  await page.mouse.move(0, 0)
  const anew = await page.context().newPage()
  await anew.setViewportSize(page.viewportSize() ?? { width: 1280, height: 800 })
  await anew.goto(page.url())
  // Numbers may come later than the chart, in either page: three looks in a row agree.
  let agreed = 0
  await expect
    .poll(async () => {
      agreed = (await drawn(page, name)) === (await drawn(anew, name)) ? agreed + 1 : 0
      return agreed
    }, { intervals: [150], timeout: 20_000, message: `${String(name)} is the chart of this address` })
    .toBeGreaterThanOrEqual(3)
  await anew.close()
  return drawn(page, name)
}

const EQUITIES = /^Equity of both ranges/

test('the equity graph is that of the decision that is looked at', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.river}?tab=graph`)
  const root = await drawn(page, EQUITIES)
  await page.locator('[data-action^="bet:"]').first().click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', /^bet:\d+$/)
  const bet = await checkAnew(page, EQUITIES)
  expect(bet === root, 'another decision has another curve').toBe(false)
  await page.locator('[data-action="call"], [data-action^="raise:"], [data-action="allin"]').last().click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', /^bet:\d+ \S+$/)
  await page.goBack()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', /^bet:\d+$/)
  expect(await drawn(page, EQUITIES) === bet, 'and back').toBe(true)
})

test('the small equity graph of the summary follows too', async ({ open, solved }) => {
  const page = await open(`look/solutions/${solved.river}`)
  const root = await drawn(page, EQUITIES)
  await page.locator('[data-action^="bet:"]').first().click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', /^bet:\d+$/)
  expect(await checkAnew(page, EQUITIES) === root).toBe(false)
})

test('the curve of exploitability moves while a solve runs, and is another one for another solve', async ({ open, server, solved }) => {
  expect(solved.river).toBeTruthy()
  const { jobs } = await server.api<{ jobs: { id: string; name: string }[] }>('/jobs')
  const [river, turn] = ['river', 'turn'].map((name) => jobs.find((job) => job.name === name)?.id)
  const long = await server.api<{ id: string }>('/jobs', { name: 'moving', toml: LONG })
  const page = await open(`solves/${long.id}`)
  const curve = page.getByRole('img', { name: /^Exploitability over/ })
  await expect(curve).toBeVisible({ timeout: 30_000 })
  const canvas = curve.locator('canvas')
  const pixels = (): Promise<string> => canvas.evaluate((found: HTMLCanvasElement) => found.toDataURL())
  const checks = async (): Promise<number> => Number(/over (\d+) checks/.exec((await curve.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
  const [first, before] = [await checks(), await pixels()]
  await expect.poll(checks, { timeout: 30_000 }).toBeGreaterThan(first + 1)
  await expect.poll(pixels).not.toBe(before)
  await server.api(`/jobs/${long.id}/stop`, {})
  // From one solve to the next in the same page.
  await page.locator(`a[href$="solves/${river}"]`).click()
  await expect(page.getByTestId('job')).toContainText('river')
  const of = /^Exploitability over/
  const left = await checkAnew(page, of)
  await page.locator(`a[href$="solves/${turn}"]`).click()
  await expect(page.getByTestId('job')).toContainText('turn')
  expect(await checkAnew(page, of) === left).toBe(false)
})

test('the plot of a batch is that of its column, order, rows and decision', async ({ open, batch }) => {
  const page = await open(`batches/${batch}`)
  const seen = new Set<string>()
  const check = async (name: RegExp): Promise<void> => {
    const size = seen.size
    seen.add(await checkAnew(page, name))
    expect(seen.size, `${String(name)} is drawn anew`).toBe(size + 1)
  }
  const plotted = page.getByLabel('Plotted')
  await plotted.selectOption({ label: 'OOP EV, chips' })
  await check(/^OOP EV, chips of 4 flops/)
  await plotted.selectOption('check')
  await check(/^Check of 4 flops/)
  await plotted.selectOption({ label: 'IP EV, chips' })
  await check(/^IP EV, chips of 4 flops/)
  // In another order, in groups, and at another decision.
  await page.getByRole('button', { name: 'IP EV, chips' }).click()
  await check(/^IP EV, chips of 4 flops/)
  await page.getByText('Suits', { exact: true }).click()
  await check(/^IP EV, chips of 3 groups/)
  await page.getByRole('navigation', { name: 'Decisions' }).getByRole('link', { name: 'Check' }).click()
  await expect(page.getByText(/After check: pot 100 chips/)).toBeVisible()
  await check(/^IP EV, chips of 3 groups/)
})
