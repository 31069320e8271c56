import type { TaxesDependencies } from './dependencies.ts'
import type { TaxRate } from './model/tax-rate.ts'

interface Presentation {
  readonly taxRate: (rate: TaxRate) => object
}

export interface TaxesContext extends TaxesDependencies {
  readonly present: Presentation
}
