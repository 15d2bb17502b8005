/** Sizes, contrasts and first steps. */

import { expect, isPhone, test } from './fixtures'

test('the first visit has a tour of three steps, which does not come back', async ({ page, server }) => {
  await page.addInitScript(() => {
    if (!sessionStorage.getItem('visited')) localStorage.setItem('equipoise.tour', '0')
    sessionStorage.setItem('visited', 'yes')
  })
  await page.goto(`${server.url}/#/setup`)
  const tour = page.getByRole('region', { name: 'Tour' })
  for (const [title, button] of [['Who holds what', 'Next'], ['What is played', 'Next'], ['Solve and browse', 'Done']] as const) {
    await expect(tour).toContainText(title)
    await expect(page.locator('.toured')).toHaveCount(1)
    await tour.getByRole('button', { name: button }).click()
  }
  await expect(tour).toHaveCount(0)
  await expect(page.locator('.toured')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('grid').first()).toBeVisible()
  await expect(tour).toHaveCount(0)
})

test('labels of grids have 11 pixels and a contrast of 4.5, in both themes', async ({ open, page, solved }) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const hash of [`look/solutions/${solved.turn}?path=check`, `look/solutions/${solved.turn}?path=check&grid=ev`, 'setup', 'preflop']) {
      await page.goto('about:blank')
      await open(hash)
      await expect(page.getByRole('gridcell').locator('visible=true').first()).toBeVisible()
      await page.waitForTimeout(300)
      const told = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        const parts = (colour: string): number[] => {
          if (!canvas) return []
          canvas.clearRect(0, 0, 1, 1)
          canvas.fillStyle = colour
          canvas.fillRect(0, 0, 1, 1)
          return [...canvas.getImageData(0, 0, 1, 1).data]
        }
        const luminance = (colour: string): number => {
          const [r = 0, g = 0, b = 0] = parts(colour).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const wrong: string[] = []
        for (const cell of document.querySelectorAll<HTMLElement>('[role=gridcell]')) {
          if (cell.getClientRects().length === 0) continue
          // Everything that is painted behind a label, wherever the label stands.
          const behind = [...cell.querySelectorAll<HTMLElement>('.fill')].flatMap((fill) => {
            const style = getComputedStyle(fill)
            return [...(style.backgroundImage.match(/rgba?\([^)]*\)/g) ?? []), style.backgroundColor].filter((colour) => parts(colour)[3] === 255)
          })
          if (behind.length === 0) behind.push(getComputedStyle(cell).backgroundColor)
          for (const label of cell.querySelectorAll<HTMLElement>('.name, .value')) {
            const style = getComputedStyle(label)
            if (style.display === 'none') continue
            if (Number.parseFloat(style.fontSize) < 11) wrong.push(`${cell.dataset['class']}: ${style.fontSize}`)
            for (const colour of behind) {
              const [a, b] = [luminance(style.color), luminance(colour)]
              const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
              if (contrast < 4.5) wrong.push(`${cell.dataset['class']}: ${style.color} on ${colour}: ${contrast.toFixed(2)}`)
            }
          }
        }
        return wrong.slice(0, 8)
      })
      expect(told, `${hash}, ${colorScheme}`).toEqual([])
    }
  }
})

test('fingers find targets of 40 pixels', async ({ open, page, solved }) => {
  test.skip(!isPhone(page), 'a mouse is finer')
  test.setTimeout(120_000)
  const told: string[] = []
  for (const hash of ['setup', 'solves', 'library', 'preflop', 'equity', `train/${solved.turn}`, `look/solutions/${solved.turn}?path=check`, `look/solutions/${solved.turn}?path=check&tab=lock`, `look/solutions/${solved.turn}?path=check&tab=hands`, `look/solutions/${solved.turn}?path=check+check`]) {
    await page.goto('about:blank')
    await open(hash)
    await expect(page.getByText(/^(Opening|Loading|Dealing|Checking|Counting)/)).toHaveCount(0)
    const small = await page.evaluate(() => {
      const found: string[] = []
      for (const element of document.querySelectorAll<HTMLElement>('button, a[href], select, input:not([type=checkbox]):not([type=radio]):not([type=file]), label:has(input[type=checkbox]), label:has(input[type=radio])')) {
        const box = element.getBoundingClientRect()
        // Links in sentences are as high as their line.
        if (box.width === 0 || element.closest('.visually-hidden, .skip, p') || element.matches('.skip, .brand')) continue
        if (box.height < 39.5) found.push(`${element.tagName}.${element.className} ${box.height.toFixed(0)}: ${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}`)
      }
      return found.slice(0, 6)
    })
    for (const one of small) told.push(`${hash}: ${one}`)
  }
  expect(told).toEqual([])
})

test('names of hands fit into their cells, with EVs from 390 pixels on', async ({ open, page, solved }) => {
  test.skip(!isPhone(page), 'larger screens have larger cells')
  for (const [width, hash] of [[320, 'setup'], [320, `look/solutions/${solved.turn}?path=check`], [390, `look/solutions/${solved.turn}?path=check`]] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('about:blank')
    await open(hash)
    await expect(page.getByRole('gridcell').locator('visible=true').first()).toBeVisible()
    const told = await page.evaluate(() => {
      const wrong: string[] = []
      let values = 0
      for (const cell of document.querySelectorAll<HTMLElement>('[role=gridcell]')) {
        const box = cell.getBoundingClientRect()
        if (box.width === 0) continue
        for (const label of cell.querySelectorAll<HTMLElement>('.name, .value')) {
          const place = label.getBoundingClientRect()
          if (place.width > 0 && label.matches('.value')) values += 1
          // Half a pixel is lost to rounding.
          if (place.width > 0 && (place.right > box.right + 0.5 || place.bottom > box.bottom + 0.5)) wrong.push(`${label.textContent}: ${place.right - box.right} ${place.bottom - box.bottom}`)
        }
      }
      return { wrong: wrong.slice(0, 8), values }
    })
    expect(told.wrong, `${hash} at ${width}`).toEqual([])
    expect(told.values > 0, `EVs at ${width}`).toBe(width === 390)
  }
})

