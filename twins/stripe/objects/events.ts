import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import { newStripeId, type Tx } from '../store.ts'

export const API_VERSION = '2026-10-28.endive'

/** Records the event with the object as it is now; it is sent once the request is on disk. */
export function recordEvent(tx: Tx, type: string, object: object): void {
  const event = {
    id: newStripeId('event'),
    object: 'event',
    account: undefined,
    api_version: API_VERSION,
    created: tx.now,
    data: { object: structuredClone(object) },
    livemode: tx.livemode,
    pending_webhooks: 1,
    request: { id: tx.requestId, idempotency_key: tx.key },
    type,
  }
  tx.insert('event', event as unknown as Stripe.Event)
}

/** `at` is the real time in seconds, which the receiver compares with its own. */
export function signedNotice(event: object, secret: string, at: number) {
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${at},v1=${signature}`,
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
    body,
  }
}
