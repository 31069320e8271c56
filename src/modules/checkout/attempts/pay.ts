import { createHash } from 'node:crypto'
import type { PaymentToken } from '#modules/customers'
import {
  type AcquirerResult,
  type Charge,
  type DirectInstrument,
  freeTotal,
  retryRecording,
} from '#modules/payments'
import { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { claimIdempotencyKey, type IdempotencyId, storeReply } from '#platform/idempotency/idempotency'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { Tx } from '#platform/postgres/database'
import { callerOf } from '../caller.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { AttemptContext } from './attempt-context.ts'
import type { PaymentView } from '../model/payment-view.ts'
import { areAttemptsExhausted, areTokenAttemptsExhausted } from '../model/attempt-limit.ts'
import {
  type CardDetails,
  type FieldProblems,
  type PaymentForm,
  savedTokenOf,
} from '../instruments/card-form.ts'
import { savedCardsOf } from '../payers/saved-cards.ts'
import { readInstrument } from '../instruments/read-instrument.ts'
import { offerOf } from './offer.ts'
import { saveCard, saveInstrument } from './save-card.ts'

/**
 * `recorded`: the order shows the result. `processing`: the acquirer was asked, but its result could not be recorded;
 * the resolver of payments will find it.
 */
export type AttemptResult =
  | { readonly kind: 'recorded' | 'processing' | 'too_many_attempts' }
  | { readonly kind: 'invalid'; readonly problems: FieldProblems }

/**
 * Pays what is left of the order with the card or wallet of the form. The form's `attempt` makes a form that is sent twice
 * pay once; the reservation of the amount keeps two pages from paying twice.
 */
export async function submitPayment(
  deps: CheckoutDependencies,
  form: PaymentForm,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { view, words } = context
  if (view.state.kind === 'attempts_exhausted') return { kind: 'too_many_attempts' }
  if (view.state.kind !== 'payable') return { kind: 'recorded' }
  // Another payment may have changed the amount since the page was loaded. The payer agreed to the one on the button.
  const amount = freeTotal(view.order)
  if (form.amount !== amount.toString()) {
    return { kind: 'invalid', problems: { amount: words.problems.amountChanged } }
  }
  const savedToken = savedTokenOf(form.method)
  const instrument =
    savedToken === null ? await readForm(deps, form, context) : await readSavedCard(deps, savedToken, context)
  if ('problems' in instrument) return { kind: 'invalid', problems: instrument.problems }
  const initiated = await initiate(deps, form, { amount, ...instrument }, context)
  if ('kind' in initiated) return initiated
  const charge = { ...initiated.charge, returnUrl: context.returnUrl }
  const { isRecorded, outcome } = await deps.payments.performWithFallbacks(charge, (tried, answer) =>
    record(deps, { charge: tried, attemptId: initiated.attemptId }, answer, context),
  )
  if (!isRecorded) return { kind: 'processing' }
  // A payment that its payer still has to confirm saves no card here: whoever holds the link could start and cancel such
  // payments to fill up the customer's tokens, and saving later would mean storing the card until then. What a component
  // confirms by itself is kept once an inquiry finds it approved (`keepAs`).
  if (form.save && outcome.kind === 'approved') {
    const accountId = instrument.direct?.accountId ?? null
    if (instrument.card !== null) await saveCard(deps, instrument.card, context)
    else if (accountId !== null && outcome.instrument !== undefined) {
      await saveInstrument(deps, { accountId, instrument: outcome.instrument }, context)
    }
  }
  return { kind: 'recorded' }
}

interface PaidWith {
  readonly token: PaymentToken | null
  readonly direct: DirectInstrument | null
  readonly card: CardDetails | null
}

async function readForm(
  deps: CheckoutDependencies,
  form: PaymentForm,
  { view, words }: AttemptContext,
): Promise<PaidWith | { readonly problems: FieldProblems }> {
  const { timeZone } = await deps.businesses.profile(view.businessId)
  const offer = await offerOf(deps, view, form.account)
  const instrument = readInstrument(form, offer, { ...view, timeZone }, words)
  return 'problems' in instrument ? instrument : { token: null, ...instrument }
}

async function readSavedCard(
  deps: CheckoutDependencies,
  savedToken: string,
  { view, words, isProved }: AttemptContext,
): Promise<PaidWith | { readonly problems: FieldProblems }> {
  const { customerUuid } = view.order
  const cards =
    isProved && customerUuid !== null
      ? await deps.db.transact(view.businessId, (tx) => savedCardsOf(deps, tx, customerUuid))
      : []
  const token = cards.find((card) => card.token === savedToken)
  if (token === undefined) return { problems: { method: words.problems.savedCardGone } }
  return { token, direct: null, card: null }
}

interface InitiatedAttempt {
  readonly charge: Charge
  readonly attemptId: IdempotencyId
}

class TooManyAttempts extends Error {}

async function initiate(
  deps: CheckoutDependencies,
  { attempt, save }: PaymentForm,
  { amount, token, direct: chosen }: PaidWith & { readonly amount: Money },
  { view, words, requestId }: AttemptContext,
): Promise<InitiatedAttempt | AttemptResult> {
  const caller = await callerOf(deps, view, requestId)
  const fingerprint = createHash('sha256').update(view.order.id).digest('hex')
  const idempotency = { key: attempt, endpoint: 'checkout', fingerprint }
  const orderId = view.order.id
  try {
    return await deps.db.transact(view.businessId, async (tx): Promise<InitiatedAttempt | AttemptResult> => {
      const attemptId = await claimIdempotencyKey(tx, { ...caller, idempotency })
      const direct = save && chosen !== null ? await withPayer(deps, tx, chosen, view) : chosen
      const [charge] = await deps.payments.initiateCharges(tx, [
        { orderId, type: 'Sales', token, amount, ...(direct && { direct }), payerPresent: true, at: tx.now },
      ])
      if (charge === undefined) return { kind: 'recorded' }
      if ('refused' in charge) {
        const isCardGone = charge.refused === 'no_account_for_payment' && token !== null
        return isCardGone
          ? { kind: 'invalid', problems: { method: words.problems.savedCardGone } }
          : { kind: 'recorded' }
      }
      // The order is locked now, so attempts that run at the same time are counted one after the other.
      const stored = (await deps.payments.findOrders(tx, [orderId])).get(orderId)
      const earlier = stored?.transactions.filter(({ id }) => id !== charge.transaction.id) ?? []
      const areExhausted = token === null ? areAttemptsExhausted : areTokenAttemptsExhausted
      if (areExhausted(earlier)) throw new TooManyAttempts()
      return { charge, attemptId }
    })
  } catch (error) {
    if (error instanceof TooManyAttempts) return { kind: 'too_many_attempts' }
    // The form was sent before, and the order shows its result.
    if (error instanceof StoredReply || isKeyConflict(error)) return { kind: 'recorded' }
    throw error
  }
}

async function withPayer(
  deps: CheckoutDependencies,
  tx: Tx,
  direct: DirectInstrument,
  { order: { customerUuid }, savedCardBecomesDefault }: PaymentView,
): Promise<DirectInstrument> {
  if (customerUuid === null || direct.accountId === null) return direct
  const savePayer = await deps.customers.findPayer(tx, customerUuid, direct.accountId)
  if (savePayer === null) return direct
  const { instrument } = direct
  const confirmsInBrowser = instrument.type === 'component' && instrument.data === ''
  if (!confirmsInBrowser) return { ...direct, savePayer }
  return { ...direct, savePayer, keepAs: savedCardBecomesDefault ? 'default' : 'token' }
}

function isKeyConflict(error: unknown): boolean {
  return error instanceof RequestError && error.reason.startsWith('idempotency_key_')
}

interface RecordedAttempt {
  readonly isRecorded: boolean
  readonly fallback: Charge | null
  readonly outcome: AcquirerResult
}

/**
 * Records the acquirer's result, and tries again while the database cannot be reached. Whatever fails from here on, the
 * payer may have been charged and must not be asked to send the form again.
 */
async function record(
  deps: CheckoutDependencies,
  { charge, attemptId }: InitiatedAttempt,
  outcome: AcquirerResult,
  { view: { businessId }, requestId }: AttemptContext,
): Promise<RecordedAttempt> {
  try {
    const fallback = await retryRecording(() =>
      deps.db.transact(businessId, async (tx) => {
        const [recorded] = await deps.payments.recordOutcomes(tx, [{ charge, outcome, at: tx.now }])
        await storeReply(tx, attemptId, 200, '{}')
        return recorded?.fallback ?? null
      }),
    )
    return { isRecorded: true, fallback, outcome }
  } catch (error) {
    const transaction = charge.transaction.id
    deps.log.error(
      { err: error, business_id: businessId, request_id: requestId, transaction },
      'the result of a payment could not be recorded',
    )
    return { isRecorded: false, fallback: null, outcome }
  }
}
