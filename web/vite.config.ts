import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// `npm run dev` serves the page from its sources; the answers come from an `equipoise serve` that runs beside it.
const server = process.env['EQUIPOISE_SERVER'] ?? 'http://127.0.0.1:7878'
const proxy = { '/api': { target: server, changeOrigin: true, headers: { origin: server } } }

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Where the server's build script takes it in, and its package carries it.
    outDir: '../crates/server/page/dist',
    emptyOutDir: true,
    target: 'es2022',
    // The page is inside the binary: two files that are there at once beat twenty that follow each other.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  test: { include: ['unit/**/*.test.ts'] },
})
