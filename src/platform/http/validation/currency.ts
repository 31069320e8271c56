import { type Currency, isCurrency } from '#kernel/currencies'
import { platformErrors } from '#platform/errors'

export function readCurrency(currency: string | undefined): Currency | undefined {
  if (currency === undefined || isCurrency(currency)) return currency
  throw platformErrors.invalid_query_value({
    param: 'currency',
    message: 'currency must be an ISO 4217 code, such as HKD.',
  })
}
