/** What a person likes, kept in the browser. */

import type { Unit } from './units'

export type Theme = 'auto' | 'dark' | 'light'

interface Settings {
  theme: Theme
  /** Auto: big blinds where the spot says what one is, else chips. */
  unit: Unit | 'auto'
  /** Chips of a big blind; the guide advises hundredths. */
  chipsPerBb: number
  patterns: boolean
}

const KEY = 'equipoise.settings'
const DEFAULTS: Settings = { theme: 'auto', unit: 'auto', chipsPerBb: 100, patterns: false }

/** A value that an earlier visit left, or what it begins with; a full or forbidden store is no reason to fail. */
export function remembered<T>(key: string, begin: T): T {
  try {
    const text = localStorage.getItem(key)
    return text === null ? begin : (JSON.parse(text) as T)
  } catch {
    return begin
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Private windows may have no store: the page works, and forgets.
  }
}

export const settings = $state<Settings>({ ...DEFAULTS, ...remembered<Partial<Settings>>(KEY, {}) })

export function applyTheme(): void {
  const root = document.documentElement
  if (settings.theme === 'auto') delete root.dataset['theme']
  else root.dataset['theme'] = settings.theme
}

export const saveSettings = (): void => remember(KEY, settings)

/** The theme in use, whatever decided it. */
export function isDark(): boolean {
  if (settings.theme !== 'auto') return settings.theme === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}
