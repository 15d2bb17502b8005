import { expect, isPhone, test } from './fixtures'
import { LONG, RIVER } from './spots'

test('set up, solve, watch, browse, lock, compare, reload, restart, train', async ({ open, server }) => {
  test.setTimeout(120_000)
  const page = await open('setup')
  await page.getByLabel('Open a spot file').setInputFiles({ name: 'river.toml', mimeType: 'text/plain', buffer: Buffer.from(RIVER) })
  await expect(page.getByText('river.toml is open.')).toBeVisible()

  // Solve and watch.
  await page.getByRole('button', { name: 'Solve', exact: true }).click()
  await expect(page).toHaveURL(/#\/solves\//)
  const job = page.getByTestId('job')
  await expect(job.getByText('done', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  const id = page.url().split('#/solves/')[1]
  const { exploitability } = await server.api<{ exploitability: { pct_pot: number } }>(`/jobs/${id}`)
  expect(exploitability.pct_pot).toBeGreaterThan(0)
  expect(exploitability.pct_pot).toBeLessThanOrEqual(0.3)
  await expect(job.getByTestId('exploitability')).toHaveText(`${exploitability.pct_pot.toFixed(3)} %`)
  await expect(job.getByRole('img', { name: /Exploitability over \d+ checks/ })).toBeVisible()

  // Look and browse.
  await job.getByRole('link', { name: 'Browse', exact: true }).click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', '')
  await expect(page.getByTestId('exactness')).toContainText('iterations')
  await page.locator('[data-action=check]').click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', 'check')
  const solution = decodeURIComponent(page.url().match(/solutions\/([^?]+)/)?.[1] ?? '')

  // Lock: always check behind, and solve again.
  await page.getByText('Lock', { exact: true }).click()
  await page.getByRole('button', { name: 'Always Check' }).click()
  await page.getByRole('button', { name: 'Lock IP here' }).click()
  await expect(page.getByText('check => all = check @ 1')).toBeVisible()
  await page.getByRole('button', { name: /Re-solve with 1 lock/ }).click()
  await expect(job.getByText('done', { exact: true }).first()).toBeVisible({ timeout: 30_000 })

  // Compare: the second checks everything.
  await job.getByRole('link', { name: /Compare with/ }).click()
  await page.locator('[data-action=check]').click()
  const differences = page.getByTestId('differences')
  await expect(differences.getByRole('row', { name: /^Check/ }).getByRole('cell').nth(2)).toHaveText('100.0 %')
  // Only the second is locked.
  await expect(page.getByText('IP is locked')).toHaveCount(1)

  // Reload, and a server that is started again: what was found is there.
  const before = page.url()
  await page.reload()
  await expect(differences).toBeVisible()
  await server.stop()
  await expect(page.getByText('The server does not answer')).toBeVisible()
  await server.start()
  await expect(page.getByText('The server does not answer')).toBeHidden()
  await page.goto(`${server.url}/#/library`)
  await expect(page.locator(`[data-solution="${solution}"]`)).toBeVisible()
  await page.goto(`${server.url}/#/solves`)
  await expect(page.getByRole('region', { name: 'Queue' }).getByRole('listitem')).not.toHaveCount(0)
  await page.goto(before)
  await expect(differences).toBeVisible()

  // Train.
  await page.goto(`${server.url}/#/train/${solution}`)
  for (let hand = 1; hand <= 3; hand++) {
    await expect(page.getByTestId('train-combo')).toBeVisible()
    await page.keyboard.press('1')
    await expect(page.getByTestId('verdict')).toBeVisible()
    await expect(page.getByTestId('hands')).toHaveText(String(hand))
    await page.getByRole('button', { name: 'Next hand' }).click()
    await expect(page.getByTestId('verdict')).toBeHidden()
  }
  await page.reload()
  await expect(page.getByTestId('hands')).toHaveText('3')
})

test('a long solve is watched, looked at, paused, resumed and stopped; another waits', async ({ open, server }) => {
  const job = await server.api<{ id: string }>('/jobs', { name: 'long', toml: LONG })
  const second = await server.api<{ id: string }>('/jobs', { name: 'second', toml: RIVER })
  const page = await open(`solves/${job.id}`)
  const panel = page.getByTestId('job')
  await expect(panel.getByText('running', { exact: true })).toBeVisible()
  const iterations = async (): Promise<number> => Number((await panel.getByTestId('iterations').innerText()).replaceAll(',', ''))
  await expect.poll(iterations, { timeout: 20_000 }).toBeGreaterThan(10)
  const then = await iterations()
  await expect.poll(iterations).toBeGreaterThan(then)
  await expect(page.getByText('1 waiting')).toBeVisible()

  // What there is so far.
  await panel.getByRole('link', { name: 'Browse while it runs' }).click()
  await expect(page.getByTestId('exactness')).toContainText('so far', { timeout: 20_000 })
  await page.locator('[data-action=check]').click()
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', 'check', { timeout: 20_000 })
  await page.goBack()
  await page.goBack()

  await panel.getByRole('button', { name: 'Pause' }).click()
  await expect(panel.getByText('paused', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
  await page.reload()
  await expect(panel.getByText('paused', { exact: true }).first()).toBeVisible()
  await panel.getByRole('button', { name: 'Resume' }).click()
  await expect(panel.getByText('running', { exact: true })).toBeVisible({ timeout: 20_000 })
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText('stopped', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
  await expect(panel.getByRole('link', { name: 'Browse', exact: true })).toBeVisible()
  await expect.poll(async () => (await server.api<{ state: string }>(`/jobs/${second.id}`)).state, { timeout: 20_000 }).toBe('done')
  await panel.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('link', { name: /^long/ })).toHaveCount(0)
  if (isPhone(page)) expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a server that is killed: the page says where a solve resumes, and there it does', async ({ open, server }) => {
  const job = await server.api<{ id: string }>('/jobs', { name: 'cut off', toml: LONG })
  const page = await open(`solves/${job.id}`)
  const panel = page.getByTestId('job')
  const iterations = async (): Promise<number> => Number((await panel.getByTestId('iterations').innerText()).replaceAll(',', ''))
  await expect.poll(iterations, { timeout: 20_000 }).toBeGreaterThan(0)
  // Before the first checkpoint, then after one: a pause makes it.
  await server.kill()
  await expect(page.getByRole('alert')).toContainText('cut off begins anew if the server was killed: it had no checkpoint yet')
  await server.start()
  await expect(page.getByText('The server does not answer')).toBeHidden()
  await server.api(`/jobs/${job.id}/pause`, {})
  const saved = async (): Promise<number | null> => (await server.api<{ saved_iteration: number | null }>(`/jobs/${job.id}`)).saved_iteration
  await expect.poll(saved, { timeout: 20_000 }).not.toBeNull()
  const at = (await saved()) ?? 0
  await server.api(`/jobs/${job.id}/resume`, {})
  await expect.poll(iterations, { timeout: 20_000 }).toBeGreaterThan(at)
  await server.kill()
  await expect(page.getByRole('alert')).toContainText(`cut off resumes at iteration ${at}, its last checkpoint`)
  await server.start()
  await expect(page.getByText('The server does not answer')).toBeHidden()
  await expect.poll(saved).toBe(at)
  await server.api(`/jobs/${job.id}/stop`, {})
})
