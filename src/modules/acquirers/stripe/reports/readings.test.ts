import { expect, test } from 'vitest'
import type { StripeResponse, StripeClient } from '../wire/stripe-client.ts'
import { stripeDisputes } from './disputes.ts'
import { stripeSettlement } from './settlement.ts'

// Proves reference/acquirers#stripe.

const QUERY = {
  from: Temporal.Instant.from('2026-11-01T00:00:00Z'),
  until: Temporal.Instant.from('2026-11-02T00:00:00Z'),
  cursor: null,
}
const LINE = {
  id: 'txn_1',
  type: 'charge',
  currency: 'usd',
  amount: 1000,
  fee: 59,
  net: 941,
  created: 1_793_500_000,
  available_on: 1_793_600_000,
  source: 'ch_1',
}

function clientWith(object: object): StripeClient {
  const response = async (): Promise<StripeResponse> => ({ kind: 'ok', object: { ...object } })
  return { get: response, post: response, upload: response, close: async () => {} }
}

async function read(line: object) {
  const reply = await stripeSettlement(clientWith({ data: [{ ...LINE, ...line }] })).entries(QUERY)
  return reply.kind === 'ok' ? reply.value.items[0] : reply
}

test.each([
  [{}, 'payment', 'ch_1'],
  [{ source: { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' } }, 'payment', 'pi_1'],
  [{ source: { id: 'ch_1', object: 'charge', payment_intent: { id: 'pi_1' } } }, 'payment', 'pi_1'],
  [{ source: { id: 'ch_1', object: 'charge', payment_intent: null } }, 'payment', 'ch_1'],
  [{ type: 'refund', source: 're_1' }, 'refund', 're_1'],
  [{ type: 'refund', source: { id: 're_1', object: 'refund', payment_intent: 'pi_1' } }, 'refund', 're_1'],
  [{ type: 'adjustment', source: 'dp_1' }, 'dispute', 'dp_1'],
  [{ type: 'adjustment', source: { id: 'du_1', object: 'dispute' } }, 'dispute', 'du_1'],
  [{ type: 'adjustment', source: null }, 'other', null],
  [{ type: 'stripe_fee', source: null }, 'fee', null],
  [{ type: 'payout', source: 'po_1' }, 'payout', null],
  [{ type: 'topup', source: 'tu_1' }, 'other', null],
])('a line %j is a %s of %s', async (line, type, reference) => {
  expect(await read(line)).toMatchObject({ type, reference })
})

test('a line shows what the payer paid where that is another currency', async () => {
  const source = { id: 'ch_1', object: 'charge', currency: 'isk', amount: 200_000, amount_captured: 100_000 }
  expect(await read({ source })).toMatchObject({
    grossMinor: 1000n,
    paid: { currency: 'ISK', amountMinor: 1000n },
  })
  const refund = { id: 're_1', object: 'refund', currency: 'eur', amount: 900 }
  expect(await read({ type: 'refund', amount: -1000, source: refund })).toMatchObject({
    paid: { currency: 'EUR', amountMinor: -900n },
  })
})

test('a line that cannot be read makes its page unavailable instead of missing', async () => {
  for (const line of [{ id: null }, { currency: 'xxx' }, { amount: 1.5 }, { created: null }, { net: '1' }]) {
    expect(await read(line)).toMatchObject({ kind: 'unavailable' })
  }
  const reply = await stripeSettlement(clientWith({})).entries(QUERY)
  expect(reply.kind).toBe('unavailable')
})

test.each([
  ['warning_under_review', 'inquiry_under_review'],
  ['warning_closed', 'inquiry_closed'],
  ['prevented', 'inquiry_closed'],
  ['under_review', 'under_review'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['a_new_state', 'under_review'],
])('a dispute that is %s is %s', async (status, state) => {
  const dispute = { id: 'dp_1', charge: 'ch_1', amount: 500, currency: 'ugx', created: 1, status }
  const client = clientWith(dispute)
  const reply = await stripeDisputes(client, client).get('dp_1')
  expect(reply).toMatchObject({ kind: 'ok', value: { state, paymentReference: 'ch_1', respondBy: null } })
  expect(reply.kind === 'ok' && reply.value.amount.toString()).toBe('5')
})
