import { expect, test } from './fixtures'
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
  const bar = page.locator(`[data-group="${flops[0]?.board}"]`).getByRole('img', { name: /^check / })
  await expect(bar).toHaveAttribute('aria-label', new RegExp(`^check ${((flops[0]?.frequencies[0] ?? 0) * 100).toFixed(1)} %, `))
  await expect(bar).toHaveCSS('background-image', /linear-gradient/)

  await expect(page.getByRole('img', { name: /^OOP EV, chips of 4 flops/ })).toBeVisible()
  await page.getByLabel('Plotted').selectOption('check')
  await expect(page.getByRole('img', { name: /^check of 4 flops/ })).toBeVisible()

  await page.getByLabel('Find a flop').fill('kh')
  await expect(rows).toHaveCount(1)
  await page.getByText('Suits', { exact: true }).click()
  await expect.poll(names).toContain('monotone')

  // The address has it all; then on to what IP does.
  await page.reload()
  await expect(page.getByRole('img', { name: /^check of 3 groups/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Decisions' }).getByRole('link', { name: 'check' }).click()
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
