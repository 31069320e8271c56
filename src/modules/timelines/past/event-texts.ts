import { cardBrandName } from '#kernel/card-brands'
import { ExactNumber, type Json, type JsonObject } from '#kernel/json'
import { DECIDED_BY_A_PERSON } from '#modules/payments'
import { moneyInSentence } from '#platform/documents/money-text'
import { arrayAt, moneyAt, objectAt, textAt } from './event-document.ts'

export function textOfEvent(type: string, document: JsonObject, before?: JsonObject): string | undefined {
  if (type === 'plan.changed') return textOfChange(document, before)
  const write = TEXTS[type]
  return write?.(document)
}

function textOfChange(document: JsonObject, before: JsonObject | undefined): string {
  const [from, to] = [before === undefined ? null : billedBy(before), billedBy(document)]
  if (to === null) return 'What the plan bills was changed.'
  return from === null
    ? `What the plan bills was changed to ${to}.`
    : `What the plan bills was changed from ${from} to ${to}.`
}

/** Returns "2 × Gold membership (177.00 HKD)" for the cycle that bills now, or that will bill first. */
export function billedBy(document: JsonObject): string | null {
  const cycles = arrayAt(objectAt(document, 'plan'), 'recurring_cycles')
  const cycle = cycles.find((one) => textAt(one, 'state') !== 'completed') ?? cycles.at(-1)
  return cycle === undefined ? null : billedByCycle(cycle)
}

export function billedByCycle(cycle: JsonObject): string | null {
  const items = arrayAt(cycle, 'recurring_items')
  const [first] = items
  if (first === undefined) return null
  const amount = moneyAt({ ...cycle, currency: first['currency'] ?? null }, 'billing_amount')
  const names = items.map((item) => `${numberText(item['quantity'])} × ${textAt(item, 'label') ?? '?'}`)
  return `${names.join(', ')}${amount === null ? '' : ` (${moneyInSentence(amount)})`}`
}

function numberText(value: Json | undefined): string {
  if (value instanceof ExactNumber) return value.source
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '?'
}

export function isDecidedByAPerson(type: string, document: JsonObject): boolean {
  return type === 'transaction.resolved' && answerOf(document, 'resp_msg') === DECIDED_BY_A_PERSON
}

export function documentIn(document: JsonObject): JsonObject {
  const invoice = objectAt(document, 'invoice')
  return textAt(invoice, 'id') === null ? objectAt(document, 'credit_note') : invoice
}

