import { Client, type ClientOptions } from './client.ts'
import { type Methods, methodsOf } from './methods.ts'
import { overview, ownBillingDetails, ownInvoices, ownPaymentTokens, ownPlans } from './resources/portal.ts'

export interface PortalOptions extends Pick<
  ClientOptions,
  'baseUrl' | 'timeoutMs' | 'maxRetries' | 'headers' | 'fetch'
> {
  /** `token` of a portal session. It is good for 60 minutes. */
  readonly token: string
}

/** A client of the customer portal for one customer. It may run in the customer's browser. */
export class Portal {
  readonly overview: Methods<typeof overview>
  readonly plans: Methods<typeof ownPlans>
  readonly invoices: Methods<typeof ownInvoices>
  readonly paymentTokens: Methods<typeof ownPaymentTokens>
  readonly billingDetails: Methods<typeof ownBillingDetails>

  constructor({ token, ...options }: PortalOptions) {
    const client = new Client({ ...options, apiKey: token })
    this.overview = methodsOf(overview, client)
    this.plans = methodsOf(ownPlans, client)
    this.invoices = methodsOf(ownInvoices, client)
    this.paymentTokens = methodsOf(ownPaymentTokens, client)
    this.billingDetails = methodsOf(ownBillingDetails, client)
  }
}
