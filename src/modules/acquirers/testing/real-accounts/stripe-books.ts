import Stripe from 'stripe'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { SeenExchange } from '../fault-proxy.ts'
import type { PortBooking } from '../port-harness.ts'
import type { TestAccount } from './environment.ts'

const CLOCK_SLACK_SECONDS = 300
const PAGE = 100
const CAPTURE = /^\/v1\/payment_intents\/([^/]+)\/capture$/

/**
 * What Stripe itself lists of this run. It lists a capture without our key, which is therefore taken from the request for it
 * that Stripe answered with success.
 */
export function stripeBooks(
  { apiBase, credentials }: TestAccount,
  seen: readonly SeenExchange[],
): () => Promise<PortBooking[]> {
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  const sdk = new Stripe(credentials['secret_key'] ?? '', {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  })
  const created = { gte: Math.floor(realClock.now().epochMilliseconds / 1000) - CLOCK_SLACK_SECONDS }
  return async () => {
    const bookings: PortBooking[] = []
    const expand = ['data.latest_charge']
    for await (const intent of sdk.paymentIntents.list({ created, limit: PAGE, expand })) {
      bookings.push(...bookingsOf(intent, seen))
    }
    for await (const refund of sdk.refunds.list({ created, limit: PAGE })) {
      const key = refund.metadata?.['quittance_key']
      if (key === undefined) continue
      const outcome = refund.status === 'succeeded' ? 'approved' : (refund.status ?? 'pending')
      bookings.push({ key, operation: 'refund', amount: decimal(refund, refund.amount), outcome })
    }
    return bookings
  }
}

function bookingsOf(intent: Stripe.PaymentIntent, seen: readonly SeenExchange[]): PortBooking[] {
  const { id, status, capture_method: method, latest_charge: charge } = intent
  const key = intent.metadata['quittance_key']
  if (key === undefined) return []
  const line = (operation: string, minor: number, of = key): PortBooking => {
    return { key: of, operation, amount: decimal(intent, minor), outcome: 'approved', reference: id }
  }
  if (status === 'requires_capture') return [line('authorization', intent.amount_capturable)]
  if (status === 'canceled') {
    const wasHeld = charge !== null && typeof charge === 'object' && charge.status === 'succeeded'
    return wasHeld ? [line('void', intent.amount)] : []
  }
  if (status !== 'succeeded') return []
  if (method !== 'manual') return [line('sale', intent.amount_received)]
  const captures = captureKeys(id, seen).map((of) => line('capture', intent.amount_received, of))
  return [line('authorization', intent.amount), ...captures]
}

function captureKeys(intent: string, seen: readonly SeenExchange[]): string[] {
  const captures = seen.filter(({ path, status }) => status === 200 && CAPTURE.exec(path)?.[1] === intent)
  return [...new Set(captures.map(({ idempotencyKey }) => idempotencyKey ?? ''))]
}

function decimal({ currency }: { readonly currency: string }, minor: number): string {
  return Money.ofMinor(currency.toUpperCase(), BigInt(minor)).toString()
}
