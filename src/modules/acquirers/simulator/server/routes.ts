import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'
import { bookLine, disputeReply, keyStateReply, paymentReply, settlementReply } from './replies.ts'
import type { Books, DisputedPayment, KeyState } from '../books/books.ts'
import type { FaultsByTenant } from './faults.ts'
import type { AppendLog } from '../books/log.ts'
import { payerPage } from './page.ts'
import type { Payment } from '../books/payment.ts'
import { Refusal } from './refusal.ts'
import {
  invalid,
  type Operation,
  type PaymentRequest,
  readEvidence,
  readKey,
  readKeys,
  readObject,
  readOptionalInstant,
  readPaymentRequest,
} from './request.ts'

export interface Simulation {
  readonly books: Books
  readonly log: AppendLog
  readonly faults: FaultsByTenant
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly type?: string
  readonly location?: string
}

export interface SimulatorRequest {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly origin: string
  readonly fromPage: boolean
  readonly tenant: string | null
  readonly acceptLanguage: string | undefined
}

type RouteResult = Reply | 'cut' | 'silence'

const OPERATIONS = new Map<string, Operation>([
  ['/sales', 'sale'],
  ['/authorizations', 'authorization'],
  ['/captures', 'capture'],
  ['/refunds', 'refund'],
  ['/voids', 'void'],
  ['/verifications', 'verification'],
])

export async function handleRequest(simulation: Simulation, request: SimulatorRequest): Promise<RouteResult> {
  try {
    return await route(simulation, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, param } = error
    return json(status, { error: { code, message, param } })
  }
}

async function route(simulation: Simulation, request: SimulatorRequest): Promise<RouteResult> {
  const [path = '', query = ''] = request.url.split('?', 2)
  if (path === '/health') return health(simulation, request)
  if (path === '/faults') return putFaults(simulation.faults, request)
  const { latency_ms: latencyMs } = simulation.faults.of(request.tenant).settings
  if (latencyMs > 0) await sleep(latencyMs)
  const operation = OPERATIONS.get(path)
  if (operation !== undefined) return runOperation(simulation, operation, request)
  const [, payments, key, verb = ''] = path.split('/', 5)
  if (payments === 'settlements') return routeSettlements(simulation, key, request)
  if (payments === 'disputes') return routeDispute(simulation, key, verb, query, request)
  if (payments !== 'payments' || key === undefined)
    throw new Refusal(404, 'not_found', 'There is no such path.')
  return routePayment(simulation, readKey(key, 'key'), verb, query, request)
}

async function runOperation(
  simulation: Simulation,
  operation: Operation,
  httpRequest: SimulatorRequest,
): Promise<RouteResult> {
  const { books, log } = simulation
  const faults = simulation.faults.of(httpRequest.tenant)
  requireMethod(httpRequest, 'POST')
  const request = readPaymentRequest(operation, httpRequest.body)
  if (faults.strikes('fail_before')) return fault('failed_before_booking')
  const silence = silenceOf(request)
  if (silence === 'books_nothing') return 'silence'
  const payment = books.submit(request, httpRequest.tenant)
  await log.durable(payment.position)
  if (silence === 'books') return 'silence'
  if (faults.strikes('fail_after')) return fault('failed_after_booking')
  if (faults.strikes('lose_answer')) return 'cut'
  return json(200, paymentReply(payment, httpRequest.origin))
}

function silenceOf(request: PaymentRequest): 'none' | 'books' | 'books_nothing' {
  if (request.operation === 'verification' || request.instrument?.type !== 'card') return 'none'
  return request.instrument.card.silence
}

async function routePayment(
  simulation: Simulation,
  key: string,
  verb: string,
  query: string,
  request: SimulatorRequest,
): Promise<RouteResult> {
  const { books, log } = simulation
  switch (verb) {
    case '':
      requireMethod(request, 'GET')
      return replyWithKeyState(simulation, books.inquire(key, readTime(query)), request)
    case 'close':
      requireMethod(request, 'POST')
      return replyWithKeyState(simulation, books.close(key, readBodyTime(request)), request)
    case 'confirm':
    case 'decline': {
      requireMethod(request, 'POST')
      const payment = books.answerChallenge(key, verb === 'confirm', readBodyTime(request))
      await log.durable(payment.position)
      return request.fromPage ? redirectPayer(payment) : json(200, paymentReply(payment, request.origin))
    }
    case 'page': {
      requireMethod(request, 'GET')
      const found = books.inquire(key, null)
      return { status: 200, type: 'text/html; charset=utf-8', body: payerPage(found, request.acceptLanguage) }
    }
    default:
      throw new Refusal(404, 'not_found', 'There is no such path.')
  }
}

