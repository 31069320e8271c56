import { Pool } from 'undici'
import { toRfc3339 } from '#kernel/clock'
import { exchange, type Exchange, type ExchangeRequest } from '../port/http-exchange.ts'
import { isMembers, type Members, parseMembers } from '../port/members.ts'
import type { Disputes } from '../port/disputes.ts'
import type { SettlementReports } from '../port/settlement.ts'
import { simulatorDisputes } from './simulator-disputes.ts'
import { settleAtSimulator, simulatorSettlement } from './simulator-settlement.ts'
import { payerPageUrl } from './payer-pages.ts'
import type {
  Acquirer,
  AcquirerRecord,
  Capabilities,
  ChargeRequest,
  FollowUpRequest,
  Inquiry,
  Instrument,
  NextAction,
  Outcome,
  VerifyRequest,
} from '../port/port.ts'

export const SIMULATOR_NAME = 'simulator'

export interface SimulatorAcquirerOptions {
  readonly url: string
  readonly merchantId: string
  readonly timeoutMs?: number
  readonly publicUrl?: () => string
}

/**
 * The bound on concurrent requests, and enough to keep the simulator's group commit busy. Inquiries have their own pool of
 * the same size: after an outage there may be thousands, and payments must not queue behind them.
 */
export const CONNECTIONS = 64
/** The default of ACQUIRER_TIMEOUT_MS. The lease of a call covers it twice (`port/lease.ts`). */
export const TIMEOUT_MS = 10_000
export const SIMULATOR_CAPABILITIES: Capabilities = {
  closes: new Set(['sale', 'authorization', 'capture', 'refund', 'void', 'verification']),
  commitsReferences: false,
  multipleCaptures: true,
  voidsCaptured: true,
  needsSecurityCode: false,
}
/** The timeout is shorter than the simulator's 75 s, so that no request is sent on a closing connection. */
export const KEEP_ALIVE_MS = 30_000

/** Milliseconds before each response, then chances from 0 to 1 (reference/operations#simulator). */
export interface SimulatorFaults {
  readonly latency_ms: number
  readonly fail_before: number
  readonly fail_after: number
  readonly lose_answer: number
}

/** Stores that a payment is disputed. The outcome of the payment is given out only afterwards, so that neither is lost. */
type DisputeHandler = (businessId: string, reference: string) => Promise<void>

export interface SimulatorAcquirer extends Acquirer {
  forTenant(businessId: string): Acquirer
  disputesOf(businessId: string): Disputes
  onDispute(handler: DisputeHandler): void
  settlementOf(businessId: string): SettlementReports
  /** Has the simulator pay out payments that it was not asked to pay out before. False if it does not answer. */
  settle(businessId: string, keys: readonly string[]): Promise<boolean>
  faults(businessId: string, replacement?: SimulatorFaults): Promise<SimulatorFaults | undefined>
  close(): Promise<void>
}

export function createSimulatorAcquirer(options: SimulatorAcquirerOptions): SimulatorAcquirer {
  const { timeoutMs = TIMEOUT_MS } = options
  const pools = { instructions: newPool(options.url, timeoutMs), inquiries: newPool(options.url, timeoutMs) }
  let onDispute: DisputeHandler = async () => {}
  const tenantHeaders = (businessId: string) => ({ 'x-tenant': businessId })
  const connectionOf = (businessId: string) => ({
    pool: pools.inquiries,
    headers: tenantHeaders(businessId),
    timeoutMs,
  })
  return {
    ...acquirerOn(pools, options),
    forTenant: (businessId) =>
      acquirerOn(pools, options, {
        headers: tenantHeaders(businessId),
        onDispute: (reference) => onDispute(businessId, reference),
      }),
    disputesOf: (businessId) => simulatorDisputes(connectionOf(businessId)),
    settlementOf: (businessId) => simulatorSettlement(connectionOf(businessId)),
    settle: (businessId, keys) => settleAtSimulator(connectionOf(businessId), keys),
    onDispute: (handler) => void (onDispute = handler),
    faults: async (businessId, replacement) => {
      const answer = await exchange(pools.inquiries, {
        method: replacement === undefined ? 'GET' : 'PUT',
        path: '/faults',
        headers: { 'x-tenant': businessId },
        ...(replacement !== undefined && { body: JSON.stringify(replacement) }),
        timeoutMs,
      })
      return answer.kind === 'answered' && answer.status === 200 ? readFaults(answer.text) : undefined
    },
    close: async () => {
      await Promise.all([pools.instructions.close(), pools.inquiries.close()])
    },
  }
}

