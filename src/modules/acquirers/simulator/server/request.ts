import { isCurrency } from '#kernel/currencies'
import { type Money, readMoney } from '#kernel/money'
import { Refusal } from './refusal.ts'
import { testCard, type TestCard } from './test-cards.ts'

export type Operation = 'sale' | 'authorization' | 'capture' | 'refund' | 'void' | 'verification'

export type InstrumentUsed =
  | { readonly type: 'card'; readonly card: TestCard }
  | { readonly type: 'wallet_a_pay' | 'wallet_b'; readonly autoDebit: boolean }

/** One of the six money operations, checked. Times are milliseconds since the epoch on the caller's clock. */
export interface PaymentRequest {
  readonly key: string
  readonly operation: Operation
  readonly atMs: number
  /** Null for a verification, which moves no money. */
  readonly amount: Money | null
  /** Null for what follows up an earlier payment. */
  readonly instrument: InstrumentUsed | null
  /** The payment that is captured, refunded or voided; null for the others. */
  readonly originalKey: string | null
  readonly payerPresent: boolean
  readonly returnUrl: string | null
}

type Members = Record<string, unknown>

/** Keys stand in paths, so they are plain. */
const KEY = /^[\w.:-]{1,128}$/

const CHARGE = ['key', 'at', 'amount', 'currency', 'card', 'wallet', 'payer_present', 'return_url']
const FOLLOW_UP = ['key', 'at', 'amount', 'currency', 'original_key']
const MEMBERS: Record<Operation, readonly string[]> = {
  sale: CHARGE,
  authorization: CHARGE,
  capture: FOLLOW_UP,
  refund: FOLLOW_UP,
  void: FOLLOW_UP,
  verification: ['key', 'at', 'card', 'wallet', 'payer_present', 'return_url'],
}

/** Reads a body of POST /sales, /authorizations, …; throws a `Refusal` that names the wrong member. */
export function readPaymentRequest(operation: Operation, text: string): PaymentRequest {
  const body = readObject(text, MEMBERS[operation])
  const followsUp = operation === 'capture' || operation === 'refund' || operation === 'void'
  return {
    key: readKey(body.key, 'key'),
    operation,
    atMs: readInstant(body.at, 'at'),
    amount: operation === 'verification' ? null : readAmount(body),
    instrument: followsUp ? null : readInstrument(body),
    originalKey: followsUp ? readKey(body.original_key, 'original_key') : null,
    payerPresent: readBoolean(body.payer_present, 'payer_present', operation === 'verification'),
    returnUrl: readReturnUrl(body.return_url),
  }
}

/** The time of an inquiry, a close, a confirmation: optional, then null. */
export function readOptionalInstant(value: unknown): number | null {
  return value === undefined || value === null ? null : readInstant(value, 'at')
}

/** A JSON object with no other members than these. An empty text is an empty object. */
export function readObject(text: string, allowed: readonly string[]): Members {
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not JSON.')
  }
  if (!isMembers(body)) throw new Refusal(400, 'invalid_request', 'The body must be an object.')
  refuseUnknown(body, allowed, '')
  return body
}

export function readKey(value: unknown, param: string): string {
  if (typeof value === 'string' && KEY.test(value)) return value
  throw invalid(param, 'must be 1 to 128 letters, digits, or any of _ - . :')
}

export function invalid(param: string, rule: string): Refusal {
  return new Refusal(400, 'invalid_request', `${param} ${rule}.`, param)
}

function readInstant(value: unknown, param: string): number {
  if (typeof value !== 'string') throw invalid(param, 'must be an RFC 3339 time')
  try {
    return Temporal.Instant.from(value).epochMilliseconds
  } catch {
    throw invalid(param, 'must be an RFC 3339 time')
  }
}

function readAmount(body: Members): Money {
  if (typeof body.currency !== 'string' || !isCurrency(body.currency)) {
    throw invalid('currency', 'must be an ISO 4217 code')
  }
  if (typeof body.amount !== 'string') throw invalid('amount', 'must be a decimal string')
  const amount = readMoney(body.currency, body.amount, 'amount', invalid)
  if (!amount.isPositive()) throw invalid('amount', 'must be more than 0')
  return amount
}

function readInstrument(body: Members): InstrumentUsed {
  const { card, wallet } = body
  if ((card === undefined) === (wallet === undefined)) {
    throw new Refusal(400, 'invalid_request', 'Exactly one of card and wallet must be given.', 'card')
  }
  if (wallet !== undefined) {
    if (!isMembers(wallet)) throw invalid('wallet', 'must be an object')
    refuseUnknown(wallet, ['type', 'auto_debit'], 'wallet.')
    if (wallet.type !== 'wallet_a_pay' && wallet.type !== 'wallet_b') {
      throw invalid('wallet.type', 'must be wallet_a_pay or wallet_b')
    }
    return { type: wallet.type, autoDebit: readBoolean(wallet.auto_debit, 'wallet.auto_debit', false) }
  }
  if (!isMembers(card)) throw invalid('card', 'must be an object')
  return { type: 'card', card: readCard(card) }
}

function readCard(card: Members): TestCard {
  refuseUnknown(card, ['number', 'exp_month', 'exp_year', 'holder_name', 'cvc'], 'card.')
  const { number, exp_month: month, exp_year: year, holder_name: holder, cvc } = card
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number))
    throw invalid('card.number', 'must be digits')
  if (!isWhole(month, 1, 12)) throw invalid('card.exp_month', 'must be 1 to 12')
  if (!isWhole(year, 2000, 2199)) throw invalid('card.exp_year', 'must be a year of four digits')
  if (typeof holder !== 'string') throw invalid('card.holder_name', 'must be a string')
  if (cvc !== undefined && (typeof cvc !== 'string' || !/^\d{3,4}$/.test(cvc))) {
    throw invalid('card.cvc', 'must be three or four digits')
  }
  const known = testCard(number)
  // The number itself is not repeated: it may be a real one, sent by mistake.
  if (known === undefined)
    throw new Refusal(422, 'not_a_test_card', 'Only test cards are taken.', 'card.number')
  return known
}

function readBoolean(value: unknown, param: string, otherwise: boolean): boolean {
  if (value === undefined) return otherwise
  if (typeof value !== 'boolean') throw invalid(param, 'must be true or false')
  return value
}

function readReturnUrl(value: unknown): string | null {
  if (value === undefined) return null
  // The payer's page redirects there, so it is kept as a header can carry it.
  if (typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value))
    return new URL(value).href
  throw invalid('return_url', 'must be an http or https URL')
}

function refuseUnknown(members: Members, allowed: readonly string[], prefix: string): void {
  for (const name of Object.keys(members)) {
    if (!allowed.includes(name)) throw invalid(prefix + name, 'is not known here')
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
