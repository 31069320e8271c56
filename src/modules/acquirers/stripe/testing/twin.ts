import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import { cleanUp } from '#platform/testing/clean-up'
import { startTwin } from '../../../../../twins/common/twin-process.ts'
import type {
  ChargeRequest,
  FollowUpRequest,
  Inquiry,
  Lookup,
  Outcome,
  VerifyRequest,
} from '../../port/port.ts'
import { stripeAdapter } from '../index.ts'

const SECRET_KEY = 'sk_test_shop'
const RETURN_URL = 'https://shop.test/back'

/** Above every stall of a busy machine. */
const TIMEOUT_MS = 60_000

export async function connectToTwin() {
  const twin = await startTwin('stripe')
  const connect = (timeoutMs: number) =>
    stripeAdapter.connect(
      {
        environment: 'test',
        credentials: { secret_key: SECRET_KEY, publishable_key: 'pk_test_shop', webhook_secret: 'whsec_1' },
        apiBase: twin.url,
        statementDescriptor: 'SHOP',
        merchantId: 'acct_1',
      },
      { connect: {}, timeoutMs, findNotices: async () => [] },
    )
  const acquirer = connect(TIMEOUT_MS)
  const sdk = new Stripe(SECRET_KEY, {
    host: '127.0.0.1',
    port: twin.port,
    protocol: 'http',
    telemetry: false,
  })
  cleanUp(async () => {
    await acquirer.disconnect()
    await twin.stop()
  })

  const storedCard = async (name: string) => {
    const customer = await sdk.customers.create({})
    const method = await sdk.paymentMethods.attach(`pm_card_${name}`, { customer: customer.id })
    return { type: 'acquirer_token', id: method.id, payerReference: customer.id } as const
  }
  const newCharge = async (card: string, options: Partial<ChargeRequest> = {}) => {
    const key = randomUUID()
    const row = { reference: null as string | null }
    const request: ChargeRequest = {
      key,
      at: realClock.now(),
      amount: Money.ofDecimal('USD', '12.00'),
      instrument: options.instrument ?? (await storedCard(card)),
      payerPresent: true,
      returnUrl: RETURN_URL,
      orderNumber: 'O-1',
      commitReference: async (reference) => {
        row.reference = reference
        return true
      },
      ...options,
    }
    const lookup = (rest: Partial<Lookup> = {}): Lookup => ({
      ...newLookup(request),
      reference: row.reference,
      ...rest,
    })
    return { request, row, lookup }
  }
  const moved = async (key: string) =>
    (await twin.books()).filter((movement) => movement.key.startsWith(key) && movement.outcome === 'approved')
  return { twin, acquirer, connect, sdk, storedCard, newCharge, moved }
}

export function newLookup({
  key,
  amount,
  at,
}: {
  key: string
  amount: Money | null
  at: Lookup['at']
}): Lookup {
  const unsent = { reference: null, originalReference: null, returned: {}, commitReference: async () => true }
  return { kind: 'sale', key, at, amount, sentAt: realClock.now(), ...unsent }
}

export function followUpOf(
  original: { readonly key: string; readonly amount: Money },
  outcome: Outcome | Inquiry,
  amount = original.amount,
): FollowUpRequest {
  const originalReference = 'gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : ''
  return {
    key: randomUUID(),
    at: realClock.now(),
    amount,
    originalKey: original.key,
    originalReference,
    commitReference: async () => true,
  }
}

export function newVerification(options: Partial<VerifyRequest> = {}) {
  const row = { reference: null as string | null }
  const request: VerifyRequest = {
    key: randomUUID(),
    at: realClock.now(),
    instrument: { type: 'acquirer_token', id: 'pm_card_visa', payerReference: null },
    returnUrl: RETURN_URL,
    payer: { customerUuid: randomUUID(), reference: null, name: 'Ada Lovelace', email: 'ada@example.com' },
    commitReference: async (reference) => {
      row.reference = reference
      return true
    },
    ...options,
  }
  const lookup = (): Lookup => ({
    ...newLookup({ ...request, amount: null }),
    kind: 'verification',
    reference: row.reference,
  })
  return { request, row, lookup }
}

export async function answerChallenge(
  outcome: Outcome,
  answer: 'approve' | 'decline',
): Promise<string | null> {
  if (outcome.kind !== 'pending' || outcome.nextAction === undefined) throw new Error('there is no challenge')
  const url = new URL(outcome.nextAction.url)
  const body = new URLSearchParams({ client_secret: url.searchParams.get('client_secret') ?? '', answer })
  const reply = await fetch(new URL(url.pathname, url), { method: 'POST', body, redirect: 'manual' })
  return reply.headers.get('location')
}
