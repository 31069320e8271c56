import type { Caller } from '#platform/caller'
import { rewrapSecret } from '#platform/idempotency/secret-holder'
import { defineModule } from '#platform/module'
import { engineRoutes } from './api/engine.routes.ts'
import { exchangeRateRoutes } from './api/exchange-rate.routes.ts'
import { partyRoutes } from './api/party.routes.ts'
import { rateRoutes, renderTaxRateData } from './api/rate.routes.ts'
import type { GapReader, RateHandler, RateUseReader, TaxesContext } from './context.ts'
import type { TaxesDependencies } from './dependencies.ts'
import { withTaxEngine } from './engine/ask-engine.ts'
import { ENGINE_SECRET } from './engine/tax-engine.ts'
import { errors } from './errors.ts'
import type { TaxAnswers } from './model/tax-answers.ts'
import type { BillingDetailsEdit } from './model/party-requests.ts'
import { billingDetailsOf, editBillingDetails } from './parties/billing-details.ts'
import { findByInvoiceEmail } from './storage/billing-details.repository.ts'
import { TAXES_PERSONAL_DATA } from './storage/personal-data.ts'

export { TAX_EVENTS } from './api/events.ts'
export { renderBillingDetailsData } from './api/party.render.ts'
export { BillingDetailsData, EditBillingDetailsBody } from './api/party.schemas.ts'

export const taxesModule = defineModule({
  name: 'taxes',
  errors: errors.catalogue,
  personalData: TAXES_PERSONAL_DATA,
  rewraps: [rewrapSecret(ENGINE_SECRET)],
  connect: (deps: TaxesDependencies) => {
    const ctx = contextOf(deps)
    return {
      taxes: taxesOf(ctx),
      routes: [...partyRoutes(ctx), ...rateRoutes(ctx), ...exchangeRateRoutes(ctx), ...engineRoutes(ctx)],
    }
  },
})

export type Taxes = ReturnType<typeof taxesOf>

function taxesOf(ctx: TaxesContext) {
  return {
    billingDetailsOf: (caller: Caller, customerUuid: string) => billingDetailsOf(ctx, caller, customerUuid),
    editBillingDetails: (caller: Caller, customerUuid: string, edit: BillingDetailsEdit) =>
      editBillingDetails(ctx, caller, customerUuid, edit),
    findByInvoiceEmail,
    onRateUseAsked: (reader: RateUseReader) => void ctx.rateUseReaders.push(reader),
    onExchangeRates: (handler: RateHandler) => void ctx.rateHandlers.push(handler),
    onSeriesRead: (reader: GapReader) => void ctx.gapReaders.push(reader),
    withEngine: <Result>(
      businessId: string,
      work: (answers: TaxAnswers) => Promise<Result>,
      isPreview = false,
    ) => withTaxEngine(ctx, businessId, isPreview, work),
  }
}

export function contextOf(deps: TaxesDependencies): TaxesContext {
  return {
    ...deps,
    gapReaders: [],
    rateHandlers: [],
    rateUseReaders: [],
    present: { taxRate: renderTaxRateData },
  }
}
