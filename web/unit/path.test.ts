import { describe, expect, it } from 'vitest'
import { formatPath, parentPath, parsePath, withAction, withCard } from '../src/lib/path'

describe('paths', () => {
  it('are written as the command writes them', () => {
    expect(withAction('', 'check')).toBe('check')
    expect(withCard('check bet:120 call', '7s')).toBe('check bet:120 call | 7s |')
    expect(withAction('check bet:120 call | 7s |', 'check')).toBe('check bet:120 call | 7s | check')
  })

  it('are read in any spacing', () => {
    expect(parsePath(' check  bet:120|')).toEqual([{ action: 'check' }, { action: 'bet:120' }])
    expect(parsePath('check check|7S|')).toEqual([{ action: 'check' }, { action: 'check' }, { card: '7s' }])
    const path = 'check check | 7s | bet:120 raise:300'
    expect(formatPath(parsePath(path))).toBe(path)
  })

  it('go back by one step', () => {
    expect(parentPath('')).toBeNull()
    expect(parentPath('check')).toBe('')
    expect(parentPath('check check | 7s |')).toBe('check check')
    expect(parentPath('check check | 7s | check')).toBe('check check | 7s |')
  })
})
