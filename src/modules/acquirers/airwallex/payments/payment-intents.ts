import { realClock, toRfc3339 } from '#kernel/clock'
import type { PaymentRequest } from '../../intents/intent-acquirer.ts'
import {
  type Decline,
  type Intent,
  type PaymentIntents,
  type Refused,
  type Step,
  unknown,
} from '../../intents/intent.ts'
import type { Wallets } from '../../port/adapter.ts'
import type { Members } from '../../port/members.ts'
import type { FollowUpRequest, NextAction } from '../../port/port.ts'
import { toAirwallexAmount } from '../amounts.ts'
import { DECLINES, READ_AGAIN } from '../declines.ts'
import type { AirwallexClient, AirwallexResponse, Via } from '../wire/airwallex-client.ts'
import { listOf, membersOf, textOf } from '../wire/members.ts'
import { isSpent, sendAgain } from '../wire/send-again.ts'
import { agreementOf } from '../verifications/agreements.ts'
import { findCustomer } from './customers.ts'
import { cardForm, isConsentId, isFlowRefused, type Spelling, walletForm } from './methods.ts'
import {
  declined,
  declineOfError,
  isOfWallet,
  readFailure,
  readIntentStep,
  recordOf,
  refusedUnlessSent,
} from './read-intent.ts'
import { listRefunds, refundIntent } from './refunds.ts'

const PATH = '/pa/payment_intents'
/** Airwallex documents it for FPS only. */
const FPS_CODE_MINUTES = 10
const WALLETS: ReadonlySet<string> = new Set(['wallet_a_pay', 'wallet_b', 'fps'])

export interface PaymentIntentOptions {
  readonly client: AirwallexClient
  readonly via: 'send' | 'ask'
  readonly statementDescriptor: string | null
  readonly wallets: Wallets
}

export function paymentIntents(options: PaymentIntentOptions): PaymentIntents<PaymentRequest> {
  const { client, via } = options
  return {
    create: (request) => create(options, request),
    confirm: async (id, request, again) => about(id, await confirm(options, id, request, again)),
    read: async (id) => about(id, readIntentStep(await client.get(pathOf(id), {}, via))),
    cancel: async (id) => about(id, await cancel(client, via, id)),
    capture: async (id, request) => about(id, await capture(options, id, request)),
    refund: (request) => refundIntent(client, via, request),
    refundsOf: (id) => listRefunds(client, via, id),
  }
}

function about(id: string, step: Step<Intent>): Step<Intent> {
  if (step.kind !== 'ok' || step.value.id === id) return step
  return unknown("Airwallex's answer is about another payment.")
}

async function create(
  { client, statementDescriptor, wallets }: PaymentIntentOptions,
  request: PaymentRequest,
): Promise<Step<Intent>> {
  const { instrument, key } = request
  const amount = toAirwallexAmount(request.amount)
  if ('problem' in amount) return refused('amount_not_supported', amount.problem)
  const problem = problemOf(wallets, request)
  if (problem !== null) return problem
  const customer = await customerOf(client, request)
  if (customer.kind !== 'ok') return customer
  const body = {
    amount: amount.amount,
    currency: request.amount.currency,
    merchant_order_id: key,
    ...(customer.value !== null && { customer_id: customer.value }),
    ...(statementDescriptor !== null && { descriptor: statementDescriptor }),
    ...(request.returnUrl !== undefined && { return_url: request.returnUrl }),
    metadata: {
      quittance_key: key,
      quittance_order: request.orderNumber,
      quittance_kind: request.kind,
      quittance_method: instrument.type,
      ...(request.savePayer !== undefined && { quittance_saves: 'card' }),
    },
  }
  const answer = await client.post(`${PATH}/create`, body, { via: 'begin', requestId: key })
  if (answer.kind === 'error' && answer.code === 'duplicate_request') return findByOrder(client, key)
  return refusedUnlessSent(readIntentStep(answer), answer)
}

/** An intent that was created and never answered for. It cannot have been confirmed: its id was not committed. */
async function findByOrder(client: AirwallexClient, key: string): Promise<Step<Intent>> {
  const found = await client.get(PATH, { merchant_order_id: key, page_num: '0', page_size: '10' }, 'send')
  if (found.kind !== 'ok') return readFailure(found)
  const own = listOf(found.object.items)
    .map(membersOf)
    .find(({ merchant_order_id: order, status }) => order === key && status === 'REQUIRES_PAYMENT_METHOD')
  if (own === undefined) return unknown('Airwallex has seen the payment, and does not list it.')
  return readIntentStep({ kind: 'ok', object: own })
}

