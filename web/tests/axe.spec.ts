import AxeBuilder from '@axe-core/playwright'
import { expect, isPhone, test } from './fixtures'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
/** Cells of a grid are alike: the first three rows stand for all, which takes a fifth of the time. */
const ALIKE = '[role=grid] > [role=row]:nth-child(n + 4)'

// Dark where there is room, light on the phone: colours do not depend on the size.
test('axe finds nothing serious on any page', async ({ page, open, solved, batch, blueprint, server }) => {
  test.setTimeout(240_000)
  const colorScheme = isPhone(page) ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme })
  const look = `look/solutions/${solved.turn}`
  const pages = [
    'setup', 'solves', 'library', 'preflop', 'equity', 'train', `train/${solved.turn}`, look, `${look}?path=check&tab=hands`,
    `${look}?path=check&tab=kinds`, `${look}?path=check&tab=graph`, `${look}?path=check&tab=lock`,
    `${look}?path=check+check`, `${look}?path=check+check&runouts=table`, `train/${solved.turn}?mode=hands`, 'nowhere', `compare/${solved.turn}`, `compare/${solved.turn}/${solved.river}`,
    'batches', `batches/${batch}`, `batches/${batch}?by=suits`, 'play', 'play/review',
  ]
  // A table in the middle of a hand, with a decision that was reviewed.
  const table = await server.api<{ id: string }>('/play', { blueprint, seconds: 0.2, coach: true, seed: 6 })
  await server.api(`/play/${table.id}/act`, { action: 'call' })
  await server.api(`/play/${table.id}/review`, {})
  await page.addInitScript((id) => { if (location.protocol === 'http:') localStorage.setItem('equipoise.table', JSON.stringify(id)) }, table.id)
  const told: string[] = []
  for (const hash of pages) {
    await page.goto('about:blank')
    await open(hash)
    await expect(page.getByRole('heading').first()).toBeAttached()
    await expect(page.getByText(/^(Opening|Loading|Dealing|Checking|Counting)/)).toHaveCount(0)
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).exclude(ALIKE).analyze()
    for (const one of violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')) {
      const where = one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any.map((check) => check.message).join('; ')}`)
      told.push(`${hash} (${colorScheme}): ${one.id}: ${where.join(' | ')}`)
    }
  }
  expect(told).toEqual([])
})
