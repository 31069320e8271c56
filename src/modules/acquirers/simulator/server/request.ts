import { isCurrency } from '#kernel/currencies'
import { type Money, readMoney } from '#kernel/money'
import type { EvidenceGiven } from '../books/dispute.ts'
import { Refusal } from './refusal.ts'
import { testCard, type TestCard } from './test-cards.ts'

export type Operation = 'sale' | 'authorization' | 'capture' | 'refund' | 'void' | 'verification'

export type InstrumentUsed =
  | { readonly type: 'card'; readonly card: TestCard }
  | { readonly type: 'wallet_a_pay' | 'wallet_b'; readonly autoDebit: boolean }

export interface PaymentRequest {
  readonly key: string
  readonly operation: Operation
  readonly atMs: number
  readonly amount: Money | null
  readonly instrument: InstrumentUsed | null
  readonly originalKey: string | null
  readonly payerPresent: boolean
  readonly returnUrl: string | null
}

type Members = Record<string, unknown>

/** Keys appear in paths, so only characters that need no escaping are allowed. */
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

export function readEvidence(text: string): EvidenceGiven {
  const body = readObject(text, ['key', 'texts', 'files'])
  const { texts } = body
  if (!isMembers(texts) || !isAllText(texts)) throw invalid('texts', 'must be an object of texts')
  return { key: readKey(body.key, 'key'), texts }
}

const MAX_KEYS = 100

export function readKeys(text: string): string[] {
  const { keys } = readObject(text, ['keys'])
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw invalid('keys', `must be at most ${MAX_KEYS} keys`)
  return keys.map((key, index) => readKey(key, `keys[${index}]`))
}

function isAllText(members: Members): members is Record<string, string> {
  return Object.values(members).every((value) => typeof value === 'string')
}

export function readOptionalInstant(value: unknown): number | null {
  return value === undefined || value === null ? null : readInstant(value, 'at')
}

export function readObject(text: string, allowed: readonly string[]): Members {
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not valid JSON.')
  }
  if (!isMembers(body)) throw new Refusal(400, 'invalid_request', 'The body must be a JSON object.')
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
    throw new Refusal(400, 'invalid_request', 'Send exactly one of card and wallet.', 'card')
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
    throw invalid('card.number', 'must be 12 to 19 digits')
  if (!isWhole(month, 1, 12)) throw invalid('card.exp_month', 'must be 1 to 12')
  if (!isWhole(year, 2000, 2199)) throw invalid('card.exp_year', 'must be a year of four digits')
  if (typeof holder !== 'string') throw invalid('card.holder_name', 'must be a string')
  if (cvc !== undefined && (typeof cvc !== 'string' || !/^\d{3,4}$/.test(cvc))) {
    throw invalid('card.cvc', 'must be three or four digits')
  }
  const known = testCard(number)
  // The message leaves the number out: someone may have sent a real one by mistake.
  if (known === undefined)
    throw new Refusal(422, 'not_a_test_card', 'The simulator accepts test card numbers only.', 'card.number')
  return known
}

function readBoolean(value: unknown, param: string, fallback: boolean): boolean {
  if (value === undefined) return fallback
  if (typeof value !== 'boolean') throw invalid(param, 'must be true or false')
  return value
}

function readReturnUrl(value: unknown): string | null {
  if (value === undefined) return null
  // Normalized so that it fits in a Location header.
  if (typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value))
    return new URL(value).href
  throw invalid('return_url', 'must be an http or https URL')
}

function refuseUnknown(members: Members, allowed: readonly string[], prefix: string): void {
  for (const name of Object.keys(members)) {
    if (!allowed.includes(name)) throw invalid(prefix + name, 'is not a known member')
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}
