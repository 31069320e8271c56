import type { Tx } from '#platform/postgres/database'
import type { TaxesDependencies } from './dependencies.ts'
import type { NumberGap } from './model/legal-entity.ts'
import type { TaxRate } from './model/tax-rate.ts'

interface Presentation {
  readonly taxRate: (rate: TaxRate) => object
}

/** The gaps in the numbers of the legal entities. The module `invoices` supplies it (`taxes.onSeriesRead`). */
export type GapReader = (tx: Tx, legalEntityIds: readonly string[]) => Promise<readonly NumberGap[]>

/** Whether a document has the tax of the rate. The module `invoices` supplies it (`taxes.onRateUseAsked`). */
export type RateUseReader = (tx: Tx, rate: TaxRate) => Promise<boolean>

/** What a module above does once rates were given, in the transaction that stores them (`taxes.onExchangeRates`). */
export type RateHandler = (tx: Tx) => Promise<void>

export interface TaxesContext extends TaxesDependencies {
  readonly rateUseReaders: RateUseReader[]
  readonly gapReaders: GapReader[]
  readonly rateHandlers: RateHandler[]
  readonly present: Presentation
}
