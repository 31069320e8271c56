import { amountOf } from './amounts.ts'
import { type Desk, newPspReference, newSecret } from './desk.ts'
import { alreadyInProgress, invalid, missingField, ServiceError } from './errors.ts'
import { flag, type Json, merchantAccountOf, object, onlyMembersOf, text, whole } from './json.ts'
import type { Payment, PaymentState, Refusal } from './model.ts'
import { captureAutomatically } from './modifications.ts'
import { notifyAuthorisation, storedData } from './notices.ts'
import { keepCard, storedMethodOf } from './stored-payment-methods.ts'
import { type Card, presentedCardOf } from './test-cards.ts'
import {
  hidesReference,
  laterTriggerOf,
  type Trigger,
  triggerByCode,
  triggerNamed,
  triggerOf,
} from './triggers.ts'

const INTERACTIONS = new Set(['Ecommerce', 'ContAuth', 'Moto', 'POS'])
const MODELS = new Set(['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'])
const CARD_TYPES = new Set(['scheme', 'card'])
const MAX_REFERENCE_LENGTH = 80
const MAX_CAPTURE_DELAY_HOURS = 672
/** Time on the twin's clock between `Received` and the payment's result. */
const PENDING_MS = 2_000
const HOUR_MS = 3_600_000

/** POST /payments. */
export function pay(desk: Desk, body: Json, origin: string): Json {
  onlyMembersOf('PaymentRequest', body)
  const merchantAccount = merchantAccountOf(body)
  const amount = amountOf(body)
  const reference = referenceOf(body)
  const interaction = oneOf(body, 'shopperInteraction', INTERACTIONS)
  const recurringProcessingModel = oneOf(body, 'recurringProcessingModel', MODELS)
  const shopperReference = text(body, 'shopperReference')
  const returnUrl = text(body, 'returnUrl')
  if (returnUrl === null && interaction !== 'ContAuth') throw invalid('14_030', 'Return URL is missing.')
  const stores = flag(body, 'storePaymentMethod')
  if (stores && shopperReference === null) throw missingField('shopperReference')
  const used = cardOf(desk, body, merchantAccount, shopperReference)
  const redirects = interaction !== 'ContAuth' && interaction !== 'Moto' && asksThreeDSecure(used, body)
  const isChallenged = used.later === 'AUTHENTICATION_REQUIRED' && interaction !== 'ContAuth'
  const later = isChallenged || amount.value === 0 ? null : used.later

  const payment: Payment = {
    psp: newPspReference(),
    merchantAccount,
    reference,
    amount,
    card: used.card,
    shopperReference,
    recurringProcessingModel,
    captureDelayHours: captureDelayOf(body),
    returnUrl,
    redirect: redirects ? { page: newSecret(), result: newSecret() } : null,
    requestedResult: requestedResultOf(body) ?? used.defect ?? later,
    stores,
    storedPaymentMethodId: used.storedId,
    createdAtMs: desk.nowMs,
  }
  desk.push({ type: 'payment', payment, resultCode: redirects ? 'RedirectShopper' : 'Received' })
  const state = desk.model.payment(payment.psp)
  if (payment.redirect !== null) return redirectAnswer(state, redirectAction(origin, payment.redirect.page))
  authorise(desk, state)
  return paymentAnswer(state)
}

/** POST /payments/details authorizes a payment with 3-D Secure, so a shopper who never returns pays nothing. */
export function completePayment(desk: Desk, body: Json): Json {
  onlyMembersOf('PaymentDetailsRequest', body)
  const details = object(body, 'details')
  if (details === null) throw missingField('details')
  const redirectResult = text(details, 'redirectResult')
  const payment = redirectResult === null ? undefined : desk.model.redirected(redirectResult)
  if (payment === undefined || redirectResult !== payment.redirect?.result || payment.challenge === 'open') {
    throw invalid('14_018', 'Invalid payload provided')
  }
  if (payment.resultCode !== 'RedirectShopper') throw alreadyInProgress()
  if (payment.challenge === 'declined') end(desk, payment, triggerNamed('NOT_3D_AUTHENTICATED'))
  else authorise(desk, payment)
  return paymentAnswer(payment)
}

/** Decides payments that are `Received`, and captures those whose delay is over. */
export function continueWaiting(desk: Desk): void {
  for (const psp of desk.model.waiting) {
    const payment = desk.model.payment(psp)
    if (payment.resultCode === 'Received') {
      if (desk.nowMs >= payment.createdAtMs + PENDING_MS) end(desk, payment, triggerNamed('APPROVED'))
    } else if (desk.nowMs >= payment.authorisedAtMs + (payment.captureDelayHours ?? 0) * HOUR_MS) {
      captureAutomatically(desk, payment)
    }
  }
}

function authorise(desk: Desk, payment: PaymentState): void {
  const requested = payment.requestedResult ?? triggerOf(payment.card.holderName)?.name ?? 'APPROVED'
  end(desk, payment, triggerNamed(requested))
}

