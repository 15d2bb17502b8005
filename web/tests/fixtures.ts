/** A server for each worker, and pages that fail if anything leaves this machine or anything goes wrong in them. */

import { expect, test as base, type Page } from '@playwright/test'
import { Server } from './server'
import { FLOP, GAME, PLAN, RIVER, TURN } from './spots'

interface Solved {
  river: string
  turn: string
  flop: string
}

export const test = base.extend<{ open: (hash: string) => Promise<Page> }, { server: Server; solved: Solved; batch: string; blueprint: string }>({
  server: [
    async ({}, use) => {
      const server = new Server()
      await server.start()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  solved: [
    async ({ server }, use) => {
      const river = await server.solve('river', RIVER)
      const turn = await server.solve('turn', TURN)
      const flop = await server.solve('flop', FLOP)
      await use({ river, turn, flop })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  batch: [
    async ({ server }, use) => {
      await server.batch('flops', PLAN)
      await use('flops')
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  blueprint: [
    async ({ server }, use) => {
      await use(await server.blueprint('x.eqb', GAME))
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  page: async ({ page, server }, use) => {
    const wrong: string[] = []
    // Nonsense is refused, and a server that was stopped does not answer: browsers write both down.
    const expected = (text: string): boolean => /status of 4\d\d/.test(text) || (server.wasStopped && /net::ERR_/.test(text))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) wrong.push(`asked ${url}`)
    })
    page.on('pageerror', (error) => wrong.push(`failed: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected(message.text())) wrong.push(`said: ${message.text()}`)
    })
    // The tour of the first visit has a test of its own.
    await page.addInitScript(() => {
      if (location.protocol === 'http:') localStorage.getItem('equipoise.tour') ?? localStorage.setItem('equipoise.tour', '3')
    })
    await use(page)
    expect(wrong, 'nothing leaves loopback and nothing fails').toEqual([])
  },
  open: async ({ page, server }, use) => {
    await use(async (hash) => {
      await page.goto(`${server.url}/#/${hash}`)
      return page
    })
  },
})

export { expect }

/** A phone is the narrow project. */
export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 700

/** A cell of a grid by the class in it. */
export const cell = (page: Page, name: string) => page.locator(`[data-class="${name}"]:visible`).first()