async function routeSettlements(
  { books, log }: Simulation,
  id: string | undefined,
  request: SimulatorRequest,
): Promise<Reply> {
  const tenant = request.tenant ?? ''
  requireMethod(request, ...(id === undefined ? ['GET', 'POST'] : ['GET']))
  if (request.method === 'POST') {
    await log.durable(books.settle(tenant, readKeys(request.body)))
    return json(200, {})
  }
  const settlements = books.settlements(tenant)
  if (id === undefined) return json(200, { settlements: settlements.map(settlementReply) })
  const settlement = settlements.find((one) => one.id === id)
  if (settlement === undefined) throw new Refusal(404, 'settlement_not_found', 'No settlement has this id.')
  return json(200, { ...settlementReply(settlement), lines: settlement.lines })
}

const DISPUTES_PER_PAGE = 100

async function routeDispute(
  { books, log }: Simulation,
  reference: string | undefined,
  verb: string,
  query: string,
  request: SimulatorRequest,
): Promise<Reply> {
  const { tenant } = request
  const shown = (payment: DisputedPayment) => disputeReply(payment, realNowMs())
  if (reference === undefined) {
    requireMethod(request, 'GET')
    const from = Math.max(0, Math.trunc(Number(new URLSearchParams(query).get('from'))) || 0)
    const disputes = books
      .disputes(tenant)
      .drop(from)
      .take(DISPUTES_PER_PAGE + 1)
      .map(shown)
      .toArray()
    const next = disputes.length > DISPUTES_PER_PAGE ? from + DISPUTES_PER_PAGE : null
    return json(200, { disputes: disputes.slice(0, DISPUTES_PER_PAGE), next })
  }
  if (verb === '') {
    requireMethod(request, 'GET')
    return json(200, shown(books.dispute(reference, tenant)))
  }
  if (verb !== 'evidence') throw new Refusal(404, 'not_found', 'There is no such path.')
  requireMethod(request, 'POST')
  const payment = books.handIn(reference, tenant, readEvidence(request.body))
  await log.durable(payment.position)
  return json(200, shown(payment))
}

async function replyWithKeyState(
  simulation: Simulation,
  found: KeyState,
  request: SimulatorRequest,
): Promise<Reply> {
  await simulation.log.durable(found.kind === 'payment' ? found.payment.position : found.position)
  return json(200, keyStateReply(found, request.origin))
}

function redirectPayer(payment: Payment): Reply {
  return {
    status: 303,
    type: 'text/html; charset=utf-8',
    body: '',
    location: payment.returnUrl ?? 'page',
  }
}

export async function sendBooks(simulation: Simulation, response: ServerResponse): Promise<void> {
  const { books, log } = simulation
  const bookings = books.bookings()
  await log.durable(log.position)
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
  try {
    await pipeline(Readable.from(bookChunks(bookings)), response)
  } catch (error) {
    if (!response.destroyed) throw error
  }
}

const BOOK_CHUNK_CHARACTERS = 64 * 1024

function* bookChunks(bookings: Iterable<Payment>): Generator<string> {
  let text = ''
  for (const payment of bookings) {
    text += bookLine(payment) + '\n'
    if (text.length < BOOK_CHUNK_CHARACTERS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

async function health({ log }: Simulation, request: SimulatorRequest): Promise<Reply> {
  requireMethod(request, 'GET')
  const healthy = await log.durable(log.position).then(
    () => true,
    () => false,
  )
  return json(healthy ? 200 : 503, { status: healthy ? 'ok' : 'the disk failed' })
}

function putFaults(faults: FaultsByTenant, request: SimulatorRequest): Reply {
  requireMethod(request, 'GET', 'PUT')
  if (request.method === 'PUT') faults.put(request.tenant, request.body)
  return json(200, faults.of(request.tenant).settings)
}

function readTime(query: string): number | null {
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) if (name !== 'at') throw invalid(name, 'is not a known parameter')
  return readOptionalInstant(parameters.get('at'))
}

function readBodyTime(request: SimulatorRequest): number | null {
  return request.fromPage ? null : readOptionalInstant(readObject(request.body, ['at']).at)
}

function requireMethod(request: SimulatorRequest, ...allowed: readonly string[]): void {
  if (!allowed.includes(request.method)) {
    throw new Refusal(405, 'method_not_allowed', `Use ${allowed.join(' or ')}.`)
  }
}

function fault(code: string): Reply {
  return json(500, { error: { code, message: 'This fault was injected.' } })
}

function json(status: number, body: object): Reply {
  return { status, body: JSON.stringify(body) }
}
