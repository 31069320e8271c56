import type { PreparedVerification } from '../../intents/intent-acquirer.ts'
import {
  type Intent,
  type Intents,
  type IntentState,
  type Refused,
  type Step,
  unknown,
} from '../../intents/intent.ts'
import type { Wallets } from '../../port/adapter.ts'
import type { Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import type { VerifiedInstrument, VerifyRequest } from '../../port/port.ts'
import { cardDeclineRule, DECLINES, READ_AGAIN } from '../declines.ts'
import { findCustomer } from '../payments/customers.ts'
import {
  cardForm,
  isConsentId,
  isFlowRefused,
  type Spelling,
  TYPES,
  walletForm,
  walletOf,
} from '../payments/methods.ts'
import { declined, readAction, readFailure, refusedUnlessSent } from '../payments/read-intent.ts'
import type { AirwallexClient, AirwallexResponse, Via } from '../wire/airwallex-client.ts'
import { isSpent, sendAgain } from '../wire/send-again.ts'
import { listOf, membersOf, safeMessage, textOf } from '../wire/members.ts'
import { agreementOf, consentPath } from './agreements.ts'
import { readInstrument } from './read-instrument.ts'

const STATES: ReadonlyMap<unknown, IntentState> = new Map([
  ['REQUIRES_PAYMENT_METHOD', 'open'],
  ['REQUIRES_CUSTOMER_ACTION', 'action'],
  ['VERIFIED', 'done'],
  ['PAUSED', 'done'],
  ['DISABLED', 'canceled'],
])

/**
 * - `existing`: A consent that the component made, which is read and never changed.
 * - `otherMethod`: The same wallet with the other spelling of its flow.
 */
export type PreparedConsent =
  | { readonly existing: string }
  | {
      readonly customer: string
      readonly method: object
      readonly otherMethod: object | null
      readonly options: object | null
    }

export interface ConsentOptions {
  readonly client: AirwallexClient
  readonly wallets: Wallets
  readonly currency: string
}

export async function prepareConsent(
  { client, wallets, currency }: ConsentOptions,
  { instrument, payer, key }: VerifyRequest,
): Promise<Step<PreparedConsent>> {
  if (instrument.type === 'acquirer_token') return prepareExisting(client, instrument.id, payer.customerUuid)
  if (instrument.type === 'component' || instrument.type === 'fps') {
    return refused('instrument_not_supported', 'Airwallex keeps cards, and agreements with wallets.')
  }
  const formOf = (spelling: Spelling) =>
    instrument.type === 'card'
      ? cardForm(instrument)
      : walletForm(wallets, instrument.type, instrument.device, spelling)
  const method = formOf('documented')
  if (method === null) return refused('wallet_not_available', 'The account takes no such wallet.')
  const customer = await findCustomer(client, payer, key)
  if (customer.kind !== 'ok') return customer
  const type = instrument.type === 'card' ? 'card' : TYPES[walletOf(wallets, instrument.type) ?? 'alipay_hk']
  const needsCurrency = type === 'card' || type === 'wechatpay'
  const options = needsCurrency ? { [type]: { currency } } : null
  const otherMethod = instrument.type === 'card' ? null : formOf('other')
  return { kind: 'ok', value: { customer: customer.value, method, otherMethod, options } }
}

const NOT_FOR_MERCHANT = {
  responseCode: 'payment_consent_not_for_merchant',
  responseMessage: 'The payment consent is not for payments by the merchant.',
} as const

/** The consent must be verified, for the merchant, of a card, and of a customer who is ours. */
async function prepareExisting(
  client: AirwallexClient,
  id: string,
  customerUuid: string,
): Promise<Step<PreparedConsent>> {
  if (!isConsentId(id)) {
    return refused('payment_consent_invalid', 'The id of a payment consent at Airwallex begins with cst_.')
  }
  const answer = await client.get(consentPath(id), {}, 'begin')
  if (answer.kind !== 'ok') return refusedUnlessSent(readFailure(answer), answer)
  const { status, next_triggered_by: trigger, customer_id: owner, payment_method: method } = answer.object
  if (status !== 'VERIFIED')
    return refused('payment_consent_not_verified', 'The payment consent is not VERIFIED.')
  if (trigger !== 'merchant') {
    return { kind: 'refused', ...NOT_FOR_MERCHANT }
  }
  if (membersOf(method).type !== 'card') {
    return refused('payment_consent_not_of_a_card', 'The payment consent is not of a card.')
  }
  if (!isCustomerId(owner))
    return refused('payment_consent_of_another_customer', 'The payment consent belongs to no customer.')
  const customer = await client.get(`/pa/customers/${owner}`, {}, 'send')
  if (customer.kind !== 'ok') return readFailure(customer)
  if (customer.object.merchant_customer_id !== customerUuid) {
    return refused('payment_consent_of_another_customer', 'The payment consent belongs to another customer.')
  }
  return { kind: 'ok', value: { existing: id } }
}

function isCustomerId(value: unknown): value is string {
  return typeof value === 'string' && /^cus_\w{1,60}$/.test(value)
}

type Verification = PreparedVerification<PreparedConsent>

export function consents({ client }: ConsentOptions, via: 'send' | 'ask'): Intents<Verification> {
  const read = async (id: string) => readStep(await client.get(consentPath(id), {}, via))
  return {
    create: async (request) => {
      if ('existing' in request) return read(request.existing)
      return create(client, request.key, request.customer, request.otherMethod !== null)
    },
    confirm: async (id, request) => {
      if ('existing' in request) return read(id)
      const send = (method: object, requestId: string) => {
        const body = {
          payment_method: method,
          ...(request.options !== null && { verification_options: request.options }),
          ...(request.returnUrl !== undefined && { return_url: request.returnUrl }),
        }
        return client.post(`${consentPath(id)}/verify`, body, { via, requestId })
      }
      const first = await send(request.method, `${request.key}:verify`)
      const isOther = request.otherMethod !== null && isFlowRefused(first)
      const answer = isOther ? await send(request.otherMethod, `${request.key}:verify:flow`) : first
      if (answer.kind !== 'error') return readStep(answer, request.otherMethod !== null)
      if (READ_AGAIN.has(answer.code)) return read(id)
      return DECLINES.has(answer.code)
        ? declinedBy(answer, id, request.otherMethod !== null)
        : readFailure(answer)
    },
    read,
    cancel: (id) => cancel(client, via, id),
  }
}

async function create(
  client: AirwallexClient,
  key: string,
  customer: string,
  isWallet: boolean,
): Promise<Step<Intent>> {
  const body = {
    customer_id: customer,
    next_triggered_by: 'merchant',
    merchant_trigger_reason: 'unscheduled',
    metadata: { quittance_key: key, quittance_method: isWallet ? 'wallet' : 'card' },
  }
  const answer = await client.post('/pa/payment_consents/create', body, { via: 'send', requestId: key })
  if (answer.kind === 'error' && answer.code === 'duplicate_request')
    return findCreated(client, key, customer)
  return readStep(answer)
}

/** Airwallex's limit for a page. */
const MAX_PAGE = '1000'

async function findCreated(client: AirwallexClient, key: string, customer: string): Promise<Step<Intent>> {
  const query = { customer_id: customer, page_num: '0', page_size: MAX_PAGE }
  const found = await client.get('/pa/payment_consents', query, 'send')
  if (found.kind !== 'ok') return readFailure(found)
  const own = listOf(found.object.items)
    .map(membersOf)
    .find(({ metadata }) => membersOf(metadata).quittance_key === key)
  if (own === undefined) return unknown('Airwallex has seen the consent, and does not list it.')
  return readStep({ kind: 'ok', object: own })
}

const UNVERIFIED: ReadonlySet<unknown> = new Set(['REQUIRES_PAYMENT_METHOD', 'REQUIRES_CUSTOMER_ACTION'])

/** Disables a consent that is ours. One that the component made stays as it is. */
async function cancel(client: AirwallexClient, via: Via, id: string): Promise<Step<Intent>> {
  const before = await client.get(consentPath(id), {}, via)
  if (before.kind !== 'ok') return readFailure(before)
  const step = readStep(before)
  if (step.kind !== 'ok' || step.value.state === 'canceled') return step
  if (textOf(membersOf(before.object.metadata).quittance_key) === null) {
    return { kind: 'ok', value: { ...step.value, state: 'canceled' } }
  }
  const send = (requestId: string) => client.post(`${consentPath(id)}/disable`, {}, { via, requestId })
  const first = await send(`${id}:disable`)
  const disabled = isSpent(first) ? await sendAgain(first, send, `${id}:disable`) : first
  if (disabled.kind === 'ok') return readStep(disabled)
  // Only a verified consent can be charged, and only by us. One that Airwallex does not disable before is left as it is.
  const isUnusable = disabled.kind === 'error' && UNVERIFIED.has(before.object.status)
  return isUnusable ? { kind: 'ok', value: { ...step.value, state: 'canceled' } } : readFailure(disabled)
}

function readStep(response: AirwallexResponse, isWallet = false): Step<Intent> {
  if (response.kind !== 'ok') return readFailure(response)
  const consent = readConsent(response.object, isWallet)
  return consent === null ? unknown("Airwallex's response cannot be parsed.") : { kind: 'ok', value: consent }
}

/** A response need not name the method that is verified. */
function readConsent(object: Members, asksWallet: boolean): Intent | null {
  const id = textOf(object.id)
  const status = textOf(object.status)
  if (id === null || status === null) return null
  const known = STATES.get(status) ?? 'processing'
  // A browser may have made it for payments by the payer, which need the security code.
  const isForPayer = known === 'done' && object.next_triggered_by === 'customer'
  const state = isForPayer ? 'open' : known
  const record = recordOf(id, status)
  const failure = membersOf(object.failure_reason)
  const { type } = membersOf(object.payment_method)
  const { quittance_method: asked } = membersOf(object.metadata)
  const isWallet = type === undefined ? asksWallet || asked === 'wallet' : type !== 'card'
  const instrument = state === 'done' ? readInstrument(object, textOf(object.customer_id)) : null
  if (state === 'done' && instrument === null) return null
  const actionType = isWallet ? 'wallet_confirmation' : 'three_d_secure'
  return {
    id,
    state,
    record,
    decline: isForPayer
      ? { needsPayer: false, outcome: { kind: 'declined', hard: false, ...record, ...NOT_FOR_MERCHANT } }
      : textOf(failure.code) === null && textOf(failure.message) === null
        ? null
        : failed(record, failure, isWallet),
    action: readAction(membersOf(object.next_action), actionType),
    capturedMinor: 0n,
    ...(instrument !== null && { instrument }),
  }
}

function failed(record: ReturnType<typeof recordOf>, failure: Members, isWallet: boolean) {
  const code = textOf(failure.code) ?? 'failed'
  const rule = isWallet ? AGREEMENT_DECLINED : cardDeclineRule({ error: code, original: null, advice: null })
  const message = safeMessage(failure.message) ?? 'The payer did not agree.'
  return declined(record, rule, { code, message })
}

function declinedBy(
  { code, error }: Extract<AirwallexResponse, { kind: 'error' }>,
  id: string,
  isWallet: boolean,
): Step<Intent> {
  const original =
    textOf(membersOf(error.details).original_response_code) ?? textOf(error.provider_original_response_code)
  const rule = isWallet ? AGREEMENT_DECLINED : cardDeclineRule({ error: code, original, advice: null })
  const message = safeMessage(error.message) ?? 'The verification was declined.'
  return { kind: 'declined', decline: declined(recordOf(id, ''), rule, { code: original ?? code, message }) }
}

const AGREEMENT_DECLINED = { reason: 'wallet_agreement_declined', hard: false } as const

function recordOf(id: string, status: string) {
  return {
    gatewayTransactionId: id,
    rrn: '',
    authCode: '',
    batchNumber: '',
    responseCode: status,
    responseMessage: '',
  }
}

export async function readStoredConsent(
  client: AirwallexClient,
  { id, payerReference }: { readonly id: string; readonly payerReference: string | null },
): Promise<Reply<VerifiedInstrument>> {
  const found = await agreementOf(client, 'ask', id)
  if (found.kind !== 'ok') return found
  const value = readInstrument(found.value, textOf(found.value.customer_id) ?? payerReference)
  return value === null
    ? { kind: 'refused', message: 'The payment consent has no card and no wallet.' }
    : { kind: 'ok', value }
}

function refused(responseCode: string, responseMessage: string): Refused {
  return { kind: 'refused', responseCode, responseMessage }
}