const TEXTS: Readonly<Record<string, (document: JsonObject) => string>> = {
  'order.created': (document) => {
    const order = objectAt(document, 'order')
    const by = textAt(order, 'plan_id') === null ? '' : ' by its plan'
    const reference = textAt(order, 'reference_number')
    const name = reference === null ? 'The order' : `Order ${reference}`
    return `${name} for ${amountIn(order, 'initial_total')} was created${by}.`
  },
  'order.updated': (document) => {
    const order = objectAt(document, 'order')
    return `Of the order, ${amountIn(order, 'paid_total')} is paid and ${amountIn(order, 'unpaid_total')} is not.`
  },
  'order.paid': (document) =>
    `The order was paid in full, ${amountIn(objectAt(document, 'order'), 'paid_total')}.`,
  'order.voided': () => 'The order was voided.',
  'order.expired': () => 'The order expired, because it was not paid in time.',
  'order.refunded': (document) =>
    `The order was refunded in full, ${amountIn(objectAt(document, 'order'), 'refunded_total')}.`,
  'transaction.succeeded': (document) => `${subject(document)} ${approvalOf(document)}.`,
  'transaction.failed': (document) => {
    const message = answerOf(document, 'resp_msg')
    const said = message === null ? '' : `: ${withoutPeriod(message)}`
    const code = answerOf(document, 'resp_code')
    const data = objectAt(objectAt(document, 'transaction'), 'payment_data')
    const later = data['failed_later'] === true ? ' later, after it had counted' : ''
    return `${subject(document)} failed${later}${said}${code === null ? '' : ` (${code})`}.`
  },
  'transaction.pending': pendingText,
  'transaction.voided': (document) => {
    const isExpired = answerOf(document, 'transaction_state') === 'expired'
    return isExpired
      ? `What was left of ${lowered(subject(document))} expired and was released.`
      : `${subject(document)} was voided.`
  },
  'transaction.resolved': (document) => {
    const failure = objectAt(objectAt(document, 'transaction'), 'void_failure')
    const reason = textAt(failure, 'resp_msg')
    if (reason !== null)
      return `The void of ${lowered(subject(document))} failed: ${withoutPeriod(reason)}. The transaction stands.`
    const decided = answerOf(document, 'resp_msg') === DECIDED_BY_A_PERSON
    const state = answerOf(document, 'transaction_state')
    const outcome = state === 'failed' ? 'nothing was booked' : `it ${state ?? 'ended'}`
    return decided
      ? `A person decided the outcome of ${lowered(subject(document))}: ${outcome}.`
      : `The unknown outcome of ${lowered(subject(document))} was found: ${outcome}.`
  },
  'plan.created': (document) => `The plan ${nameOfPlan(document)} was created.`,
  'plan.updated': () => 'The plan was changed.',
  'plan.paused': (document) =>
    textAt(objectAt(document, 'plan'), 'pause_until') === null
      ? 'The plan was paused. It bills nothing until it is resumed.'
      : 'The plan was paused. It bills nothing until it is resumed, which it was set to do by itself.',
  'plan.resumed': () => 'The plan was resumed.',
  'plan.canceled': () => 'The plan was canceled.',
  'plan.change_scheduled': () => 'A change was scheduled for the end of the period.',
  'plan.change_removed': () => 'The scheduled change was removed.',
  'plan.trial_will_end': () => 'The end of the trial was announced.',
  'plan.trial_ended': () => 'The trial of the plan ended.',
  'plan.reactivated': () => 'The plan was reactivated.',
  'plan.coupon_attached': () => 'The plan got a coupon.',
  'plan.coupon_detached': () => 'A coupon was taken from the plan.',
  'cycle.activated': (document) => `The plan is active${billedText(document)}.`,
  'cycle.past_due': () => 'The plan is past due, because an order is unpaid.',
  'cycle.uncollectible': () => 'The plan is uncollectible, because all attempts of an order failed.',
  'cycle.completed': (document) => `The plan has billed all orders of a cycle${billedText(document)}.`,
  'invoice.issued': (document) => {
    const due = textAt(documentIn(document), 'due_date')
    return `${documentName(document)} was issued${due === null ? '' : `, due on ${due}`}.`
  },
  'invoice.paid': (document) => `${documentName(document)} was paid.`,
  'invoice.overdue': (document) =>
    `${documentName(document)} became overdue with ${amountIn(documentIn(document), 'amount_due')} due.`,
  'invoice.credited': (document) => `${documentName(document)} was credited in full.`,
  'invoice.uncollectible': (document) =>
    `What was due of ${lowered(documentName(document))} was written off.`,
  'credit_note.issued': (document) => {
    const reason = textAt(documentIn(document), 'reason')
    return `${documentName(document)} was issued${reason === null ? '' : `: ${withoutPeriod(reason)}`}.`
  },
  'payment_token.active': (document) => `${tokenIn(document)} was stored.`,
  'payment_token.failed': (document) => `${tokenIn(document)} could not be stored.`,
  'payment_token.expiring': (document) => `${tokenIn(document)} expires soon.`,
  'payment_token.deleted': (document) => `${tokenIn(document)} was removed by the payer.`,
  'customer.erased': () => 'The personal data of the customer was erased.',
  'message.sent': (document) => `${messageIn(document)} was sent.`,
  'message.failed': (document) => `${messageIn(document)} could not be sent for a day.`,
  'message.bounced': (document) => `${messageIn(document)} bounced.`,
  'message.complained': (document) => `${messageIn(document)} was reported as unwanted.`,
  'dispute.opened': (document) => {
    const dispute = objectAt(document, 'dispute')
    return `The payer disputed ${amountIn(dispute, 'amount')}, for the reason ${textAt(dispute, 'reason') ?? 'unknown'}.`
  },
  'dispute.updated': (document) =>
    `The dispute changed and is now ${textAt(objectAt(document, 'dispute'), 'state') ?? 'unknown'}.`,
  'dispute.won': () => 'The dispute was won. The payment stands.',
  'dispute.lost': () => 'The dispute was lost. The money went back to the payer.',
  'dispute.closed': () => 'The inquiry of the bank was closed. The payment stands.',
  'dispute.evidence_submitted': () => 'Evidence was submitted to the acquirer.',
}

