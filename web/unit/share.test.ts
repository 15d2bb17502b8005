import { describe, expect, it } from 'vitest'
import { packText, unpackText } from '../src/lib/share'

describe('links', () => {
  it('hold any text in letters that links may have', async () => {
    const text = 'ranges = "QQ+,AKs"\n♠ '.repeat(50)
    const packed = await packText(text)
    expect(packed).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(packed.length).toBeLessThan(text.length / 5)
    expect(await unpackText(packed)).toBe(text)
  })

  it('are refused if they are none', async () => {
    await expect(unpackText('not a link!')).rejects.toThrow()
  })
})
