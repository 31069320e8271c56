import { adyenAdapter } from '../adyen/index.ts'
import type { AcquirerAdapter, AcquirerName } from '../port/adapter.ts'
import { stripeAdapter } from '../stripe/index.ts'

export const ADAPTERS: Readonly<Record<AcquirerName, AcquirerAdapter>> = {
  stripe: stripeAdapter,
  adyen: adyenAdapter,
}
