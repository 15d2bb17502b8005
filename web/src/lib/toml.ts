/** Spot files as text. The server reads them; the page only ever writes them. */

import { type SpotDocument, withDonks } from './spot'

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value }
type Table = { [key: string]: Value }

const isTable = (value: Value): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)
const isBare = (key: string): boolean => /^[A-Za-z0-9_-]+$/.test(key)
const keyText = (key: string): string => (isBare(key) ? key : JSON.stringify(key))
const isMissing = (value: Value): boolean => value === null || value === undefined

/** JSON's escapes are TOML's, but for the one control character that JSON leaves alone. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

function valueText(value: Value): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (!isTable(value)) throw new TypeError('TOML has no null')
  const parts = Object.entries(value).filter(([, inner]) => !isMissing(inner))
  return parts.length === 0 ? '{}' : `{ ${parts.map(([key, inner]) => `${keyText(key)} = ${valueText(inner)}`).join(', ')} }`
}

const isListOfTables = (value: Value): value is Table[] => Array.isArray(value) && value.length > 0 && value.every(isTable)

function plainLines(table: Table): string[] {
  return Object.entries(table)
    .filter(([, value]) => !isMissing(value) && !isTable(value) && !isListOfTables(value))
    .map(([key, value]) => `${keyText(key)} = ${valueText(value)}`)
}

/** A table with its header, and the tables below it. Tables without a line of their own are left out. */
function section(name: string[], table: Table): string[] {
  const lines = plainLines(table)
  const blocks = lines.length > 0 ? [[`[${name.map(keyText).join('.')}]`, ...lines].join('\n')] : []
  for (const [key, value] of Object.entries(table)) {
    if (isTable(value)) blocks.push(...section([...name, key], value))
  }
  return blocks
}

/** One of a list of tables: what is in it stands on one line each, tables within it too. */
function listed(name: string, table: Table): string {
  const lines = Object.entries(table)
    .filter(([, value]) => !isMissing(value))
    .map(([key, value]) => `${keyText(key)} = ${valueText(value)}`)
  return [`[[${keyText(name)}]]`, ...lines].join('\n')
}

export function writeToml(document: Table): string {
  const blocks = [plainLines(document).join('\n')].filter((block) => block !== '')
  for (const [key, value] of Object.entries(document)) {
    if (isTable(value)) blocks.push(...section([key], value))
    if (isListOfTables(value)) blocks.push(...value.map((table) => listed(key, table)))
  }
  return `${blocks.join('\n\n')}\n`
}

/** A spot as the file that `equipoise solve` reads. */
export function writeSpot(spot: SpotDocument): string {
  const { schema_version, ranges, cards, tree, bet_sizes, solver, locks, ...rest } = withDonks(spot)
  const ordered = { schema_version: schema_version ?? 1, ranges, cards, tree, bet_sizes, solver, locks, ...rest }
  return writeToml(JSON.parse(JSON.stringify(ordered)) as Table)
}
