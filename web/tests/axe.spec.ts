import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './fixtures'

test('axe finds nothing serious on any page, dark or light', async ({ page, open, solved }) => {
  test.setTimeout(120_000)
  const look = `look/solutions/${solved.turn}`
  const pages = [
    'setup', 'solves', 'library', 'equity', 'train', `train/${solved.turn}`, look, `${look}?path=check&tab=hands`,
    `${look}?path=check&tab=kinds`, `${look}?path=check&tab=graph`, `${look}?path=check&tab=lock`,
    `${look}?path=check+check`, `compare/${solved.turn}`, `compare/${solved.turn}/${solved.river}`,
  ]
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const hash of pages) {
      await page.goto('about:blank')
      await open(hash)
      await expect(page.getByRole('heading').first()).toBeAttached()
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
      const told = serious.map((one) => `${hash} (${colorScheme}): ${one.id}: ${one.nodes.map((node) => `${node.html.slice(0, 160)} ${node.any.map((check) => check.message).join('; ')}`).slice(0, 3).join('\n')}`)
      expect(told).toEqual([])
    }
  }
})
