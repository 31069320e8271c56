import { expect, test } from 'vitest'
import { allocate } from '../src/pages/bank-transfers/allocate.ts'

test.each([
  ['100.00', ['119.00'], ['100.00']],
  ['120.00', ['119.00'], ['120.00']],
  ['100.00', ['40.00', '60.00'], ['40.00', '60.00']],
  ['100.00', ['40.00', '80.00'], ['40.00', '60.00']],
  ['100.00', ['120.00', '80.00'], ['100.00', '0.00']],
  ['100.00', ['40.00', '50.00'], ['40.00', '60.00']],
])('a transfer of %s over dues of %j is shared out as %j', (amount, dues, expected) => {
  expect(allocate(amount, dues, 'EUR')).toEqual(expected)
})
