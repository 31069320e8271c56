import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import type { PageRequest } from '#platform/http/validation/list'
import { readSortedPage } from '#platform/http/validation/sorted-list'
import { Egress } from '#platform/security/egress'
import { Links } from '#platform/security/links'
import { cleanUp } from '#platform/testing/clean-up'
import { patientEgress } from '#platform/testing/patient-egress'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { rendered } from '#platform/testing/requests'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { customersOf, newCustomer } from '../../customers/testing/fixture.ts'
import { renderEngineData } from '../api/engine.routes.ts'
import {
  renderBillingDetailsData,
  renderLegalEntitiesPage,
  renderLegalEntityData,
  renderSettingsData,
} from '../api/party.render.ts'
import { renderImported, renderTaxRateData, renderTaxRatesPage } from '../api/rate.routes.ts'
import { renderExchangeRates, renderExchangeRatesPage } from '../api/exchange-rate.routes.ts'
import type { RateHandler, TaxesContext } from '../context.ts'
import { exchangeRatesOfPage, putExchangeRates } from '../exchange/exchange-rates.ts'
import type { NewExchangeRates } from '../model/exchange-rate-request.ts'
import type { NewLegalEntity } from '../model/party-requests.ts'
import { EXCHANGE_RATE_SORTS } from '../storage/exchange-rate.repository.ts'
import { getEngine, putEngine, removeEngine } from '../engine/tax-engine.ts'
import type { TaxesDependencies } from '../dependencies.ts'
import { billingDetailsOf, editBillingDetails } from '../parties/billing-details.ts'
import {
  createLegalEntity,
  editLegalEntity,
  legalEntitiesOfPage,
  legalEntityById,
} from '../parties/legal-entities.ts'
import { contextOf } from '../module.ts'
import { editSettings, settingsOf } from '../parties/settings.ts'
import { importTaxRates } from '../rates/import-rates.ts'
import { createTaxRate, editTaxRate, removeTaxRate, taxRateById, taxRatesOfPage } from '../rates/tax-rates.ts'

export function taxesOf(deps: TaxesDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: TaxesContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    createEntity: rendered(bind(createLegalEntity), renderLegalEntityData),
    editEntity: rendered(bind(editLegalEntity), renderLegalEntityData),
    entity: rendered(bind(legalEntityById), renderLegalEntityData),
    entitiesPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderLegalEntitiesPage(request, await legalEntitiesOfPage(ctx, caller, filter, request)),
    createRate: rendered(bind(createTaxRate), renderTaxRateData),
    editRate: rendered(bind(editTaxRate), renderTaxRateData),
    removeRate: rendered(bind(removeTaxRate), renderTaxRateData),
    rate: rendered(bind(taxRateById), renderTaxRateData),
    ratesPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderTaxRatesPage(request, await taxRatesOfPage(ctx, caller, filter, request)),
    putExchangeRates: rendered(
      (caller: Caller, rates: NewExchangeRates) => putExchangeRates(ctx, caller, rates),
      renderExchangeRates,
    ),
    exchangeRates: async (
      caller: Caller,
      filter?: string,
      query: { readonly limit?: number; readonly cursor?: string } = {},
    ) => {
      const request = readSortedPage('exchange_rates', query, EXCHANGE_RATE_SORTS, '-date')
      return renderExchangeRatesPage(request, await exchangeRatesOfPage(ctx, caller, filter, request))
    },
    onExchangeRates: (handler: RateHandler) => void ctx.rateHandlers.push(handler),
    importRates: rendered(bind(importTaxRates), renderImported),
    putEngine: rendered(bind(putEngine), renderEngineData),
    engine: rendered(bind(getEngine), renderEngineData),
    removeEngine: rendered(bind(removeEngine), renderEngineData),
    editSettings: rendered(bind(editSettings), renderSettingsData),
    settings: rendered(bind(settingsOf), renderSettingsData),
    editDetails: rendered(bind(editBillingDetails), renderBillingDetailsData),
    details: rendered(bind(billingDetailsOf), renderBillingDetailsData),
  }
}

export async function createFixture() {
  const database = await createTestDatabase()
  const { acquirer } = await createTestAcquirer({ silenceMs: 3_000 })
  const { keyring } = createTestKeyring()
  const deps = {
    db: database.db,
    events: new EventLog(),
    acquirers: simulatedAcquirers(() => acquirer),
    businesses: { profile: async () => ({ timeZone: 'Europe/Berlin', environment: 'test' as const }) },
    keyring,
    links: new Links(keyring, () => 'http://127.0.0.1:8080'),
  }
  const customers = customersOf(deps)
  const egress = new Egress({ allowPrivate: true })
  cleanUp(() => egress.close())
  const taxes = taxesOf({ ...deps, egress: patientEgress(egress), customers })
  return {
    ...database,
    customers,
    taxes,
    business: () => createTestBusiness(database),
    customer: async (caller: Caller) => (await newCustomer({ customers }, caller)).uuid,
  }
}

export const GERMAN_ENTITY: NewLegalEntity = {
  name: 'Example GmbH',
  address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  registrations: [{ country: 'DE' }],
}
