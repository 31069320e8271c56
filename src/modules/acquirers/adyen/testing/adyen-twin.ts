import { expect } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import { cleanUp } from '#platform/testing/clean-up'
import { startHttpServer } from '#platform/testing/http-server'
import { startTwin } from '../../../../../twins/common/twin-process.ts'
import type { ConnectedAcquirer } from '../../port/adapter.ts'
import type { FindNotices, Notice } from '../../port/notices.ts'
import type { ChargeRequest, FollowUpRequest, Instrument, Lookup, VerifyRequest } from '../../port/port.ts'
import { adyenAdapter } from '../index.ts'

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const AT = Temporal.Instant.from('2031-03-05T10:00:00Z')

export async function startAdyenTwin(merchantAccount = 'Shop', { withholdsNotices = false } = {}) {
  const twin = await startTwin('adyen')
  const notices: Notice[] = []
  const withheld: Notice[] = []
  const received = withholdsNotices ? withheld : notices
  const findNotices: FindNotices = async ({ key, reference }) =>
    notices.filter(
      ({ subject }) => subject.key === key || (reference !== null && subject.reference === reference),
    )

  const connect = (apiBase = twin.url, timeoutMs = 5_000): ConnectedAcquirer =>
    adyenAdapter.connect(
      {
        environment: 'test',
        credentials: {
          api_key: 'AQE1',
          client_key: 'test_ABC',
          merchant_account: merchantAccount,
          hmac_key: HMAC_KEY,
        },
        apiBase,
        statementDescriptor: 'SHOP',
        merchantId: merchantAccount,
      },
      { connect: {}, timeoutMs, findNotices },
    )
  const acquirer = connect()
  const receiver = await startHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers } = request
      const reading = acquirer.readNotices({
        body: Buffer.concat(chunks),
        headers,
        receivedAt: realClock.now(),
      })
      if (reading.ok) received.push(...reading.notices)
      response.writeHead(reading.ok ? 202 : 401).end()
    })
  })
  cleanUp(async () => {
    await acquirer.disconnect()
    await twin.stop()
  })

  return {
    twin,
    reset: async (): Promise<void> => {
      await twin.setFaults({})
      await twin.setNotices({ url: '' })
      notices.length = 0
    },
    acquirer,
    connect,
    notices,
    withheld,
    receiveNotices: (settings: { repeat?: number; shuffle?: boolean } = {}) =>
      twin.setNotices({ url: receiver, secret: HMAC_KEY, ...settings }),
    stopNotices: () => twin.setNotices({ url: '' }),
    noticesOf: async (key: string, type: string, count = 1): Promise<void> => {
      await expect
        .poll(() => notices.filter((notice) => notice.type === type && notice.subject.key === key).length)
        .toBeGreaterThanOrEqual(count)
    },
    booked: async (key: string): Promise<string[]> => {
      const books = await twin.books()
      return books
        .filter((line) => line.key === key || line.key.startsWith(`${key}:`))
        .map(({ operation, amount, outcome }) => `${operation} ${amount} ${outcome}`)
    },
  }
}

export function card(holderName = 'Chan Tai Man', number = '4111111111111111'): Instrument {
  return { type: 'card', number, expMonth: 3, expYear: 2030, holderName, cvc: '737' }
}

export const THREE_D_SECURE = '4212345678901237'

export interface Call<Request> {
  readonly request: Request
  readonly committed: () => string | null
  /** For an inquiry, which may replace the reference of a payment that waited for its payer. */
  readonly commitReference: (reference: string) => Promise<boolean>
}

let count = 0
export function newKey(): string {
  return `txn_${process.pid}_${++count}_${realClock.now().epochMilliseconds}`
}

export function chargeCall(changes: Partial<ChargeRequest> = {}): Call<ChargeRequest> {
  let reference: string | null = null
  const commitReference = async (text: string): Promise<boolean> => {
    if (reference !== null && reference !== text) return false
    reference = text
    return true
  }
  const request: ChargeRequest = {
    key: newKey(),
    at: AT,
    amount: Money.ofDecimal('EUR', '10.00'),
    instrument: card(),
    payerPresent: true,
    returnUrl: 'https://shop.example/return?order=1',
    orderNumber: 'ORD-1',
    commitReference,
    ...changes,
  }
  const replaceReference = async (text: string): Promise<boolean> => {
    reference = text
    return true
  }
  return { request, committed: () => reference, commitReference: replaceReference }
}

export function verifyCall(changes: Partial<VerifyRequest> = {}): Call<VerifyRequest> {
  const { request, ...committed } = chargeCall()
  const { key, at, instrument, returnUrl = '', commitReference } = request
  const payer = { customerUuid: newKey(), reference: null, name: 'Chan Tai Man', email: 'chan@example.com' }
  return { request: { key, at, instrument, returnUrl, payer, commitReference, ...changes }, ...committed }
}

export function followUp(originalReference: string, amount = '10.00', key = newKey()): FollowUpRequest {
  return {
    key,
    at: AT,
    amount: Money.ofDecimal('EUR', amount),
    originalKey: 'unused',
    originalReference,
    commitReference: async () => true,
  }
}

export function lookup(key: string, changes: Partial<Lookup> = {}): Lookup {
  return {
    kind: 'sale',
    key,
    at: AT,
    reference: null,
    sentAt: realClock.now(),
    amount: Money.ofDecimal('EUR', '10.00'),
    originalReference: null,
    returned: {},
    commitReference: async () => true,
    ...changes,
  }
}

export async function decide(url: string, decision: 'approve' | 'decline'): Promise<Record<string, string>> {
  const body = new URLSearchParams({ decision })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  return { redirectResult: searchParams.get('redirectResult') ?? '' }
}
