import { beforeEach, expect, test } from 'vitest'
import {
  type Acquirer,
  capabilitiesOf,
  EMPTY_RECORD,
  type Inquiry,
  type Instrument,
  type VerifyOutcome,
} from '#modules/acquirers'
import { eventTypesOf } from '#platform/testing/events'
import { simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { check, createFixture, failure, followUp, newOrder, pay, voidOrder } from '../testing/fixture.ts'

const CODE = 'weixin://wxpay/bizpayurl?pr=a'
const WALLETS = { walletA: 'wechat_pay', walletB: 'alipay_hk' } as const

interface Asked {
  instrument: Instrument
  state: 'asked' | 'paid' | 'declined' | 'expired' | 'canceled'
  expiresAt?: string
}

/** A wallet whose payer acts when the test says so, at an acquirer that cancels only what is not paid. */
function walletAcquirer(simulator: Acquirer) {
  const payments = new Map<string, Asked>()
  const refunds: string[] = []
  const stopped = { reads: 0 }
  const between: { beforeCancel: (asked: Asked) => void; agreement: 'active' | 'ended' } = {
    beforeCancel: () => {},
    agreement: 'active',
  }
  const record = (key: string) => ({ ...EMPTY_RECORD, gatewayTransactionId: `int_${key}` })
  const outcomeOf = (key: string): Exclude<VerifyOutcome, { kind: 'refused' }> => {
    const asked = payments.get(key)
    if (asked === undefined) return { kind: 'unknown', responseMessage: 'nobody knows it' }
    const { instrument, state, expiresAt } = asked
    if (state === 'paid') return { kind: 'approved', ...record(key) }
    if (state === 'declined' || state === 'expired') {
      const reason = state === 'declined' ? 'payer_declined' : 'expired'
      return { kind: 'declined', hard: false, reason, ...record(key), responseCode: reason }
    }
    const isPhone = 'device' in instrument && instrument.device !== 'desktop'
    const type = instrument.type === 'fps' ? 'bank_confirmation' : 'wallet_confirmation'
    return {
      kind: 'pending',
      ...record(key),
      nextAction: {
        type,
        url: isPhone ? 'https://wallet.example/app' : '',
        ...(!isPhone && { qrCode: CODE }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
    }
  }
  const acquirer: Acquirer = {
    ...simulator,
    name: 'stripe',
    capabilities: capabilitiesOf('stripe'),
    sale: async ({ key, instrument, at }) => {
      if (instrument.type === 'acquirer_token') {
        if (between.agreement === 'active') return { kind: 'approved', ...record(key) }
        return { kind: 'declined', hard: true, reason: 'agreement_ended', ...record(key) }
      }
      payments.set(key, { instrument, state: 'asked', expiresAt: at.add({ minutes: 10 }).toString() })
      return outcomeOf(key)
    },
    inquire: async ({ key }) => outcomeOf(key),
    closeKey: async ({ key }): Promise<Inquiry> => {
      const asked = payments.get(key)
      if (asked === undefined) return { kind: 'absent', closed: true }
      between.beforeCancel(asked)
      if (asked.state === 'paid') return outcomeOf(key)
      asked.state = 'canceled'
      return { kind: 'absent', closed: true }
    },
    refund: async ({ key, originalKey }) => {
      refunds.push(originalKey)
      return { kind: 'approved', ...record(key) }
    },
    verify: async ({ key }) => ({
      kind: 'approved',
      ...record(key),
      instrument: {
        id: `cst_${key}`,
        payerReference: 'cus_1',
        brand: null,
        first6: null,
        last4: null,
        expMonth: null,
        expYear: null,
        holderName: null,
        country: null,
        wallet: { name: 'alipay_hk', account: '20881*****12' },
      },
    }),
    agreements: {
      read: async () => {
        stopped.reads++
        return { kind: 'ok', value: between.agreement }
      },
      end: async () => ({ kind: 'ok', value: 'ended' }),
    },
  }
  return { acquirer, payments, refunds, between, stopped }
}

let wallets: ReturnType<typeof walletAcquirer>
const simulated = simulatedAcquirers(() => wallets.acquirer)
const fixture = await createFixture({
  acquirers: {
    ...simulated,
    router: async (tenant) => {
      const account = {
        id: 'simulator',
        acquirerName: 'stripe',
        merchantId: 'acct_1',
        capabilities: capabilitiesOf('stripe'),
        wallets: WALLETS,
      }
      return {
        ...(await simulated.router(tenant)),
        first: account,
        account: () => account,
        takesWallet: (method) => method !== 'fps',
        route: ({ paymentMethod, amount }) =>
          paymentMethod === 'fps' || (paymentMethod === 'wallet_b' && amount.currency !== 'HKD')
            ? []
            : [account, account],
      }
    },
  },
})
beforeEach(() => {
  wallets = walletAcquirer(fixture.real)
})

async function payByWallet(
  transaction: Parameters<typeof pay>[3] = {},
  order: Parameters<typeof newOrder>[2] = {},
) {
  const merchant = await fixture.newMerchant('WalletBAutoDebit')
  const { number } = await newOrder(fixture, merchant, order)
  const reply = await pay(fixture, merchant, number, {
    payment_token: undefined,
    payment_method: 'wallet_a_pay',
    ...transaction,
  })
  const { uuid } = reply.transaction
  return {
    merchant,
    number,
    reply,
    uuid,
    payer: (state: Asked['state']) => {
      const payment = wallets.payments.get(uuid)
      if (payment !== undefined) payment.state = state
    },
    stateAfter: async (by: Temporal.DurationLike) => {
      await fixture.advance(merchant.businessId, by)
      return check(fixture, merchant, number)
    },
  }
}

// Proves reference/payments#wallets.
test('a wallet payment shows a code on our page, and counts once the payer has confirmed', async () => {
  const { reply, number, payer, stateAfter } = await payByWallet()
  const action = { type: 'wallet_confirmation', url: `http://127.0.0.1/payment/${number}`, qr_code: CODE }
  expect(reply).toMatchObject({
    next_action: { ...action, expires_at: expect.any(String) },
    transaction: {
      is_pending: true,
      payment_method: 'wallet_a_pay',
      next_action: action,
      payment_data: {
        acquirer_name: 'stripe (wechat_pay)',
        acquirer_type: 'wallet',
        wallet: 'wechat_pay',
        transaction_state: 'requires_action',
      },
    },
  })
  payer('paid')
  expect(await stateAfter({ seconds: 3 })).toMatchObject({
    state: 'completed',
    transactions: [{ success: true, payment_data: { transaction_state: 'succeeded' } }],
  })
})

test('a phone gets the app instead of a code', async () => {
  const { reply, uuid } = await payByWallet({ payment_method: 'wallet_b', payer_device: 'ios' })
  expect(reply.next_action).not.toHaveProperty('qr_code')
  expect(wallets.payments.get(uuid)?.instrument).toEqual({
    type: 'wallet_b',
    autoDebit: false,
    device: 'ios',
  })
})

test('a void cancels the payment at the acquirer, unless the payer was faster', async () => {
  const canceled = await payByWallet()
  expect(await voidOrder(fixture, canceled.merchant, canceled.number)).toMatchObject({ state: 'voided' })
  expect(wallets.payments.get(canceled.uuid)?.state).toBe('canceled')
  const paid = await payByWallet()
  wallets.between.beforeCancel = (payment) => {
    payment.state = 'paid'
  }
  expect(await failure(voidOrder(fixture, paid.merchant, paid.number))).toMatchObject({
    status: 409,
    reason: 'already_settled',
  })
  expect(await check(fixture, paid.merchant, paid.number)).toMatchObject({ state: 'completed' })
})

test.each([
  ['declined', 'payer_declined'],
  ['expired', 'expired'],
] as const)('after a code that was %s the order takes another payment', async (state, code) => {
  const { merchant, number, payer, stateAfter } = await payByWallet()
  payer(state)
  expect(await stateAfter({ seconds: 3 })).toMatchObject({
    state: 'open',
    transactions: [{ payment_data: { transaction_state: 'failed', resp_code: code } }],
  })
  // A fallback would ask the payer at another account, too.
  expect(wallets.payments.size).toBe(1)
  const again = { payment_token: undefined, payment_method: 'wallet_a_pay' } as const
  expect(await pay(fixture, merchant, number, again)).toMatchObject({ next_action: { qr_code: CODE } })
})

test('a payment whose payer never comes back is canceled after 24 hours, and the order can expire', async () => {
  const { stateAfter, uuid } = await payByWallet({}, { timeout: { timer: '600' } })
  expect(await stateAfter({ hours: 1 })).toMatchObject({ state: 'open' })
  expect(await stateAfter({ hours: 24 })).toMatchObject({ state: 'expired', paid_total: '0.00' })
  expect(wallets.payments.get(uuid)?.state).toBe('canceled')
})

test.each(['voided', 'expired'])('money for a %s order is refunded at once', async (state) => {
  const { merchant, number, uuid, payer, stateAfter } = await payByWallet()
  await fixture.admin.query('update orders set state = $2 where id = $1', [number, state])
  payer('paid')
  expect(await stateAfter({ seconds: 3 })).toMatchObject({
    state,
    paid_total: '0.00',
    transactions: [{ type: 'Sales' }, { type: 'Refund', amount: -100, success: true }],
  })
  expect(wallets.refunds).toEqual([uuid])
  expect(await eventTypesOf(fixture.db, merchant.businessId, number)).toContain('transaction.succeeded')
})

test('a paid wallet is refunded in parts, and never voided', async () => {
  const { merchant, uuid, payer, stateAfter } = await payByWallet()
  payer('paid')
  await stateAfter({ seconds: 3 })
  await followUp(fixture, merchant, 'refund', uuid, { amount: 40 })
  expect(await failure(followUp(fixture, merchant, 'voidTransaction', uuid))).toMatchObject({ status: 409 })
})

test.each([
  [{ payment_token: 'pmt_x', payment_method: 'wallet_b' }, 422, 'payment_token_or_method'],
  [{}, 400, 'payment_instrument_missing'],
  [{ payment_token: 'pmt_x', payer_device: 'ios' }, 422, 'needs_payment_method'],
  [{ payment_method: 'wallet_b', type: 'Authorization' }, 422, 'sales_only'],
  [{ payment_method: 'fps' }, 422, 'wallet_not_available'],
] as const)('%j gets %i %s, and nothing is asked for', async (payment, status, reason) => {
  const merchant = await fixture.newMerchant('WalletBAutoDebit')
  const { number } = await newOrder(fixture, merchant)
  const given = { payment_token: undefined, ...payment }
  expect(await failure(pay(fixture, merchant, number, given))).toMatchObject({ status, reason })
  expect(wallets.payments.size).toBe(0)
})

test.each(['wallet_b', 'fps'] as const)(
  'a currency that %s does not have is refused by its name',
  async (method) => {
    const merchant = await fixture.newMerchant('WalletBAutoDebit')
    const { number } = await newOrder(fixture, merchant, { currency: 'USD' })
    const payment = { payment_token: undefined, payment_method: method }
    expect(await failure(pay(fixture, merchant, number, payment))).toMatchObject({
      status: 422,
      reason: 'wallet_currency_not_supported',
      message: expect.stringContaining('USD'),
    })
  },
)

test('a charge that meets an ended agreement deletes its token once the acquirer has said so again', async () => {
  const merchant = await fixture.newMerchant('WalletBAutoDebit')
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number, { amount: 10 })
  expect(transaction.payment_data).toMatchObject({ wallet: 'alipay_hk', acquirer_type: 'wallet' })
  const authorization = pay(fixture, merchant, number, { type: 'Authorization' })
  expect(await failure(authorization)).toMatchObject({ reason: 'sales_only' })
  wallets.between.agreement = 'ended'
  expect(await failure(pay(fixture, merchant, number))).toMatchObject({ status: 402 })
  await fixture.advance(merchant.businessId, { seconds: 2 })
  expect(wallets.stopped.reads).toBe(1)
  expect(await fixture.events(merchant.businessId, merchant.token)).toEqual([
    'payment_token.active',
    'payment_token.deleted',
  ])
  expect(await failure(pay(fixture, merchant, number))).toMatchObject({
    reason: 'payment_token_not_chargeable',
  })
})