function acquirerOn(
  { instructions, inquiries }: { instructions: Pool; inquiries: Pool },
  options: SimulatorAcquirerOptions,
  tenant: {
    readonly headers?: Readonly<Record<string, string>>
    readonly onDispute?: (reference: string) => Promise<void>
  } = {},
): Acquirer {
  const { headers = {} } = tenant
  const send = async (pool: Pool, request: ExchangeRequest): Promise<Exchange> => {
    const answer = await exchange(pool, request)
    const reference = disputeIn(answer)
    if (reference === null || tenant.onDispute === undefined) return answer
    return tenant.onDispute(reference).then(
      () => answer,
      (): Exchange => ({ kind: 'unanswered', reason: 'the dispute of the payment could not be stored' }),
    )
  }
  const { timeoutMs = TIMEOUT_MS } = options
  const submit = async (path: string, body: object): Promise<Outcome> =>
    withPublicPage(
      readOutcome(
        await send(instructions, {
          method: 'POST',
          path,
          body: JSON.stringify(body),
          headers,
          timeoutMs,
        }),
      ),
      options,
    )
  const charge = async (path: string, request: ChargeRequest): Promise<Outcome> => {
    const outcome = await submit(path, {
      ...amountOf(request),
      ...instrumentOf(request.instrument),
      payer_present: request.payerPresent,
      return_url: request.returnUrl,
    })
    const { instrument } = request
    return 'device' in instrument && instrument.device === 'desktop' ? withCode(outcome) : outcome
  }
  const followUp = (path: string, request: FollowUpRequest): Promise<Outcome> =>
    submit(path, { ...amountOf(request), original_key: request.originalKey })

  return {
    name: SIMULATOR_NAME,
    merchantId: options.merchantId,
    capabilities: SIMULATOR_CAPABILITIES,
    sale: (request) => charge('/sales', request),
    authorize: (request) => charge('/authorizations', request),
    capture: (request) => followUp('/captures', request),
    refund: (request) => followUp('/refunds', request),
    void: (request) => followUp('/voids', request),
    verify: (request: VerifyRequest) =>
      submit('/verifications', {
        key: request.key,
        at: toRfc3339(request.at),
        ...instrumentOf(request.instrument),
        return_url: request.returnUrl,
      }),
    inquire: async ({ key, at, nextAction }) => {
      const path = `/payments/${encodeURIComponent(key)}?at=${encodeURIComponent(toRfc3339(at))}`
      const answer = await send(inquiries, { method: 'GET', path, headers, timeoutMs })
      const inquiry = withPublicPage(readInquiry(answer), options)
      return nextAction?.qrCode === undefined ? inquiry : withCode(inquiry)
    },
    closeKey: async ({ key, at }) => {
      const path = `/payments/${encodeURIComponent(key)}/close`
      const body = JSON.stringify({ at: toRfc3339(at) })
      const answer = await send(inquiries, { method: 'POST', path, body, headers, timeoutMs })
      return withPublicPage(readInquiry(answer), options)
    },
  }
}

function disputeIn(answer: Exchange): string | null {
  if (answer.kind === 'unanswered' || !answer.text.includes('"dispute":')) return null
  const reference = parseMembers(answer.text)?.dispute
  return typeof reference === 'string' ? reference : null
}

function withPublicPage<Result extends Outcome | Inquiry>(
  result: Result,
  { publicUrl }: Pick<SimulatorAcquirerOptions, 'publicUrl'>,
): Result {
  if (publicUrl === undefined || result.kind !== 'pending' || result.nextAction === undefined) return result
  const { type, url } = result.nextAction
  return { ...result, nextAction: { type, url: payerPageUrl(publicUrl(), url) } }
}

/** The code of a wallet leads to the page on which its payer answers. */
function withCode<Result extends Outcome | Inquiry>(result: Result): Result {
  if (result.kind !== 'pending' || result.nextAction === undefined) return result
  return { ...result, nextAction: { ...result.nextAction, qrCode: result.nextAction.url } }
}

