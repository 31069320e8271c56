import type { BillingDetails } from './billing-details.ts'
import type { LegalEntity } from './legal-entity.ts'
import type { RateTable } from './rate-table.ts'
import type { AnswersTaxes } from './tax-answers.ts'
import type { TaxEngine } from './tax-engine.ts'

/**
 * What the tax of an order depends on.
 * - `buyer`: Undefined for a customer without billing details.
 * - `rates`: At least the rates of both parties' places.
 * - `engine`: The tax engine that is asked instead of the rates, and what is sent to it.
 */
export interface TaxGround {
  readonly seller: Pick<LegalEntity, 'address' | 'registrations' | 'oss' | 'taxRounding'>
  readonly buyer: Pick<BillingDetails, 'address' | 'taxIds' | 'taxExempt'> | undefined
  readonly rates: Pick<RateTable, 'ratesOf'>
  readonly engine?: EngineGround
}

interface EngineGround {
  readonly seller: LegalEntity
  readonly buyer: BillingDetails | undefined
  readonly onSilence: TaxEngine['onSilence']
  readonly answers: AnswersTaxes
}
