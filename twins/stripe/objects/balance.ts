import type Stripe from 'stripe'
import { stripeDecimals } from '../currency.ts'
import { newStripeId, type Tx } from '../store.ts'
import { recordEvent } from './events.ts'

const FEE_PERMILLE = 29
const FIXED_FEE_CENTS = 30
const AVAILABLE_AFTER_SECONDS = 2 * 86_400

interface Line {
  readonly type: Stripe.BalanceTransaction.Type
  readonly category: string
  readonly amount: number
  readonly fee?: number
  readonly currency: string
  readonly source: string
  readonly description?: string
}

/** 2.9 % and 30 minor units of a currency with two decimals. */
export function processingFee(amount: number, currency: string): number {
  const fixed = stripeDecimals(currency) === 2 ? FIXED_FEE_CENTS : stripeDecimals(currency) === 3 ? 300 : 30
  return Math.min(amount, Math.round((amount * FEE_PERMILLE) / 1000) + fixed)
}

export function bookLine(tx: Tx, line: Line): Stripe.BalanceTransaction {
  const fee = line.fee ?? 0
  const transaction: Stripe.BalanceTransaction = {
    id: newStripeId('balance_transaction'),
    object: 'balance_transaction',
    amount: line.amount,
    available_on: tx.now + (line.amount > 0 ? AVAILABLE_AFTER_SECONDS : 0),
    balance_type: 'payments',
    created: tx.now,
    currency: line.currency,
    description: line.description ?? null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: line.currency,
              description: line.category === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: line.amount - fee,
    reporting_category: line.category,
    source: line.source,
    status: line.amount > 0 ? 'pending' : 'available',
    type: line.type,
  }
  tx.insert('balance_transaction', transaction)
  return transaction
}

/** Transactions that became available since they were booked. */
export function withStatus(tx: Tx, transaction: Stripe.BalanceTransaction): Stripe.BalanceTransaction {
  return transaction.available_on <= tx.now ? { ...transaction, status: 'available' } : transaction
}

/** Pays out the balance of a currency; undefined if it is not positive. */
export function createPayout(tx: Tx, currency: string): Stripe.Payout | undefined {
  const { rows, ids } = tx.store.table('balance_transaction')
  const unpaid = ids.filter((id) => {
    const row = rows.get(id)
    return (
      row?.object.currency === currency && row.hidden.payout === undefined && row.object.type !== 'payout'
    )
  })
  const amount = unpaid.reduce((sum, id) => sum + (rows.get(id)?.object.net ?? 0), 0)
  if (amount <= 0) return undefined
  const id = newStripeId('payout')
  for (const each of unpaid) tx.edit('balance_transaction', each).hidden.payout = id
  const transaction = bookLine(tx, {
    type: 'payout',
    category: 'payout',
    amount: -amount,
    currency,
    source: id,
    description: 'STRIPE PAYOUT',
  })
  tx.edit('balance_transaction', transaction.id).hidden.payout = id
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: tx.now,
    automatic: true,
    balance_transaction: transaction.id,
    created: tx.now,
    currency,
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: tx.livemode,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  }
  tx.insert('payout', payout)
  recordEvent(tx, 'payout.created', { ...payout, status: 'in_transit', reconciliation_status: 'in_progress' })
  recordEvent(tx, 'payout.paid', payout)
  recordEvent(tx, 'payout.reconciliation_completed', payout)
  return payout
}

/** Currencies with a balance to pay out. */
export function currenciesOf(tx: Tx): string[] {
  const { rows } = tx.store.table('balance_transaction')
  return [...new Set([...rows.values()].map(({ object }) => object.currency))]
}

export function readBalance(tx: Tx): object {
  const sums = new Map<string, { available: number; pending: number }>()
  for (const { object } of tx.store.table('balance_transaction').rows.values()) {
    const sum = sums.get(object.currency) ?? { available: 0, pending: 0 }
    if (object.available_on <= tx.now) sum.available += object.net
    else sum.pending += object.net
    sums.set(object.currency, sum)
  }
  const amounts = (kind: 'available' | 'pending') =>
    [...sums].map(([currency, sum]) => ({ amount: sum[kind], currency, source_types: { card: sum[kind] } }))
  return {
    object: 'balance',
    available: amounts('available'),
    livemode: tx.livemode,
    pending: amounts('pending'),
  }
}
