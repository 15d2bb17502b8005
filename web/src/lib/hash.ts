/** The part of an address after the hash: '#/look/solutions/x.eqp?path=check'. */

export interface Route {
  /** "look/solutions/x.eqp" cut at its slashes. */
  parts: string[]
  query: Record<string, string>
}

/** What cannot be decoded stays as it is written: it names nothing, and its page says so. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function parseHash(hash: string): Route {
  const text = hash.replace(/^#\/?/, '')
  const mark = text.indexOf('?')
  const [path, search] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)]
  const parts = path.split('/').filter((part) => part !== '').map(decoded)
  return { parts, query: Object.fromEntries(new URLSearchParams(search)) }
}

export function formatHash(route: Route): string {
  const kept = Object.entries(route.query).filter(([, value]) => value !== '')
  const search = new URLSearchParams(kept).toString()
  return `#/${route.parts.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}
