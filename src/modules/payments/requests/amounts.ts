import { type Currency, isCurrency } from '#kernel/currencies'
import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { type Money, readMoney } from '#kernel/money'
import { errors } from '../errors.ts'

export function readAmount(currency: Currency, value: number | ExactNumber, param: string): Money {
  return readMoney(currency, value, param, amountInvalid)
}

export function readPositiveAmount(
  currency: Currency,
  value: number | ExactNumber | undefined,
  param: string,
): Money | undefined {
  if (value === undefined) return undefined
  const amount = readAmount(currency, value, param)
  if (amount.isPositive()) return amount
  throw amountInvalid(param, 'must be more than zero')
}

export function amountInvalid(param: string, rule: string): RequestError {
  return errors.amount_invalid({ param, message: `${param} ${rule}.` })
}

export function readCurrency(code: string, param: string): Currency {
  if (!isCurrency(code)) throw errors.currency_unknown({ param })
  return code
}
