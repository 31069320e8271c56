import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookLine, foundAnswer, paymentAnswer } from './answers.ts'
import type { Books, Found } from '../books/books.ts'
import type { Faults } from './faults.ts'
import type { AppendLog } from '../books/log.ts'
import { payerPage } from './page.ts'
import type { Payment } from '../books/payment.ts'
import { Refusal } from './refusal.ts'
import {
  invalid,
  type Operation,
  type PaymentRequest,
  readKey,
  readObject,
  readOptionalInstant,
  readPaymentRequest,
} from './request.ts'

/** What a running simulator consists of. */
export interface Simulation {
  readonly books: Books
  readonly log: AppendLog
  readonly faults: Faults
}

export interface Reply {
  readonly status: number
  readonly body: string
  /** Default JSON. */
  readonly type?: string
  readonly location?: string
}

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
  /** What the caller reached us under: `http://127.0.0.1:8090`. */
  readonly origin: string
  /** A form of the payer's page, which is answered with a redirect. */
  readonly fromPage: boolean
}

/** `cut`: the connection is closed without an answer. `silence`: it is held and never answered. */
type Told = Reply | 'cut' | 'silence'

const OPERATIONS = new Map<string, Operation>([
  ['/sales', 'sale'],
  ['/authorizations', 'authorization'],
  ['/captures', 'capture'],
  ['/refunds', 'refund'],
  ['/voids', 'void'],
  ['/verifications', 'verification'],
])

/** Answers a request; nothing is answered before what it tells is on the disk. */
export async function answerRequest(simulation: Simulation, asked: Asked): Promise<Told> {
  try {
    return await route(simulation, asked)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, param } = error
    return json(status, { error: { code, message, param } })
  }
}

async function route(simulation: Simulation, asked: Asked): Promise<Told> {
  const [path = '', query = ''] = asked.url.split('?', 2)
  if (path === '/health') return health(simulation, asked)
  if (path === '/faults') return putFaults(simulation.faults, asked)
  const { latency_ms: latencyMs } = simulation.faults.settings
  if (latencyMs > 0) await sleep(latencyMs)
  const operation = OPERATIONS.get(path)
  if (operation !== undefined) return runOperation(simulation, operation, asked)
  const [, payments, key, verb = ''] = path.split('/', 5)
  if (payments !== 'payments' || key === undefined)
    throw new Refusal(404, 'not_found', 'There is no such path.')
  return routePayment(simulation, readKey(key, 'key'), verb, query, asked)
}

async function runOperation(simulation: Simulation, operation: Operation, asked: Asked): Promise<Told> {
  const { books, faults, log } = simulation
  requireMethod(asked, 'POST')
  const request = readPaymentRequest(operation, asked.body)
  if (faults.strikes('fail_before')) return fault('failed_before_booking')
  const silence = silenceOf(request)
  // Nothing is booked and nothing is said. The key stays free, for an inquiry and for closing.
  if (silence === 'books_nothing') return 'silence'
  const payment = books.submit(request)
  await log.durable(payment.position)
  if (silence === 'books') return 'silence'
  if (faults.strikes('fail_after')) return fault('failed_after_booking')
  if (faults.strikes('lose_answer')) return 'cut'
  return json(200, paymentAnswer(payment, asked.origin))
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
  asked: Asked,
): Promise<Told> {
  const { books, log } = simulation
  switch (verb) {
    case '':
      requireMethod(asked, 'GET')
      return tellFound(simulation, books.inquire(key, readTime(query)), asked)
    case 'close':
      requireMethod(asked, 'POST')
      return tellFound(simulation, books.close(key, readBodyTime(asked)), asked)
    case 'confirm':
    case 'decline': {
      requireMethod(asked, 'POST')
      const payment = books.answer(key, verb === 'confirm', readBodyTime(asked))
      await log.durable(payment.position)
      return asked.fromPage ? backFromPage(payment) : json(200, paymentAnswer(payment, asked.origin))
    }
    case 'page': {
      requireMethod(asked, 'GET')
      const found = books.inquire(key, null)
      return { status: 200, type: 'text/html; charset=utf-8', body: payerPage(found) }
    }
    default:
      throw new Refusal(404, 'not_found', 'There is no such path.')
  }
}

async function tellFound(simulation: Simulation, found: Found, asked: Asked): Promise<Reply> {
  await simulation.log.durable(found.kind === 'payment' ? found.payment.position : found.position)
  return json(200, foundAnswer(found, asked.origin))
}

/** Where the payer goes after a button of the page. */
function backFromPage(payment: Payment): Reply {
  return {
    status: 303,
    type: 'text/html; charset=utf-8',
    body: '',
    location: payment.returnUrl ?? `/payments/${payment.key}/page`,
  }
}

/** GET /books: everything that was booked, one JSON object a line, as of the moment of asking. */
export async function sendBooks(simulation: Simulation, response: ServerResponse): Promise<void> {
  const { books, log } = simulation
  const bookings = books.bookings()
  await log.durable(log.position)
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
  try {
    await pipeline(Readable.from(bookChunks(bookings)), response)
  } catch (error) {
    // The caller went away in the middle, which is its own business.
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

async function health({ log }: Simulation, asked: Asked): Promise<Reply> {
  requireMethod(asked, 'GET')
  const healthy = await log.durable(log.position).then(
    () => true,
    () => false,
  )
  return json(healthy ? 200 : 503, { status: healthy ? 'ok' : 'the disk failed' })
}

function putFaults(faults: Faults, asked: Asked): Reply {
  requireMethod(asked, 'GET', 'PUT')
  if (asked.method === 'PUT') faults.put(asked.body)
  return json(200, faults.settings)
}

function readTime(query: string): number | null {
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) if (name !== 'at') throw invalid(name, 'is not known here')
  return readOptionalInstant(parameters.get('at'))
}

/** The optional `at` of a close or an answer. A page's form has none. */
function readBodyTime(asked: Asked): number | null {
  return asked.fromPage ? null : readOptionalInstant(readObject(asked.body, ['at']).at)
}

function requireMethod(asked: Asked, ...allowed: readonly string[]): void {
  if (!allowed.includes(asked.method)) {
    throw new Refusal(405, 'method_not_allowed', `Use ${allowed.join(' or ')}.`)
  }
}

function fault(code: string): Reply {
  return json(500, { error: { code, message: 'A fault that was asked for.' } })
}

function json(status: number, body: object): Reply {
  return { status, body: JSON.stringify(body) }
}
