import { type Decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { SortedPage } from '#platform/http/validation/sorted-list'
import { once } from '#platform/idempotency/idempotency'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { ExchangeRate } from '../model/exchange-rate.ts'
import type { NewExchangeRates } from '../model/exchange-rate-request.ts'
import {
  EXCHANGE_RATE_FIELDS,
  listExchangeRates,
  lockExchangeRates,
  saveExchangeRates,
} from '../storage/exchange-rate.repository.ts'

/** Stores rates, each in the place of the one of its day. Documents that lacked one of them get it. */
export function putExchangeRates(
  ctx: TaxesContext,
  caller: Caller,
  requested: NewExchangeRates,
): Promise<readonly ExchangeRate[]> {
  const rates = readExchangeRates(requested)
  return once(ctx.db, caller, async (tx) => {
    await lockExchangeRates(tx)
    await saveExchangeRates(tx, rates)
    for (const complete of ctx.rateHandlers) await complete(tx)
    return rates
  })
}

export async function exchangeRatesOfPage(
  ctx: TaxesContext,
  { businessId }: Caller,
  filter: string | undefined,
  page: SortedPage,
): Promise<ExchangeRate[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, EXCHANGE_RATE_FIELDS, timeZone)
  return listExchangeRates(ctx.db, businessId, condition, page)
}

function readExchangeRates(requested: NewExchangeRates): ExchangeRate[] {
  const places = new Map<string, number>()
  return requested.map(({ date, base, quote, rate }, index) => {
    if (base === quote) throw invalid(`[${index}].quote`, 'must be another currency than base')
    const key = `${date} ${base} ${quote}`
    const before = places.get(key)
    if (before !== undefined) throw invalid(`[${index}]`, `is the rate of exchange_rates[${before}] again`)
    places.set(key, index)
    return { date, base, quote, rate: readRate(rate, `[${index}].rate`) }
  })
}

/** As the column holds them. */
const BOUNDS = { beforePoint: 15, afterPoint: 12 }

function readRate(value: number | ExactNumber, place: string): Decimal {
  const read = parseDecimal(value, BOUNDS)
  if (isDecimalProblem(read)) throw invalid(place, read.message)
  if (read.unscaled <= 0n) throw invalid(place, 'must be more than zero')
  return read
}

function invalid(place: string, rule: string): RequestError {
  const param = `exchange_rates${place}`
  return errors.exchange_rate_invalid({ param, message: `${param} ${rule}.` })
}
