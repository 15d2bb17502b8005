/** Makes `src/lib/types.ts` from the API's description: `npm run types`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OPENAPI = new URL('../../crates/server/openapi.json', import.meta.url)
const TYPES = new URL('../src/lib/types.ts', import.meta.url)

const HEAD = `/** The documents of the API: made from crates/server/openapi.json by \`npm run types\`, not by hand. */

/** A value for each player. */
export type Both<T> = Record<PlayerName, T>
`

const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }

/** @typedef {{ [key: string]: any }} Schema */

/** @param {string} indent @param {string | undefined} text */
const comment = (indent, text) => (text ? `${indent}/** ${text} */\n` : '')

/** @param {string} type */
const inList = (type) => (type.replace(/\{.*\}|<.*>/, '').includes(' | ') ? `(${type})[]` : `${type}[]`)

/** @param {string[]} types */
const union = (types) => [...new Set(types)].join(' | ')

/** The name of a schema that is referred to. @param {string} ref */
const named = (ref) => ref.replace('#/components/schemas/', '')

/** Whether an object is the same for each player. @param {Schema} schema */
function isBoth({ properties = {}, required = [] }) {
  const isEach = Object.keys(properties).join() === 'oop,ip' && required.length === 2
  return isEach && JSON.stringify(properties.oop) === JSON.stringify(properties.ip)
}

/** The fields of an object, each as `name: type`. @param {Schema} schema */
function fields({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, schema]) => ({
    text: `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
    description: schema.description,
  }))
}

/** @param {Schema} schema @returns {string} */
function objectType(schema) {
  if (isBoth(schema)) return `Both<${typeOf(schema.properties.oop)}>`
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties)}>`
  if (!schema.properties) return 'Record<string, unknown>'
  return `{ ${fields(schema).map(({ text }) => text).join('; ')} }`
}

/** The type of a value as it is written within another. @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return named(schema.$ref)
  if (schema.oneOf) return union(schema.oneOf.map(typeOf))
  if (schema.enum) return union(schema.enum.map((/** @type {unknown} */ value) => (value === null ? 'null' : `'${value}'`)))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  if (schema.type === 'array') return inList(typeOf(schema.items))
  if (schema.type === 'object') return objectType(schema)
  const plain = PLAIN[/** @type {keyof typeof PLAIN} */ (schema.type)]
  if (!plain) throw new Error(`what TypeScript calls this is not known: ${JSON.stringify(schema)}`)
  return plain
}

/** @param {string} head @param {Schema} schema */
function interfaceText(head, schema) {
  const lines = fields(schema).map(({ text, description }) => `${comment('  ', description)}  ${text}\n`)
  return `export interface ${head} {\n${lines.join('')}}\n`
}

/** @param {string} name @param {Schema} schema */
function declaration(name, schema) {
  const head = comment('', schema.description)
  if (schema.allOf) {
    const [base, more, ...rest] = schema.allOf
    if (!base.$ref || rest.length > 0) throw new Error(`${name} is more than one document and its own fields`)
    return head + interfaceText(`${name} extends ${named(base.$ref)}`, more)
  }
  if (schema.type === 'object' && schema.properties) return head + interfaceText(name, schema)
  return `${head}export type ${name} = ${typeOf(schema)}\n`
}

/** The types of all documents that the API's description names. @param {Schema} openapi */
export function typesOf(openapi) {
  const schemas = Object.entries(openapi['components'].schemas)
  return [HEAD, ...schemas.map(([name, schema]) => declaration(name, schema))].join('\n')
}

/** The API's description. @returns {Schema} */
export const readOpenapi = () => JSON.parse(readFileSync(OPENAPI, 'utf8'))

/** What is there. */
export const readTypes = () => readFileSync(TYPES, 'utf8')

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TYPES, typesOf(readOpenapi()))
