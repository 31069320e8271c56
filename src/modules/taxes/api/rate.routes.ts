import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { defineRoute, type Route } from '#platform/http/routes/route'
import {
  byCreation,
  filteredListQuery,
  type PageRequest,
  readPage,
  renderPage,
} from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { TaxesContext } from '../context.ts'
import type { TaxRate } from '../model/tax-rate.ts'
import { type ImportedRates, importTaxRates } from '../rates/import-rates.ts'
import { createTaxRate, editTaxRate, removeTaxRate, taxRateById, taxRatesOfPage } from '../rates/tax-rates.ts'
import { TAX_RATE_FIELDS } from '../storage/tax-rate.repository.ts'
import {
  CreateTaxRateBody,
  EditTaxRateBody,
  IMPORT_REFUSED,
  ImportedTaxRates,
  TAX_RATE_REFUSED,
  TaxRateData,
  type TaxRateSchema,
  TaxRatesPage,
} from './rate.schemas.ts'
import { ImportTaxRatesBody } from '../model/rate-requests.ts'

const BASE = '/svc/billing/api/v1/openapi/tax_rates'
const TAG = 'Tax rates'

export function rateRoutes(ctx: TaxesContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'billing:write',
      summary: 'Create a tax rate',
      tag: TAG,
      body: CreateTaxRateBody,
      example: { tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2021-01-01' } },
      data: TaxRateData,
      failures: { 409: TAX_RATE_REFUSED },
      handle: ({ caller, body }) => createTaxRate(ctx, caller, body.tax_rate),
      render: renderTaxRateData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/import`,
      scope: 'billing:write',
      summary: 'Import tax rates',
      description:
        'Creates the rates of all lines or none. Lines that say what is stored change nothing. If a line is wrong, `data.lines` of the refusal says why.',
      tag: TAG,
      body: ImportTaxRatesBody,
      example: { csv: 'name,country,percentage,valid_from\nVAT,FR,20,2014-01-01\n', dry_run: true },
      data: ImportedTaxRates,
      failures: { 422: IMPORT_REFUSED },
      handle: ({ caller, body }) => importTaxRates(ctx, caller, body),
      render: renderImported,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'billing:read',
      summary: 'List tax rates',
      tag: TAG,
      query: filteredListQuery(TAX_RATE_FIELDS),
      data: TaxRatesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('tax_rates', query)
        return renderTaxRatesPage(request, await taxRatesOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'billing:read',
      summary: 'Get a tax rate',
      tag: TAG,
      params: IdParams,
      data: TaxRateData,
      handle: ({ caller, params }) => taxRateById(ctx, caller, params.id),
      render: renderTaxRateData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id`,
      scope: 'billing:write',
      summary: 'Edit the end of a tax rate',
      description: 'Orders that were made keep their tax.',
      tag: TAG,
      params: IdParams,
      body: EditTaxRateBody,
      example: { tax_rate: { valid_until: '2027-06-30' } },
      data: TaxRateData,
      failures: { 409: TAX_RATE_REFUSED },
      handle: ({ caller, params, body }) => editTaxRate(ctx, caller, params.id, body.tax_rate),
      render: renderTaxRateData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/:id`,
      scope: 'billing:write',
      summary: 'Remove a tax rate that taxed nothing',
      tag: TAG,
      params: IdParams,
      data: TaxRateData,
      handle: ({ caller, params }) => removeTaxRate(ctx, caller, params.id),
      render: renderTaxRateData,
    }),
  ]
}

export function renderTaxRateData(rate: TaxRate): Static<typeof TaxRateData> {
  return { tax_rate: renderTaxRate(rate) }
}

export function renderTaxRatesPage(
  request: PageRequest,
  found: readonly TaxRate[],
): Static<typeof TaxRatesPage> {
  const { rows, page } = renderPage(request, found, byCreation, renderTaxRate)
  return { tax_rates: rows, page }
}

export function renderImported({ created, unchanged, isDryRun }: ImportedRates) {
  return { created, unchanged, dry_run: isDryRun }
}

function renderTaxRate(rate: TaxRate): Static<typeof TaxRateSchema> {
  return {
    id: rate.id,
    name: rate.name,
    country: rate.country,
    region: rate.region,
    category: rate.category,
    percentage: rawNumber(decimalToString(rate.percentage)),
    valid_from: rate.validFrom,
    valid_until: rate.validUntil,
    reference_id: rate.referenceId,
    ...(rate.metadata !== null && { metadata: rate.metadata }),
    created_at: toRfc3339(rate.createdAt),
    updated_at: toRfc3339(rate.updatedAt),
  }
}
