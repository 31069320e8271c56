import sql, { type Sql } from 'sql-template-tag'
import { CURRENCIES, minorDigits } from '#kernel/currencies'

/** How many minor units a unit of the currency in `column` has, for filters that compare amounts. */
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
