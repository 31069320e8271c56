export { billingDetails } from './parties/billing-details.ts'
export type { BillingDetails } from './model/billing-details.ts'
export { countryOfVatId, EU_STATES } from './model/eu.ts'
export { type LegalEntity, type NumberSeries, type Registration, seriesOf } from './model/legal-entity.ts'
export { formatNumber, numbersByYear } from './model/number-format.ts'
export type { Address, CustomerTaxId, TaxId } from './model/party.ts'
export type { BillingSettings } from './model/settings.ts'
export type { LineTax, OrderTax, TaxBehavior, TaxGroup, Treatment } from './model/tax.ts'
export { settings } from './parties/settings.ts'
export {
  findLegalEntities as legalEntities,
  findLegalEntity as legalEntity,
} from './storage/legal-entity.repository.ts'
export { errors as taxErrors } from './errors.ts'
export { taxesModule } from './module.ts'