function problemOf(wallets: Wallets, { instrument, kind, payerPresent }: PaymentRequest): Refused | null {
  switch (instrument.type) {
    case 'acquirer_token':
      if (isConsentId(instrument.id)) return null
      return refused('payment_consent_invalid', 'The id of a payment consent at Airwallex begins with cst_.')
    case 'card':
      if (!payerPresent || instrument.cvc !== undefined) return null
      return refused('security_code_required', 'Airwallex takes a card only with its security code.')
    case 'component':
      return null
    case 'wallet_a_pay':
    case 'wallet_b':
    case 'fps':
      if (kind === 'authorization') {
        return refused('authorization_not_supported', 'Wallets and FPS have no authorization.')
      }
      if (walletForm(wallets, instrument.type) !== null) return null
      return refused('wallet_not_available', 'The account takes no such wallet.')
  }
}

async function customerOf(
  client: AirwallexClient,
  { instrument, savePayer, key }: PaymentRequest,
): Promise<Step<string | null>> {
  if (instrument.type === 'acquirer_token') return { kind: 'ok', value: instrument.payerReference }
  if (savePayer === undefined) return { kind: 'ok', value: null }
  return findCustomer(client, savePayer, key)
}

/** The component in the payer's browser confirms the intent itself. */
const IN_BROWSER: NextAction = { type: 'component_confirmation', url: '' }

async function confirm(
  options: PaymentIntentOptions,
  id: string,
  request: PaymentRequest,
  again: boolean,
): Promise<Step<Intent>> {
  const { client, via } = options
  if (request.instrument.type === 'component') {
    const read = readIntentStep(await client.get(pathOf(id), {}, via))
    return read.kind === 'ok' && read.value.state === 'open'
      ? { kind: 'ok', value: { ...read.value, state: 'action', action: IN_BROWSER } }
      : read
  }
  const requestId = `${request.key}:confirm${again ? ':again' : ''}`
  const send = (spelling: Spelling) =>
    client.post(`${pathOf(id)}/confirm`, confirmation(options, request, spelling), {
      via,
      requestId: spelling === 'other' ? `${requestId}:flow` : requestId,
    })
  const first = await send('documented')
  const answer = isFlowRefused(first) ? await send('other') : first
  const step =
    answer.kind === 'error' ? await readRefusal(options, id, request, answer) : readIntentStep(answer)
  return withAction(step, request)
}

function confirmation(
  { wallets }: PaymentIntentOptions,
  request: PaymentRequest,
  spelling: Spelling,
): object {
  const { instrument, kind, returnUrl, savePayer } = request
  const common = returnUrl === undefined ? {} : { return_url: returnUrl }
  const captures = { payment_method_options: { card: { auto_capture: kind === 'sale' } } }
  switch (instrument.type) {
    case 'acquirer_token':
      // Airwallex captures by default, and the agreement of a wallet has no such option.
      return { ...common, ...(kind === 'authorization' && captures), payment_consent_id: instrument.id }
    case 'card':
      return {
        ...common,
        ...captures,
        payment_method: cardForm(instrument),
        ...(savePayer !== undefined && {
          payment_consent: { next_triggered_by: 'merchant', merchant_trigger_reason: 'unscheduled' },
        }),
      }
    case 'wallet_a_pay':
    case 'wallet_b':
    case 'fps':
      return { ...common, payment_method: walletForm(wallets, instrument.type, instrument.device, spelling) }
    case 'component':
      return common
  }
}

/** A refusal of a confirmation does not stand alone: the intent, and the consent that was charged, say more. */
async function readRefusal(
  { client, via }: PaymentIntentOptions,
  id: string,
  { instrument }: PaymentRequest,
  answer: Extract<AirwallexResponse, { kind: 'error' }>,
): Promise<Step<Intent>> {
  const isDecline = DECLINES.has(answer.code)
  const mustRead = READ_AGAIN.has(answer.code)
  const charges = instrument.type === 'acquirer_token' ? instrument.id : null
  if (!isDecline && !mustRead && charges === null) return readFailure(answer)
  const read = await client.get(pathOf(id), {}, via)
  if (mustRead && read.kind !== 'ok') return unknown(`${answer.code}: the payment cannot be read.`)
  const intent: Members = read.kind === 'ok' ? { ...read.object, id } : { id }
  const step = read.kind === 'ok' ? readIntentStep(read) : null
  const isOpen = step === null || (step.kind === 'ok' && step.value.state === 'open')
  if (step !== null && !isOpen) return step
  const consent = charges === null ? null : await readConsent(client, via, charges)
  const ended = consent === null ? null : endedAgreement(consent, answer, intent)
  if (ended !== null) return { kind: 'declined', decline: ended }
  const isWallet = WALLETS.has(instrument.type) || isOfWallet(consent ?? {})
  if (isDecline) return { kind: 'declined', decline: declineOfError(answer, intent, isWallet) }
  return mustRead && step !== null ? step : readFailure(answer)
}

