import { compareDecimals, decimal, type Decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import type { ExactNumber } from '#kernel/json'

const BOUNDS = { beforePoint: 3, afterPoint: 6 }
const NOTHING = decimal(0)
const HUNDRED = decimal(100)

export function readPercentage(value: number | string | ExactNumber): Decimal | string {
  const read = parseDecimal(value, BOUNDS)
  if (isDecimalProblem(read)) return read.message
  const isInRange = compareDecimals(read, NOTHING) >= 0 && compareDecimals(read, HUNDRED) <= 0
  return isInRange ? read : 'must be from 0 to 100'
}
