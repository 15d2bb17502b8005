/** The pages. Each is a part of its own: the first is there sooner, and the others are fetched while nothing is to do. */

import type { Component } from 'svelte'

type Loader = () => Promise<{ default: Component }>

const VIEWS = new Map<string, Loader>([
  ['setup', () => import('../views/SetupView.svelte')],
  ['solves', () => import('../views/SolvesView.svelte')],
  ['library', () => import('../views/LibraryView.svelte')],
  ['batches', () => import('../views/BatchView.svelte')],
  ['preflop', () => import('../views/PreflopTabs.svelte')],
  ['play', () => import('../views/PlayView.svelte')],
  ['equity', () => import('../views/EquityView.svelte')],
  ['train', () => import('../views/TrainView.svelte')],
  ['look', () => import('../views/LookView.svelte')],
  ['compare', () => import('../views/CompareView.svelte')],
])
const missing: Loader = () => import('../views/MissingView.svelte')

/** Whether an address names what its page needs. */
function isWhole([page = 'setup', second, third, fourth]: readonly string[]): boolean {
  if (page === 'look' && second === 'batches') return third !== undefined && fourth !== undefined
  if (page === 'look') return (second === 'solutions' || second === 'jobs') && third !== undefined
  return page !== 'compare' || second !== undefined
}

/** The page of an address; one that says so where there is none. */
export async function loadView(parts: readonly string[]): Promise<Component> {
  const load = isWhole(parts) ? VIEWS.get(parts[0] ?? 'setup') : undefined
  return (await (load ?? missing)()).default
}

/** Pages of one solution begin anew with another; the others follow their address themselves. */
export function keyOf(parts: readonly string[]): string {
  const [page = 'setup'] = parts
  return page === 'solves' || page === 'setup' ? page : parts.join('/')
}

export function loadAll(): void {
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  idle(() => {
    // Whoever goes to a page that could not be fetched hears of it.
    for (const load of [...VIEWS.values(), missing]) load().catch(() => undefined)
  })
}
