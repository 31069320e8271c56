import { del, get, list, post, postBody, put } from '../methods.ts'

const BASE = '/svc/billing/api/v1/openapi'
const ENTITIES = `${BASE}/legal_entities` as const
const SETTINGS = `${BASE}/settings` as const
const DETAILS = `${BASE}/customers/{uuid}/billing_details` as const
const RATES = `${BASE}/tax_rates` as const
const EXCHANGE_RATES = `${BASE}/exchange_rates` as const
const ENGINE = `${BASE}/tax_engine` as const

/** Who sells: the sellers of invoices, and where they are registered for tax. */
export const legalEntities = {
  create: post(ENTITIES, (entity) => ({ body: { legal_entity: entity } }), 'legal_entity'),
  list: list(ENTITIES, (query?) => ({ query }), 'legal_entities'),
  get: get(`${ENTITIES}/{id}`, (id) => ({ path: { id } }), 'legal_entity'),
  update: put(
    `${ENTITIES}/{id}`,
    (id, entity) => ({ path: { id }, body: { legal_entity: entity } }),
    'legal_entity',
  ),
}

/** How new plans are invoiced. */
export const billingSettings = {
  get: get(SETTINGS, () => ({}), 'settings'),
  update: put(SETTINGS, (settings) => ({ body: { settings } }), 'settings'),
}

/** What invoices say of a customer beside its profile. */
export const billingDetails = {
  get: get(DETAILS, (customerUuid) => ({ path: { uuid: customerUuid } }), 'billing_details'),
  update: put(
    DETAILS,
    (customerUuid, details) => ({ path: { uuid: customerUuid }, body: { billing_details: details } }),
    'billing_details',
  ),
}

/** Which tax applies to which lines, where and when. */
export const taxRates = {
  create: post(RATES, (rate) => ({ body: { tax_rate: rate } }), 'tax_rate'),
  /** Creates the rates of all lines, or none. */
  import: postBody(`${RATES}/import`, (request) => ({ body: request })),
  list: list(RATES, (query?) => ({ query }), 'tax_rates'),
  get: get(`${RATES}/{id}`, (id) => ({ path: { id } }), 'tax_rate'),
  /** Only the end of a rate can change. */
  update: put(`${RATES}/{id}`, (id, rate) => ({ path: { id }, body: { tax_rate: rate } }), 'tax_rate'),
  /** Only a rate that taxed nothing can be removed. */
  delete: del(`${RATES}/{id}`, (id) => ({ path: { id } }), 'tax_rate'),
}

/** By which the tax of documents is in the currency of their seller, too. */
export const exchangeRates = {
  /** Each rate takes the place of the one of its day and currencies. */
  set: put(EXCHANGE_RATES, (rates) => ({ body: { exchange_rates: rates } }), 'exchange_rates'),
  list: list(EXCHANGE_RATES, (query?) => ({ query }), 'exchange_rates'),
}

/** Another service that is asked instead of the rates. */
export const taxEngine = {
  get: get(ENGINE, () => ({}), 'tax_engine'),
  /** The first registration shows the secret, once. */
  set: put(ENGINE, (engine) => ({ body: { tax_engine: engine } }), 'tax_engine'),
  delete: del(ENGINE, () => ({}), 'tax_engine'),
}
