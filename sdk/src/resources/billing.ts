import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const BASE = '/svc/billing/api/v1/openapi'
const ENTITIES = `${BASE}/legal_entities` as const
const SETTINGS = `${BASE}/settings` as const
const DETAILS = `${BASE}/customers/{uuid}/billing_details` as const
const RATES = `${BASE}/tax_rates` as const
const ENGINE = `${BASE}/tax_engine` as const

type EntityEdit = Body<'put', `${typeof ENTITIES}/{id}`>['legal_entity']
type RateEdit = Body<'put', `${typeof RATES}/{id}`>['tax_rate']

/** Who sells: the sellers of invoices, and where they are registered for tax. */
export function legalEntitiesOf(client: Client) {
  return {
    create: (entity: Body<'post', typeof ENTITIES>['legal_entity'], options?: RequestOptions) =>
      pick(client.send('post', ENTITIES, { body: { legal_entity: entity } }, options), 'legal_entity'),
    list: (query?: Query<'get', typeof ENTITIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ENTITIES, { query: page }, options),
        (data) => data.legal_entities,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${ENTITIES}/{id}`, { path: { id } }, options), 'legal_entity'),
    update: (id: string, entity: EntityEdit, options?: RequestOptions) =>
      pick(
        client.send('put', `${ENTITIES}/{id}`, { path: { id }, body: { legal_entity: entity } }, options),
        'legal_entity',
      ),
  }
}

/** How new plans are invoiced. */
export function billingSettingsOf(client: Client) {
  return {
    get: (options?: RequestOptions) => pick(client.send('get', SETTINGS, {}, options), 'settings'),
    update: (settings: Body<'put', typeof SETTINGS>['settings'], options?: RequestOptions) =>
      pick(client.send('put', SETTINGS, { body: { settings } }, options), 'settings'),
  }
}

/** What invoices say of a customer beside its profile. */
export function billingDetailsOf(client: Client) {
  return {
    get: (customerUuid: string, options?: RequestOptions) =>
      pick(client.send('get', DETAILS, { path: { uuid: customerUuid } }, options), 'billing_details'),
    update: (
      customerUuid: string,
      details: Body<'put', typeof DETAILS>['billing_details'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send(
          'put',
          DETAILS,
          { path: { uuid: customerUuid }, body: { billing_details: details } },
          options,
        ),
        'billing_details',
      ),
  }
}

/** Which tax applies to which lines, where and when. */
export function taxRatesOf(client: Client) {
  return {
    create: (rate: Body<'post', typeof RATES>['tax_rate'], options?: RequestOptions) =>
      pick(client.send('post', RATES, { body: { tax_rate: rate } }, options), 'tax_rate'),
    /** Creates the rates of all lines, or none. */
    import: (request: Body<'post', `${typeof RATES}/import`>, options?: RequestOptions) =>
      client.send('post', `${RATES}/import`, { body: request }, options),
    list: (query?: Query<'get', typeof RATES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', RATES, { query: page }, options),
        (data) => data.tax_rates,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${RATES}/{id}`, { path: { id } }, options), 'tax_rate'),
    /** Only the end of a rate can change. */
    update: (id: string, rate: RateEdit, options?: RequestOptions) =>
      pick(
        client.send('put', `${RATES}/{id}`, { path: { id }, body: { tax_rate: rate } }, options),
        'tax_rate',
      ),
  }
}

/** Another service that is asked instead of the rates. */
export function taxEngineOf(client: Client) {
  return {
    get: (options?: RequestOptions) => pick(client.send('get', ENGINE, {}, options), 'tax_engine'),
    /** The first registration shows the secret, once. */
    set: (engine: Body<'put', typeof ENGINE>['tax_engine'], options?: RequestOptions) =>
      pick(client.send('put', ENGINE, { body: { tax_engine: engine } }, options), 'tax_engine'),
    delete: (options?: RequestOptions) => pick(client.send('delete', ENGINE, {}, options), 'tax_engine'),
  }
}
