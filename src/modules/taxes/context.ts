import type { Tx } from '#platform/postgres/database'
import type { TaxesDependencies } from './dependencies.ts'
import type { NumberGap } from './model/legal-entity.ts'
import type { TaxRate } from './model/tax-rate.ts'

interface Presentation {
  readonly taxRate: (rate: TaxRate) => object
}

/** The gaps in the numbers of the legal entities. The module `invoices` supplies it (`taxes.onSeriesRead`). */
export type GapReader = (tx: Tx, legalEntityIds: readonly string[]) => Promise<readonly NumberGap[]>

export interface TaxesContext extends TaxesDependencies {
  readonly gapReaders: GapReader[]
  readonly present: Presentation
}
