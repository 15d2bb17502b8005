import { describe, expect, it } from 'vitest'
import { lockMarks, lockedAt } from '../src/lib/lockmarks'
import { firstSpot } from '../src/lib/spot'

describe('locks of a solution', () => {
  const marks = lockMarks({
    ...firstSpot(),
    locks: [
      { line: 'check', strategy: { check: 1, 'bet:330': 0 } },
      { line: 'check check | check', runout: '7s', hands: { AKs: { check: 0.5, 'bet:660': 0.5 } } },
      { line: 'check check | bet:660', hands: { AA: { call: 1 }, KK: { fold: 1 } } },
    ],
  })

  it('are found by the path of a decision, and said in words', () => {
    expect(lockedAt(marks, 'check')).toEqual(['all hands: check 100 %'])
    expect(lockedAt(marks, '')).toEqual([])
    expect(lockedAt(marks, 'check check | 7s | check')).toEqual(['AKs: check 50 %, bet:660 50 %'])
    expect(lockedAt(marks, 'check check | 7h | check')).toEqual([])
    expect(lockedAt(marks, 'check check | 2c | bet:660')).toEqual(['2 groups of hands'])
  })
})