function readFaults(text: string): SimulatorFaults | undefined {
  const body = parseMembers(text)
  if (body === null) return undefined
  const { latency_ms, fail_before, fail_after, lose_answer } = body
  const isWhole = [latency_ms, fail_before, fail_after, lose_answer].every(Number.isFinite)
  return isWhole ? ({ latency_ms, fail_before, fail_after, lose_answer } as SimulatorFaults) : undefined
}

function newPool(url: string, timeoutMs: number): Pool {
  return new Pool(url, {
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: timeoutMs },
  })
}

function amountOf(request: ChargeRequest | FollowUpRequest): object {
  return {
    key: request.key,
    at: toRfc3339(request.at),
    amount: request.amount.toString(),
    currency: request.amount.currency,
  }
}

function instrumentOf(instrument: Instrument): object {
  if (instrument.type === 'acquirer_token' || instrument.type === 'component') {
    throw new Error(`the simulator has no ${instrument.type}`)
  }
  if (instrument.type !== 'card') {
    return { wallet: { type: instrument.type, auto_debit: instrument.autoDebit } }
  }
  return {
    card: {
      number: instrument.number,
      exp_month: instrument.expMonth,
      exp_year: instrument.expYear,
      holder_name: instrument.holderName,
      cvc: instrument.cvc,
    },
  }
}

function readOutcome(answer: Exchange): Outcome {
  if (answer.kind === 'unanswered') return unknown(answer.reason)
  const { status, text } = answer
  const body = parseMembers(text)
  // 408 and 429 do not prove that the request was not run.
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return readRefusal(status, body)
  if (status < 200 || status >= 300) return unknown(`the acquirer responded with HTTP ${status}`)
  return readBooking(body) ?? unknown('the response cannot be parsed')
}

function readInquiry(answer: Exchange): Inquiry {
  if (answer.kind === 'unanswered') return unknown(answer.reason)
  if (answer.status < 200 || answer.status >= 300)
    return unknown(`the acquirer responded with HTTP ${answer.status}`)
  const body = parseMembers(answer.text)
  if (body?.status === 'absent' && typeof body.closed === 'boolean') {
    return { kind: 'absent', closed: body.closed }
  }
  return readBooking(body) ?? unknown('the response cannot be parsed')
}

function readBooking(
  body: Members | null,
): Extract<Outcome, { kind: 'approved' | 'declined' | 'pending' }> | null {
  const record = body === null ? null : readRecord(body)
  if (body === null || record === null) return null
  if (body.status === 'approved') return { kind: 'approved', ...record }
  if (body.status === 'declined' && typeof body.hard === 'boolean') {
    return { kind: 'declined', hard: body.hard, ...record }
  }
  if (body.status !== 'pending') return null
  const nextAction = readNextAction(body.next_action)
  return { kind: 'pending', ...record, ...(nextAction !== null && { nextAction }) }
}

function readRecord(body: Members): AcquirerRecord | null {
  const record = {
    gatewayTransactionId: body.gateway_transaction_id,
    rrn: body.rrn,
    authCode: body.auth_code,
    batchNumber: body.batch_number,
    responseCode: body.response_code,
    responseMessage: body.response_message,
  }
  return isAllText(record) ? record : null
}

function isAllText<K extends string>(record: Record<K, unknown>): record is Record<K, string> {
  return Object.values(record).every((value) => typeof value === 'string')
}

function readNextAction(value: unknown): NextAction | null {
  if (!isMembers(value) || typeof value.type !== 'string' || typeof value.url !== 'string') return null
  return { type: value.type, url: value.url }
}

function readRefusal(status: number, body: Members | null): Outcome {
  const error = isMembers(body?.error) ? body.error : {}
  return {
    kind: 'refused',
    responseCode: typeof error.code === 'string' ? error.code : 'refused',
    responseMessage:
      typeof error.message === 'string' ? error.message : `The acquirer responded with HTTP ${status}.`,
  }
}

function unknown(why: string): { kind: 'unknown'; responseMessage: string } {
  return { kind: 'unknown', responseMessage: why }
}
