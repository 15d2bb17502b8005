import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { FLOP, RIVER } from './spots'
import type { Aggregate } from '../src/lib/types'

test('a batch is listed, sorted, grouped, plotted and walked', async ({ open, server, batch }) => {
  const page = await open('batches')
  await expect(page.getByText('4 of 4 flops done')).toBeVisible()
  await page.getByRole('link', { name: batch }).click()
  const rows = page.locator('[data-group]')
  await expect(rows).toHaveCount(4)
  const { spots } = await server.api<Aggregate>(`/batches/${batch}`)
  const flops = spots[0]?.flops ?? []
  const names = () => rows.evaluateAll((found) => found.map((row) => row.getAttribute('data-group')))

  await page.getByRole('button', { name: 'OOP EV, chips' }).click()
  const falling = flops.toSorted((a, b) => (b.players.oop.ev ?? 0) - (a.players.oop.ev ?? 0)).map((flop) => flop.board)
  await expect.poll(names).toEqual(falling)
  await expect(page.getByRole('columnheader', { name: 'OOP EV, chips' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'OOP EV, chips' }).click()
  await expect.poll(names).toEqual(falling.toReversed())
  await expect(page.locator(`[data-group="${flops[0]?.board}"]`)).toContainText((flops[0]?.players.oop.ev ?? 0).toFixed(2))
  await expect(page.locator('[data-mean="all, by class size"]')).toContainText((spots[0]?.total.players.oop.ev ?? 0).toFixed(2))

  // A bar shared out among the actions, in words for those who do not see it.
  const bar = page.locator(`[data-group="${flops[0]?.board}"]`).getByRole('img', { name: /^Check / })
  await expect(bar).toHaveAttribute('aria-label', new RegExp(`^Check ${((flops[0]?.frequencies[0] ?? 0) * 100).toFixed(1)} %, `))
  await expect(bar).toHaveCSS('background-image', /linear-gradient/)

  await expect(page.getByRole('img', { name: /^OOP EV, chips of 4 flops/ })).toBeVisible()
  await page.getByLabel('Plotted').selectOption('check')
  await expect(page.getByRole('img', { name: /^Check of 4 flops/ })).toBeVisible()

  await page.getByLabel('Find a flop').fill('kh')
  await expect(rows).toHaveCount(1)
  await page.getByText('Suits', { exact: true }).click()
  await expect.poll(names).toContain('monotone')

  // The address has it all; then on to what IP does.
  await page.reload()
  await expect(page.getByRole('img', { name: /^Check of 3 groups/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Decisions' }).getByRole('link', { name: 'Check' }).click()
  await expect(page.getByText(/After check: pot 100 chips, IP acts/)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Reached' })).toBeVisible()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(page.getByText(/At the beginning/)).toBeVisible()
})

test('a decision that is not there is said', async ({ open, batch }) => {
  const page = await open(`batches/${batch}?path=raise:7`)
  await expect(page.getByRole('alert')).toContainText('raise:7')
  await page.getByRole('link', { name: 'Back to the first decision' }).click()
  await expect(page.locator('[data-group]')).toHaveCount(4)
})

const FLOP_PLAN = FLOP.replace('target_exploitability_pct = 3', 'target_exploitability_pct = 5')
const state = (page: Page) => page.getByTestId('batch-status')

/** Sets the spot up as a person would who opens its file, and goes to a new batch. */
async function newBatch(page: Page, toml: string): Promise<void> {
  await page.getByLabel('Open a spot file').setInputFiles({ name: 'spot.toml', mimeType: 'text/plain', buffer: Buffer.from(toml) })
  await page.getByRole('link', { name: 'Many flops…' }).click()
  await expect(page.getByRole('region', { name: 'New batch' })).toBeVisible()
}

test('a batch is chosen, run, watched, browsed and reported by turn card', async ({ open, server }) => {
  const page = await open('setup')
  await newBatch(page, FLOP_PLAN)
  // Subsets that ship, by texture, or typed.
  await expect(page.getByTestId('flop-count')).toHaveText('49 flops, which stand for 22,100 of 22,100')
  await page.getByText('All 1,755', { exact: true }).click()
  await page.getByLabel('Suits').selectOption('monotone')
  await page.getByLabel('Pairs').selectOption('unpaired')
  await expect(page.getByTestId('flop-count')).toHaveText('286 flops, which stand for 1,144 of 22,100')
  await page.getByText('Typed', { exact: true }).click()
  await page.getByLabel(/^Flops, with a weight/).fill('As7d2c, Td9d6h')
  await expect(page.getByTestId('flop-count')).toHaveText('2 flops')
  await page.getByLabel('Name').fill('two flops')
  await page.getByLabel('Keep').selectOption('no-river')
  await page.getByRole('button', { name: 'Run 2 flops' }).click()
  await expect(page).toHaveURL(/batches\/two-flops/)
  await expect(state(page)).toHaveAttribute('data-state', 'idle', { timeout: 60_000 })
  await expect(page.getByTestId('batch-done')).toHaveText('2 of 2 flops')
  await expect(page.locator('[data-group]')).toHaveCount(2)

  // The street's end leads to all turn cards.
  await page.locator('[data-path="check"]').click()
  await page.locator('[data-path="check check | * |"]').click()
  await expect(page.getByText(/After check check \| \* \|: /)).toBeVisible()
  await expect(page.locator('[data-group="flush card"]')).toBeVisible()
  await page.getByText('Card: rank', { exact: true }).click()
  await expect(page.locator('[data-group]')).toHaveCount(13)
  const { spots } = await server.api<Aggregate>(`/batches/two-flops?path=${encodeURIComponent('check check | * |')}`)
  const aces = spots[0]?.cards?.rank.find((group) => group.name === 'A')
  await expect(page.locator('[data-group="A"]')).toContainText((aces?.players.oop.ev ?? 0).toFixed(2))
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(page.getByText(/After check: /)).toBeVisible()

  // A row opens the flop.
  await page.getByText('Flops', { exact: true }).click()
  await page.getByRole('link', { name: 'Browse As7d2c' }).click()
  await expect(page.getByTestId('look')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('two-flops / two flops · As7d2c')
  await page.goBack()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete 2 flops' }).click()
  await expect(page).toHaveURL(/batches$/)
})

test('a batch pauses, survives a restart, steps aside for a solve and is cancelled', async ({ open, server }) => {
  const page = await open('setup')
  const endless = FLOP.replace('target_exploitability_pct = 3', 'target_exploitability_pct = 0.000001\nmax_iterations = 1000000')
  await newBatch(page, endless)
  await page.getByText('Typed', { exact: true }).click()
  await page.getByLabel(/^Flops, with a weight/).fill('As7d2c Td9d6h KhKd4s')
  await page.getByLabel('Name').fill('endless')
  await page.getByRole('button', { name: 'Run 3 flops' }).click()
  await expect(page.getByRole('list', { name: 'Under way' })).toContainText('iteration', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(state(page)).toHaveAttribute('data-state', 'paused', { timeout: 30_000 })

  await server.stop()
  await server.start()
  await page.reload()
  await expect(state(page)).toHaveAttribute('data-state', 'paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(state(page)).toHaveAttribute('data-state', 'running', { timeout: 30_000 })
  // A solve that somebody waits for comes first; then the batch goes on.
  await server.solve('river', RIVER)
  await expect(state(page)).toHaveAttribute('data-state', 'running', { timeout: 30_000 })
  await server.stop()
  await server.start()
  await page.reload()
  await expect(state(page)).toHaveAttribute('data-state', 'running', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(state(page)).toHaveAttribute('data-state', 'idle', { timeout: 30_000 })
  await expect(page.getByTestId('batch-done')).toHaveText('0 of 3 flops')
  await server.api('/batches/endless/status')
})

test('a flop of which nothing is kept can be solved', async ({ open }) => {
  const page = await open('setup')
  await newBatch(page, FLOP_PLAN)
  await page.getByText('Typed', { exact: true }).click()
  await page.getByLabel(/^Flops, with a weight/).fill('As7d2x')
  await page.getByRole('button', { name: 'Run 1 flop' }).click()
  await expect(page.getByRole('alert')).toContainText("unknown suit 'x'")
  await page.getByLabel(/^Flops, with a weight/).fill('As7d2c')
  await page.getByLabel('Keep').selectOption('summary')
  await page.getByLabel('Name').fill('bare')
  await page.getByRole('button', { name: 'Run 1 flop' }).click()
  await expect(state(page)).toHaveAttribute('data-state', 'idle', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Open As7d2c' }).click()
  await expect(page.getByTestId('flop')).toContainText('only a summary of it was kept')
  await page.getByRole('button', { name: 'Solve As7d2c' }).click()
  await expect(page).toHaveURL(/solves\//)
  await expect(page.getByTestId('job')).toContainText('bare As7d2c')
})
