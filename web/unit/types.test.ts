import { expect, test } from 'vitest'

import { readOpenapi, readTypes, typesOf } from '../scripts/types.js'

test('the types are those of the API: npm run types', () => {
  expect(readTypes()).toBe(typesOf(readOpenapi()))
})

test('schemas become types', () => {
  const number = { type: 'number' }
  const ref = { $ref: '#/components/schemas/A' }
  const schemas = {
    A: { type: 'object', description: 'One.', properties: { a: number, b: { type: ['string', 'null'] } }, required: ['a'] },
    B: { allOf: [ref, { type: 'object', properties: { list: { type: 'array', items: { oneOf: [ref, { type: 'null' }] } } }, required: ['list'] }] },
    C: { type: 'object', properties: { each: { type: 'object', properties: { oop: number, ip: number }, required: ['oop', 'ip'] } }, required: [] },
    D: { type: 'string', enum: ['x', 'y'] },
  }
  const text = typesOf({ components: { schemas } })
  expect(text).toContain('/** One. */\nexport interface A {\n  a: number\n  b?: string | null\n}\n')
  expect(text).toContain('export interface B extends A {\n  list: (A | null)[]\n}\n')
  expect(text).toContain('each?: Both<number>')
  expect(text).toContain("export type D = 'x' | 'y'")
  expect(() => typesOf({ components: { schemas: { E: { type: 'date' } } } })).toThrow('not known')
})
