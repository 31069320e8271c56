import type { AcquirerAdapter, AcquirerName } from '../port/adapter.ts'

import { stripeAdapter } from '../stripe/index.ts'

export const ADAPTERS = { stripe: stripeAdapter } as unknown as Readonly<
  Record<AcquirerName, AcquirerAdapter>
>
