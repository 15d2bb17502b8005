/** Where in the page a person is, kept in the address after the hash: it can be shared, and reloading loses nothing. */

import type { Component } from 'svelte'
import { formatHash, parseHash, type Route } from './hash'
import { online } from './online.svelte'
import { loadView } from './views'

/** An address and the page that shows it change together: no page ever sees the address of another one. */
interface Place extends Route {
  view: Component | null
  /** The hash as the browser has it. */
  hash: string
}

let current = $state.raw<Place>({ ...parseHash(location.hash), view: null, hash: '' })
let arrivals = 0

/** Follows the address, as soon as its page is there. */
export async function arrive(): Promise<void> {
  arrivals += 1
  const turn = arrivals
  const hash = location.hash
  const next = parseHash(hash)
  try {
    const view = await loadView(next.parts)
    if (turn === arrivals) current = { ...next, view, hash }
    stranded = false
  } catch {
    // The server went away before this page was fetched. Browsers do not ask again for a module that failed.
    stranded = true
    online.lost()
  }
}

let stranded = false

/** Begins anew where a page could not be fetched, once the server is back. */
export function recover(): void {
  if (stranded) location.reload()
}

addEventListener('hashchange', () => void arrive())

export const route = {
  get parts(): string[] {
    return current.parts
  },
  get query(): Record<string, string> {
    return current.query
  },
  get view(): Component | null {
    return current.view
  },
}

export const link = (parts: string[], query: Record<string, string> = {}): string => formatHash({ parts, query })

export function go(parts: string[], query: Record<string, string> = {}): void {
  location.hash = formatHash({ parts, query })
}

/** Changes the query without a new entry in the history; not if the address has moved on already. */
export function replaceQuery(query: Record<string, string>): void {
  if (location.hash !== current.hash) return
  const next = { parts: current.parts, query: { ...current.query, ...query } }
  history.replaceState(null, '', formatHash(next))
  current = { ...parseHash(location.hash), view: current.view, hash: location.hash }
}
