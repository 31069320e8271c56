import { isLoopback } from '../adyen/account.ts'
import type { AccountSettings, BrowserComponent, ConnectedAcquirer } from '../port/adapter.ts'
import { Money } from '#kernel/money'
import { currencyOf, minorOf } from './amounts.ts'
import { isIntentId, pathOf } from './payments/payment-intents.ts'
import { keepsCard } from './payments/read-intent.ts'
import { failedReply, unreadable } from './reports/replies.ts'
import type { AirwallexClient } from './wire/airwallex-client.ts'
import { textOf } from './wire/members.ts'

const SCRIPT = '/components/sdk/v1/index.js'

/** What Airwallex's own plugin for Magento lets in (reference/acquirers#airwallex). */
export function componentOf({ environment, apiBase }: AccountSettings): BrowserComponent {
  const own = isLoopback(apiBase) ? new URL(apiBase).origin : null
  const demo = environment === 'test' ? '-demo' : ''
  const files = own === null ? ['https://static.airwallex.com', 'https://checkout.airwallex.com'] : [own]
  const apis =
    own === null ? [`https://api${demo}.airwallex.com`, `https://pci-api${demo}.airwallex.com`] : [own]
  const pages = own === null ? [...files, `https://checkout${demo}.airwallex.com`] : [own]
  return {
    acquirer: 'airwallex',
    publicKey: '',
    environment,
    scriptUrl: `${files[0] ?? ''}${SCRIPT}`,
    styleUrl: null,
    confirmsInBrowser: true,
    origins: {
      'script-src': files,
      'frame-src': [...new Set(pages)],
      'img-src': files,
      'connect-src': [...new Set([...apis, ...pages])],
    },
  }
}

/** The client secret ends after an hour, so it is read for each page that shows the component. */
export function browserPayments(client: AirwallexClient): NonNullable<ConnectedAcquirer['browserPayment']> {
  return async (reference) => {
    if (!isIntentId(reference)) return { kind: 'absent' }
    const answer = await client.get(pathOf(reference), {}, 'send')
    if (answer.kind !== 'ok') return failedReply(answer)
    const { id, client_secret: secret, currency: code, amount, status, customer_id: customer } = answer.object
    const currency = currencyOf(code)
    const minor = currency === null ? null : minorOf(currency, amount)
    const clientSecret = textOf(secret)
    if (status !== 'REQUIRES_PAYMENT_METHOD' && status !== 'REQUIRES_CUSTOMER_ACTION')
      return { kind: 'absent' }
    if (id !== reference || clientSecret === null || currency === null || minor === null) return unreadable()
    const keepsFor = keepsCard(answer.object) ? textOf(customer) : null
    return {
      kind: 'ok',
      value: { id: reference, clientSecret, amount: Money.ofMinor(currency, minor), keepsFor },
    }
  }
}
