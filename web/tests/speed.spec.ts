import { expect, isPhone, test } from './fixtures'

// Loose: the machine that tests may be busy. The numbers that count are printed.
test('the page is there at once, and decisions of a flop follow at once', async ({ page, open, solved }) => {
  await open('library')
  await open('setup')
  await page.reload()
  await expect(page.getByRole('grid').first()).toBeVisible()
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)

  await open(`look/solutions/${solved.flop}`)
  await expect(page.getByTestId('look')).toHaveAttribute('data-path', '')
  /** From the key to the picture. */
  const change = (key: string): Promise<number> =>
    page.evaluate(
      (pressed) =>
        new Promise<number>((done) => {
          const look = document.querySelector('[data-testid=look]')
          const began = performance.now()
          const watch = new MutationObserver(() => {
            watch.disconnect()
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
          })
          if (look) watch.observe(look, { attributeFilter: ['data-path'] })
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
        }),
      key,
    )
  await page.waitForTimeout(1500)
  const times: number[] = []
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowLeft']) {
    times.push(await change(key))
    await page.waitForTimeout(400)
  }
  const size = isPhone(page) ? 'phone' : 'desktop'
  console.log(`  ${size}: first paint ${paint.toFixed(0)} ms; changes of decision ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
  expect(paint).toBeLessThan(1500)
  expect(Math.min(...times)).toBeLessThan(400)
})
