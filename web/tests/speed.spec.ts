import { cell, expect, isPhone, test } from './fixtures'

// Loose: the machine that tests may be busy. The numbers that count are printed.
test('the page is there at once, and decisions of a flop follow at once', async ({ page, open, solved }) => {
  await open('library')
  await open('setup')
  await page.reload()
  await expect(page.getByRole('grid').first()).toBeVisible()
  // A stroke over the first row: from each pointer event to the laid out page, without the wait for the next frame.
  const strokes = await page.evaluate(async () => {
    const grid = [...document.querySelectorAll<HTMLElement>('[role=grid]')].find((found) => found.getClientRects().length > 0)
    const box = grid?.getBoundingClientRect()
    if (!grid || !box) throw new Error('no grid is in sight')
    grid.setPointerCapture = () => undefined
    const took: number[] = []
    for (let column = 0; column < 13; column++) {
      const at = { bubbles: true, clientX: box.left + ((column + 0.5) * box.width) / 13, clientY: box.top + box.height / 26, pointerId: 1, button: 0, pointerType: 'mouse' }
      const began = performance.now()
      grid.dispatchEvent(new PointerEvent(column === 0 ? 'pointerdown' : 'pointermove', at))
      // What changed is in the page after some microtasks.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      grid.getBoundingClientRect()
      took.push(performance.now() - began)
      await new Promise((next) => requestAnimationFrame(next))
    }
    grid.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }))
    return took.sort((a, b) => a - b)
  })
  // The ace is in the range, so that the stroke takes away.
  for (const hand of ['AA', 'AKs', 'A2s']) await expect(cell(page, hand)).toHaveAccessibleName(/weight 0/)
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
  console.log(`  ${size}: first paint ${paint.toFixed(0)} ms; changes of decision ${times.map((time) => time.toFixed(0)).join(', ')} ms; painting a cell ${(strokes[6] ?? Number.NaN).toFixed(1)} ms, at most ${(strokes[12] ?? Number.NaN).toFixed(1)} ms`)
  expect(paint).toBeLessThan(1500)
  expect(strokes[6]).toBeLessThan(60)
  expect(Math.min(...times)).toBeLessThan(400)
})
