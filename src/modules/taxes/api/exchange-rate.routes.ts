import Type, { type Static } from 'typebox'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, PageSchema, renderPage } from '#platform/http/validation/list'
import { AmountOut, Resource, strictObject } from '#platform/http/validation/schemas'
import { readSortedPage, type SortedPage } from '#platform/http/validation/sorted-list'
import type { TaxesContext } from '../context.ts'
import { exchangeRatesOfPage, putExchangeRates } from '../exchange/exchange-rates.ts'
import type { ExchangeRate } from '../model/exchange-rate.ts'
import { NewExchangeRatesSchema } from '../model/exchange-rate-request.ts'
import { EXCHANGE_RATE_FIELDS, EXCHANGE_RATE_SORTS } from '../storage/exchange-rate.repository.ts'

const PATH = '/svc/billing/api/v1/openapi/exchange_rates'
const TAG = 'Exchange rates'

const ExchangeRateSchema = Resource('ExchangeRate', {
  date: Type.String({ format: 'date' }),
  base: Type.String(),
  quote: Type.String(),
  rate: AmountOut({ description: 'One unit of base in quote.' }),
})
const ExchangeRatesData = Type.Object({ exchange_rates: Type.Array(ExchangeRateSchema) })
const ExchangeRatesPage = Type.Object({ exchange_rates: Type.Array(ExchangeRateSchema), page: PageSchema })

const PutExchangeRatesBody = strictObject({ exchange_rates: NewExchangeRatesSchema })

export function exchangeRateRoutes(ctx: TaxesContext): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: PATH,
      scope: 'billing:write',
      summary: 'Set exchange rates',
      description:
        'Each rate takes the place of the one of its day and currencies; others stay. Documents that were issued without a rate get theirs, the other ones keep what they say.',
      tag: TAG,
      body: PutExchangeRatesBody,
      example: { exchange_rates: [{ date: '2027-03-05', base: 'EUR', quote: 'USD', rate: 1.0835 }] },
      data: ExchangeRatesData,
      handle: ({ caller, body }) => putExchangeRates(ctx, caller, body.exchange_rates),
      render: renderExchangeRates,
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'billing:read',
      summary: 'List exchange rates',
      description: 'The newest date first.',
      tag: TAG,
      query: filteredListQuery(EXCHANGE_RATE_FIELDS),
      data: ExchangeRatesPage,
      handle: async ({ caller, query: { filter, ...paging } }) => {
        const request = readSortedPage('exchange_rates', paging, EXCHANGE_RATE_SORTS, '-date')
        return renderExchangeRatesPage(request, await exchangeRatesOfPage(ctx, caller, filter, request))
      },
    }),
  ]
}

export function renderExchangeRates(rates: readonly ExchangeRate[]): Static<typeof ExchangeRatesData> {
  return { exchange_rates: rates.map(renderExchangeRate) }
}

export function renderExchangeRatesPage(
  request: SortedPage,
  found: readonly ExchangeRate[],
): Static<typeof ExchangeRatesPage> {
  const keyOf = ({ date, base, quote }: ExchangeRate) => ({ at: date, id: `${base}-${quote}` })
  const { rows, page } = renderPage(request, found, keyOf, renderExchangeRate)
  return { exchange_rates: rows, page }
}

function renderExchangeRate({ date, base, quote, rate }: ExchangeRate): Static<typeof ExchangeRateSchema> {
  return { date, base, quote, rate: rawNumber(decimalToString(rate)) }
}
