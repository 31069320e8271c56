import type { CatalogueDependencies } from './dependencies.ts'
import type { Product, RecurringItem } from './model/catalogue.ts'
import type { AsOf, Coupon } from './model/coupon.ts'
import type { DunningPolicy } from './model/dunning-policy.ts'

interface Presentation {
  readonly product: (product: Product) => object
  readonly price: (price: RecurringItem) => object
  readonly dunningPolicy: (policy: DunningPolicy) => object
  readonly coupon: (coupon: AsOf<Coupon>) => object
}

export interface CatalogueContext extends CatalogueDependencies {
  readonly present: Presentation
}
