export { assessTaxes, rateLabel, type TaxableLine, taxOn } from './assessment/assess-taxes.ts'
export type { TaxGround } from './model/tax-ground.ts'
export { treatLines } from './assessment/treat-lines.ts'
export { type AnswersTaxes, SILENCE, type TaxAnswers } from './model/tax-answers.ts'
export { runningShares } from './assessment/running-shares.ts'
export {
  readOrderTax,
  readTaxedAs,
  storedOrderTax,
  storedTaxedAs,
  type StoredTaxedAs,
} from './assessment/stored-tax.ts'
export { convert, type ExchangeRate, type RateKey } from './model/exchange-rate.ts'
export { exchangeRatesToStore } from './exchange/find-rates.ts'
export { findExchangeRates as exchangeRates } from './storage/exchange-rate.repository.ts'
export { firstOpenDay, refuseLocked } from './model/closed-months.ts'
export { lockedUntil, requireOpen } from './parties/closed-months.ts'
export { lockedUntilOf } from './storage/settings.repository.ts'
export {
  type Bookkeeping,
  type BookkeepingAccounts,
  type DatevSettings,
  NO_ACCOUNTS,
  type RateAccount,
} from './model/bookkeeping.ts'
export { findBookkeeping as bookkeeping } from './storage/bookkeeping.repository.ts'
export { errors as taxErrors } from './errors.ts'
export type { ElectronicAddress, SellerContact } from './model/electronic-address.ts'
export { type BankAccount, bankMembers } from './model/bank-account.ts'
export type { BillingDetails } from './model/billing-details.ts'
export { counterOf, type LegalEntity, type NumberGap, seriesOf } from './model/legal-entity.ts'
export { formatNumber, numbersByYear } from './model/number-format.ts'
export { type Address, isVatId, TAX_ID_TYPES, type TaxId, type TaxIdType } from './model/party.ts'
export { type BillingSettings, COLLECTIONS, TAX_MODES } from './model/settings.ts'
export {
  type NamedRate,
  type OrderTax,
  type RateOrigin,
  STANDARD_TAX,
  TAX_BEHAVIORS,
  type TaxBehavior,
  type TaxedAs,
  type TaxGroup,
  TREATMENTS,
  type Treatment,
} from './model/tax.ts'
export type { TaxRate } from './model/tax-rate.ts'
export {
  BillingDetailsData,
  EditBillingDetailsBody,
  renderBillingDetailsData,
  TAX_EVENTS,
  type Taxes,
  taxesModule,
} from './module.ts'
export { billingDetails } from './parties/billing-details.ts'
export { settings } from './parties/settings.ts'
export {
  findLegalEntities as legalEntities,
  findLegalEntity as legalEntity,
  findLegalEntityIds as legalEntityIds,
} from './storage/legal-entity.repository.ts'
export { findTaxGrounds } from './storage/tax-ground.repository.ts'
