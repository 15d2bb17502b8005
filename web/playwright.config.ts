import { defineConfig } from '@playwright/test'

// Debian's Chromium, which may not open connections of its own: a page that needs anything from outside would show.
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const launchOptions = {
  executablePath: chromium,
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ],
}

export default defineConfig({
  testDir: 'tests',
  // Two cores: one for the browser, one for the server.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: { launchOptions, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  ],
})
