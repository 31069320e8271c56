import { type Currency, minorDigits } from '#kernel/currencies'
import { readMoney } from '#kernel/money'
import { amountInvalid, errors } from '../errors.ts'

export function parsePositive(currency: Currency, text: string, param: string): bigint {
  const amount = readMoney(currency, text, param, amountInvalid)
  if (!amount.isPositive()) throw amountInvalid(param, 'must be more than 0')
  return amount.minor
}

/** The maximum in units of the card's currency, whatever that is (reference/cards#limits). */
const MAX_LIMIT = 100_000_000_000n

export function parseLimitAmount(currency: Currency, text: string, param: string): bigint {
  const amount = readMoney(currency, text, param, amountInvalid)
  if (amount.isNegative()) throw amountInvalid(param, 'must not be negative')
  if (amount.minor > MAX_LIMIT * 10n ** BigInt(minorDigits(currency))) {
    throw errors.card_limit_too_high({ param })
  }
  return amount.minor
}