const NOUNS: Readonly<Record<string, string>> = {
  Sales: 'The payment',
  Authorization: 'The authorization',
  Capture: 'The capture',
  Refund: 'The refund',
}
const APPROVALS: Readonly<Record<string, string>> = {
  Sales: 'was approved',
  Authorization: 'was approved, and the amount is held',
  Capture: 'succeeded',
  Refund: 'succeeded',
}

function subject(document: JsonObject): string {
  const transaction = objectAt(document, 'transaction')
  const noun = NOUNS[textAt(transaction, 'type') ?? ''] ?? 'The transaction'
  const { brand, digits } = instrumentOf(transaction)
  const card =
    digits === null
      ? ''
      : ` by ${brand === null ? 'card' : (cardBrandName(brand) ?? brand)} ending in ${digits}`
  return `${noun} of ${amountIn(transaction, 'amount')}${card}`
}

function instrumentOf(transaction: JsonObject) {
  const data = objectAt(transaction, 'payment_data')
  return { brand: textAt(data, 'credit_card_type'), digits: textAt(data, 'last_4_digits') }
}

function approvalOf(document: JsonObject): string {
  return APPROVALS[textAt(objectAt(document, 'transaction'), 'type') ?? ''] ?? 'succeeded'
}

function pendingText(document: JsonObject): string {
  const who = subject(document)
  if (objectAt(document, 'transaction')['void_is_pending'] === true) {
    return `The void of ${lowered(who)} has no outcome yet.`
  }
  const state = answerOf(document, 'transaction_state')
  if (state === 'requires_action') return `${who} waits until the payer confirms it.`
  if (state !== 'unknown') return `${who} is being processed by the acquirer.`
  return `${who} has an unknown outcome, because the acquirer did not respond.`
}

function answerOf(document: JsonObject, member: string): string | null {
  return textAt(objectAt(objectAt(document, 'transaction'), 'payment_data'), member)
}

function billedText(document: JsonObject): string {
  const billed = billedByCycle(objectAt(document, 'recurring_cycle'))
  return billed === null ? '' : `: ${billed}`
}

function documentName(document: JsonObject): string {
  const invoice = documentIn(document)
  const noun = textAt(invoice, 'type') === 'credit_note' ? 'Credit note' : 'Invoice'
  return `${noun} ${textAt(invoice, 'number') ?? 'without a known number'} of ${amountIn(invoice, 'total')}`
}

function nameOfPlan(document: JsonObject): string {
  return textAt(objectAt(document, 'plan'), 'name') ?? ''
}

function amountIn(object: JsonObject, member: string): string {
  const money = moneyAt(object, member)
  return money === null ? 'an unknown amount' : moneyInSentence(money.abs())
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

function withoutPeriod(message: string): string {
  return message.replace(/\.$/, '')
}

function tokenIn(document: JsonObject): string {
  const token = objectAt(document, 'payment_token')
  const card = objectAt(token, 'credit_card')
  const digits = textAt(card, 'number')?.slice(-4)
  if (digits === undefined) return `A payment method (${textAt(token, 'token_type') ?? 'unknown'})`
  const brand = textAt(card, 'brand')
  return `${brand === null ? 'A card' : (cardBrandName(brand) ?? brand)} ending in ${digits}`
}

function messageIn(document: JsonObject): string {
  const message = objectAt(document, 'message')
  const kind = textAt(message, 'kind')?.replaceAll('_', ' ') ?? 'unknown'
  return `The message ${kind} to ${textAt(message, 'to') ?? 'an erased customer'}`
}
