import { createHash } from 'node:crypto'
import type { Instrument } from '#modules/acquirers'
import { type Charge, type DirectInstrument, freeTotal } from '#modules/payments'
import { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { claimIdempotencyKey, type IdempotencyId, storeReply } from '#platform/idempotency/idempotency'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { callerOf } from '../caller.ts'
import { type CardDetails, type FieldProblems, type PaymentForm, readCard } from './card-form.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../pages/payment-view.ts'
import type { Words } from '../words/words.ts'

/** A payer has a few cards; whoever tries more is trying out somebody else's. */
const MAX_FAILED = 20

export interface PayContext {
  readonly view: PaymentView
  readonly words: Words
  /** Where the acquirer sends the payer back to. */
  readonly comeBackTo: string
  readonly requestId: string
}

/**
 * Pays what is left of the order with the card or wallet of the form. The form's `attempt` makes sure that a form sent
 * twice pays once; the reservation of the amount, that two pages do not pay twice. What came of it shows the order.
 * @returns what the payer has to correct, or null
 */
export async function payByForm(
  deps: CheckoutDependencies,
  form: PaymentForm,
  context: PayContext,
): Promise<FieldProblems | null> {
  const { view, words } = context
  if (view.standing.kind !== 'payable') return null
  // A payment under way may have been declined or made since: nobody is charged another amount than the button said.
  const amount = freeTotal(view.order)
  if (form.amount !== amount.toString()) return { amount: words.problems.amountChanged }
  const failed = view.transactions.filter(
    (tried) =>
      tried.state === 'failed' &&
      tried.paymentMethod !== 'payment_token' &&
      tried.answer.failure !== 'canceled',
  )
  if (failed.length >= MAX_FAILED) return { method: words.problems.tooManyTries }
  const { timeZone } = await deps.businesses.profile(view.businessId)
  const instrument = readInstrument(form, { ...view, timeZone }, words)
  if ('problems' in instrument) return instrument.problems
  const charge = await begin(deps, form.attempt, { amount, direct: instrument.direct }, context)
  if (charge === null) return null
  const outcome = await deps.payments.performCharge({ ...charge.charge, returnUrl: context.comeBackTo })
  await deps.db.transact(view.businessId, async (tx) => {
    await deps.payments.recordOutcomes(tx, [{ charge: charge.charge, outcome, at: tx.now }])
    await storeReply(tx, charge.attemptId, 200, '{}')
  })
  const wantsSaved = form.save && (outcome.kind === 'approved' || outcome.kind === 'pending')
  if (wantsSaved && instrument.card !== null) await saveCard(deps, instrument.card, context)
  return null
}

type ReadInstrument =
  | { readonly direct: DirectInstrument; readonly card: CardDetails | null }
  | { readonly problems: FieldProblems }

function readInstrument(form: PaymentForm, at: Parameters<typeof readCard>[1], words: Words): ReadInstrument {
  const { method } = form
  if (method === 'wallet_a_pay' || method === 'wallet_b') {
    return { direct: directInstrument({ type: method, autoDebit: false }, null), card: null }
  }
  if (method !== 'credit_card') return { problems: { method: words.problems.methodMissing } }
  const read = readCard(form, at, words)
  if ('problems' in read) return read
  const { number, expMonth, expYear, holderName, cvc } = read.card
  const instrument: Instrument = { type: 'card', number, expMonth, expYear, holderName, cvc }
  return { direct: directInstrument(instrument, read.card), card: read.card }
}

function directInstrument(instrument: Instrument, card: CardDetails | null): DirectInstrument {
  return {
    instrument,
    shown: {
      acquirerType: card === null ? 'wallet' : 'card',
      brand: card?.brand ?? null,
      first6: card?.number.slice(0, 6) ?? null,
      last4: card?.number.slice(-4) ?? null,
      numberLength: card?.number.length ?? null,
      holderName: card?.holderName ?? null,
      expMonth: card?.expMonth ?? null,
      expYear: card?.expYear ?? null,
    },
  }
}

/** Remembers the attempt and reserves the amount, together. Null when it was sent before, or cannot be paid any more. */
async function begin(
  deps: CheckoutDependencies,
  attempt: string,
  charged: { readonly amount: Money; readonly direct: DirectInstrument },
  { view, requestId }: PayContext,
): Promise<{ charge: Charge; attemptId: IdempotencyId } | null> {
  const caller = await callerOf(deps, view, requestId)
  const fingerprint = createHash('sha256').update(view.order.id).digest('hex')
  const idempotency = { key: attempt, endpoint: 'checkout', fingerprint }
  try {
    return await deps.db.transact(view.businessId, async (tx) => {
      const attemptId = await claimIdempotencyKey(tx, { ...caller, idempotency })
      const [begun] = await deps.payments.initiateCharges(tx, [
        { orderId: view.order.id, type: 'Sales', token: null, ...charged, payerPresent: true, at: tx.now },
      ])
      return begun?.ok === true ? { charge: begun.charge, attemptId } : null
    })
  } catch (error) {
    if (error instanceof StoredReply || isTaken(error)) return null
    throw error
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof RequestError && error.reason.startsWith('idempotency_key_')
}

/**
 * Keeps the card as a token of the order's customer, as the payer asked. The payment stands whatever comes of it, so
 * nothing that fails here is a failure of the page.
 */
async function saveCard(deps: CheckoutDependencies, card: CardDetails, context: PayContext): Promise<void> {
  const { view, requestId } = context
  const { customerUuid, currency } = view.order
  if (customerUuid === null) return
  try {
    await deps.customers.bind(await callerOf(deps, view, requestId), customerUuid, {
      token_type: 'CreditCard',
      credit_card: {
        number: card.number,
        exp_month: String(card.expMonth),
        exp_year: String(card.expYear),
        cvc: card.cvc,
        holder_name: card.holderName,
        billing_currency: currency,
      },
      return_url: context.comeBackTo,
    })
  } catch (error) {
    deps.log.warn({ err: error, business_id: view.businessId, request_id: requestId }, 'a card was not kept')
  }
}