test('bars of actions begin at one place and are as long as what they stand for', async ({ open, page, solved, server }) => {
  await open(`look/solutions/${solved.turn}?path=check`)
  const { node } = await server.api<{ node: { actions: { frequency: number }[] } }>(`/solutions/${solved.turn}/node?path=check`)
  await expect(page.getByTestId('frequency-check')).toBeVisible()
  const bars = await page.locator('li:has([data-testid^="frequency-"]) .bar').evaluateAll((found) => found.map((bar) => ({ ...bar.getBoundingClientRect().toJSON(), filled: bar.firstElementChild?.getBoundingClientRect().width ?? 0 }) as { left: number; width: number; filled: number }))
  expect(bars).toHaveLength(node.actions.length)
  for (const [i, bar] of bars.entries()) {
    expect(bar.left).toBeCloseTo(bars[0]?.left ?? 0, 0)
    expect(Math.abs(bar.filled - bar.width * (node.actions[i]?.frequency ?? 0))).toBeLessThan(1.5)
  }
})

test('no text lies upon another, and no name is squeezed', async ({ open, page, solved, batch }) => {
  test.setTimeout(180_000)
  const look = `look/solutions/${solved.turn}`
  const pages = [
    'setup', 'solves', 'library', 'preflop', 'equity', 'batches', `batches/${batch}`, 'batches?new=1', `train/${solved.turn}`, `train/${solved.turn}?mode=hands`,
    look, `${look}?path=check&tab=hands`, `${look}?path=check&tab=kinds`, `${look}?path=check&tab=lock`, `${look}?path=check+check`, `compare/${solved.turn}/${solved.river}`,
  ]
  const told: string[] = []
  for (const hash of pages) {
    await page.goto('about:blank')
    await open(hash)
    for (const width of isPhone(page) ? [320, 390] : [900, 1280, 1920]) {
      await page.setViewportSize({ width, height: width === 1920 ? 1080 : 800 })
      await expect(page.getByRole('heading').first()).toBeAttached()
      await expect(page.getByText(/^(Opening|Loading|Dealing|Checking|Counting)/)).toHaveCount(0, { timeout: 20_000 })
      const found = await page.evaluate(() => {
        const wrong: string[] = []
        const seen: { node: Node; text: string; box: DOMRect }[] = []
        const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const [element, text] = [node.parentElement, node.textContent?.trim() ?? '']
          // Grids have tests of their own; what sticks to the window lies upon the rest; options are drawn by the browser.
          if (!element || text === '' || element.closest('[role=grid], svg, option, .visually-hidden, .u-wrap, .bar, .tour, [hidden]')) continue
          if (element.closest('details:not([open])') && !element.closest('summary')) continue
          const range = document.createRange()
          range.selectNodeContents(node)
          // What a box that scrolls hides is not seen.
          let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity]
          for (let around: Element | null = element; around; around = around.parentElement) {
            if (getComputedStyle(around).overflow === 'visible') continue
            const box = around.getBoundingClientRect()
            ;[left, right, top, bottom] = [Math.max(left, box.left), Math.min(right, box.right), Math.max(top, box.top), Math.min(bottom, box.bottom)]
          }
          for (const box of range.getClientRects()) {
            const [x, y] = [Math.max(box.left, left), Math.max(box.top, top)]
            const [width, height] = [Math.min(box.right, right) - x, Math.min(box.bottom, bottom) - y]
            if (width > 1 && height > 1) seen.push({ node, text, box: new DOMRect(x, y, width, height) })
          }
          // A name of a few words that takes a line for each of them has no room.
          const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size
          if (lines > 3 && text.length < 12 * lines) wrong.push(`squeezed: ${text}`)
          const style = getComputedStyle(element)
          if (style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth < 80) wrong.push(`cut: ${text}`)
        }
        for (const [i, one] of seen.entries()) {
          for (const other of seen.slice(i + 1)) {
            // A text that ends in an ellipsis has a box for what is seen and one for all of it.
            if (one.node === other.node) continue
            const [x, y] = [Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left), Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)]
            if (x > 2 && y > 4) wrong.push(`${one.text} and ${other.text}`)
          }
        }
        return wrong.slice(0, 4)
      })
      told.push(...found.map((one) => `${hash} at ${width}: ${one}`))
    }
  }
  expect(told).toEqual([])
})

test('the map of runouts fills a large window', async ({ open, page, solved }) => {
  test.skip(isPhone(page), 'a phone has no large window')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open(`look/solutions/${solved.turn}?path=check+check`)
  const map = page.getByRole('group', { name: 'Cards that can come' })
  await expect(map).toBeVisible()
  const box = await map.boundingBox()
  expect(box?.height ?? 0).toBeGreaterThan(540)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(1080)
})
