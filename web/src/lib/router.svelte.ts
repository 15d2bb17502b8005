/** Where in the page a person is, kept in the address after the hash: it can be shared, and reloading loses nothing. */

export interface Route {
  /** "look/solutions/x.eqp" cut at its slashes. */
  parts: string[]
  query: Record<string, string>
}

export function parseHash(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const parts = path.split('/').filter((part) => part !== '').map(decodeURIComponent)
  return { parts, query: Object.fromEntries(new URLSearchParams(search)) }
}

export function formatHash(route: Route): string {
  const kept = Object.entries(route.query).filter(([, value]) => value !== '')
  const search = new URLSearchParams(kept).toString()
  return `#/${route.parts.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

let current = $state<Route>(parseHash(location.hash))

addEventListener('hashchange', () => {
  current = parseHash(location.hash)
})

export const route = {
  get parts(): string[] {
    return current.parts
  },
  get query(): Record<string, string> {
    return current.query
  },
}

export const link = (parts: string[], query: Record<string, string> = {}): string => formatHash({ parts, query })

export function go(parts: string[], query: Record<string, string> = {}): void {
  location.hash = formatHash({ parts, query })
}

/** Changes the query without a new entry in the history. */
export function replaceQuery(query: Record<string, string>): void {
  const next = { parts: current.parts, query: { ...current.query, ...query } }
  history.replaceState(null, '', formatHash(next))
  current = parseHash(location.hash)
}
