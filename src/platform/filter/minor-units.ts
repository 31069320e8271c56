import sql, { type Sql } from 'sql-template-tag'
import { CURRENCIES, minorDigits } from '#kernel/currencies'
import { isDecimalProblem, parseDecimal, unscaledAt } from '#kernel/decimal'

export function minorPerUnit(column: Sql): Sql {
  return sql`case
    when ${column} = any(${currenciesOf(0)}::text[]) then 1
    when ${column} = any(${currenciesOf(3)}::text[]) then 1000
    when ${column} = any(${currenciesOf(4)}::text[]) then 10000
    else 100 end`
}

function currenciesOf(digits: number): string[] {
  return CURRENCIES.filter((currency) => minorDigits(currency) === digits)
}

/** No currency has more decimals. */
const KEY_DIGITS = 4
/** Larger amounts have no key in the index, because the column has 18 digits. */
const MAX_KEY = 10n ** 14n

/** The key of an amount in any currency, as `quittance_amount_key` (migrations/0009_payments) makes it; undefined where it has none. */
export function amountKey(decimal: string): bigint | undefined {
  const parsed = parseDecimal(decimal)
  if (isDecimalProblem(parsed) || parsed.scale > KEY_DIGITS) return undefined
  const key = unscaledAt(parsed, KEY_DIGITS)
  const unsigned = key < 0n ? -key : key
  return unsigned < MAX_KEY ? unsigned : undefined
}

export function narrowAmount(column: Sql): (value: string) => Sql | undefined {
  return (value) => {
    const key = amountKey(value)
    return key === undefined ? undefined : sql`${column} = ${key.toString()}::bigint`
  }
}