async function readConsent(client: AirwallexClient, via: Via, id: string): Promise<Members | null> {
  const found = await agreementOf(client, via, id)
  return found.kind === 'ok' ? found.value : null
}

function endedAgreement(
  consent: Members,
  { code }: Extract<AirwallexResponse, { kind: 'error' }>,
  intent: Members,
): Decline | null {
  const record = recordOf(intent)
  if (consent.status === 'DISABLED') {
    const message = 'The payer has ended the agreement.'
    return declined(record, { reason: 'agreement_ended', hard: true }, { code, message })
  }
  if (consent.status !== 'PAUSED') return null
  const reason = isOfWallet(consent) ? 'payer_declined' : 'card_declined'
  return declined(record, { reason, hard: false }, { code, message: 'The agreement is paused.' })
}

/** The answer of a confirmation may name no attempt, so the request says what kind of action it asks for. */
function withAction(step: Step<Intent>, { instrument }: PaymentRequest): Step<Intent> {
  if (step.kind !== 'ok' || step.value.action === null || step.value.state !== 'action') return step
  const { action } = step.value
  if (instrument.type === 'fps') {
    const expiresAt = toRfc3339(realClock.now().add({ minutes: FPS_CODE_MINUTES }))
    return {
      kind: 'ok',
      value: { ...step.value, action: { ...action, type: 'bank_confirmation', expiresAt } },
    }
  }
  const type = WALLETS.has(instrument.type) ? 'wallet_confirmation' : action.type
  return { kind: 'ok', value: { ...step.value, action: { ...action, type } } }
}

/** Canceling twice does no harm, so a cancellation that was answered and that left the intent open is sent again. */
async function cancel(client: AirwallexClient, via: Via, id: string): Promise<Step<Intent>> {
  const send = (requestId: string) => client.post(`${pathOf(id)}/cancel`, {}, { via, requestId })
  const requestId = `${id}:cancel`
  const first = await send(requestId)
  if (first.kind === 'ok' && first.object.status === 'CANCELLED') return readIntentStep(first)
  if (first.kind !== 'ok' && !isSpent(first)) return readFailure(first)
  const read = readIntentStep(await client.get(pathOf(id), {}, via))
  if (read.kind !== 'ok') return read
  const { state } = read.value
  const isCancelable = state === 'open' || state === 'action' || state === 'held'
  if (!isCancelable) return state === 'canceled' || first.kind === 'ok' ? read : readFailure(first)
  return readIntentStep(await sendAgain(first, send, requestId))
}

/** There is one capture. If the intent still holds the amount, a request that Airwallex has seen captured nothing. */
async function capture(
  { client, via }: PaymentIntentOptions,
  id: string,
  request: FollowUpRequest,
): Promise<Step<Intent>> {
  const amount = toAirwallexAmount(request.amount)
  if ('problem' in amount) return refused('amount_not_supported', amount.problem)
  const send = (requestId: string) =>
    client.post(`${pathOf(id)}/capture`, { amount: amount.amount }, { via, requestId })
  const first = await send(request.key)
  if (first.kind !== 'error' || first.code !== 'duplicate_request') return readIntentStep(first)
  const read = readIntentStep(await client.get(pathOf(id), {}, via))
  if (read.kind !== 'ok' || read.value.state !== 'held') return read.kind === 'ok' ? readFailure(first) : read
  return readIntentStep(await send(`${request.key}:again`))
}

export function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}

export function isIntentId(text: string | null): text is string {
  return text !== null && textOf(text) !== null && /^int_\w{1,60}$/.test(text)
}

function refused(responseCode: string, responseMessage: string): Refused {
  return { kind: 'refused', responseCode, responseMessage }
}