function end(desk: Desk, payment: PaymentState, { resultCode, reason, code }: Trigger): void {
  const refusal: Refusal | null = reason === '' ? null : { reason, code }
  const authorised = resultCode === 'Authorised'
  const kept = authorised && payment.stores ? keepCard(desk, payment) : null
  desk.push({
    type: 'result',
    psp: payment.psp,
    resultCode,
    refusal,
    authCode: authorised ? String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0') : '',
    storedId: kept?.method.id ?? null,
    storedIsNew: kept?.isNew ?? false,
    atMs: desk.nowMs,
  })
  if (resultCode === 'Received') return
  desk.move(payment, {
    key: payment.reference,
    operation: 'authorization',
    amount: payment.amount,
    outcome: authorised ? 'approved' : 'declined',
    reference: payment.psp,
  })
  notifyAuthorisation(desk, payment)
  if (authorised && payment.captureDelayHours === 0) captureAutomatically(desk, payment)
}

function paymentAnswer(payment: PaymentState): Json {
  const { card, refusal } = payment
  return {
    pspReference: payment.psp,
    resultCode: payment.resultCode,
    merchantReference: payment.reference,
    ...(payment.resultCode !== 'RedirectShopper' && { amount: payment.amount }),
    ...(refusal && { refusalReason: refusal.reason, refusalReasonCode: refusal.code }),
    paymentMethod: { brand: card.brand, type: 'scheme' },
    additionalData: {
      cardBin: card.bin,
      issuerBin: `${card.bin}00`,
      // An account chooses whether it gets the additional data "Card summary".
      ...(!payment.merchantAccount.includes('NoCardSummary') && { cardSummary: card.lastFour }),
      paymentMethod: card.brand,
      cardPaymentMethod: card.brand,
      cardHolderName: card.holderName,
      expiryDate: `${Number(card.expiryMonth)}/${card.expiryYear}`,
      cardIssuingCountry: card.country,
      fundingSource: 'CREDIT',
      merchantReference: payment.reference,
      ...(payment.resultCode === 'Authorised' && {
        authCode: payment.authCode,
        acquirerCode: 'TestPmmAcquirer',
        acquirerReference: payment.psp.slice(0, 11),
        avsResult: '4 AVS not supported for this card type',
        avsResultRaw: '4',
        cvcResult: '1 Matches',
        cvcResultRaw: 'M',
        refusalReasonRaw: 'AUTHORISED',
      }),
      ...(refusal && { refusalReasonRaw: refusal.reason }),
      ...(payment.stores ? storedData(payment) : {}),
    },
  }
}

function redirectAnswer(payment: PaymentState, action: Json): Json {
  const { pspReference, ...answer } = paymentAnswer(payment)
  return hidesReference(payment.card.holderName) ? { ...answer, action } : { ...answer, pspReference, action }
}

function redirectAction(origin: string, page: string): Json {
  return {
    type: 'redirect',
    method: 'GET',
    paymentMethodType: 'scheme',
    url: `${origin}/checkoutshopper/threeDS/redirect?MD=${page}`,
  }
}

interface UsedCard {
  readonly card: Card
  readonly defect: string | null
  readonly storedId: string | null
  /** The result of later payments with a stored card. */
  readonly later: string | null
}

function cardOf(desk: Desk, body: Json, merchantAccount: string, shopperReference: string | null): UsedCard {
  const paymentMethod = object(body, 'paymentMethod')
  if (paymentMethod === null) throw invalid('14_006', "Required object 'paymentMethod' is not provided.")
  const type = text(paymentMethod, 'type') ?? 'scheme'
  if (!CARD_TYPES.has(type)) {
    throw new ServiceError(500, '905', 'Payment details are not supported', 'configuration')
  }
  onlyMembersOf('CardDetails', paymentMethod)
  const id = text(paymentMethod, 'storedPaymentMethodId')
  if (id === null) return { ...presentedCardOf(paymentMethod), storedId: null, later: null }
  if (shopperReference === null) throw missingField('shopperReference')
  const { card } = storedMethodOf(desk.model, id, { merchantAccount, shopperReference })
  const later = desk.model.storedResults.get(id) ?? laterTriggerOf(card.holderName)
  return { card, defect: null, storedId: id, later }
}

/** Adyen's own names: `attemptAuthentication` asks for 3-D Secure with any card, or for none. */
function asksThreeDSecure({ card, later }: UsedCard, body: Json): boolean {
  const wish = text(object(body, 'authenticationData') ?? {}, 'attemptAuthentication')
  if (wish === 'always') return true
  return wish !== 'never' && (card.asksThreeDSecure || later === 'AUTHENTICATION_REQUIRED')
}

/** Null if the merchant captures by itself. */
function captureDelayOf(body: Json): number | null {
  const manual = (object(body, 'additionalData') ?? {})['manualCapture']
  if (manual === 'true' || manual === true) return null
  const hours = whole(body, 'captureDelayHours') ?? 0
  if (hours < 0 || hours > MAX_CAPTURE_DELAY_HOURS)
    throw invalid('137', 'Invalid captureDelayHours specified')
  return hours
}

function requestedResultOf(body: Json): string | null {
  const code = (object(body, 'additionalData') ?? {})['RequestedTestAcquirerResponseCode']
  if (typeof code !== 'string' && typeof code !== 'number') return null
  return triggerByCode(String(code))?.name ?? null
}

function referenceOf(body: Json): string {
  const reference = text(body, 'reference')
  if (reference === null || reference === '') throw invalid('130', 'Reference Missing')
  if (reference.length > MAX_REFERENCE_LENGTH) throw invalid('130', 'Reference is too long')
  return reference
}

function oneOf(body: Json, name: string, values: ReadonlySet<string>): string | null {
  const value = text(body, name)
  if (value !== null && !values.has(value)) throw invalid('702', `Field '${name}' is not valid.`)
  return value
}
