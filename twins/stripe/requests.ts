import { setTimeout as sleep } from 'node:timers/promises'
import type { TwinReply, TwinRequest } from '../common/server.ts'
import { browserReply, isBrowserPath } from './browser/serve.ts'
import { authenticate, type Credentials } from './credentials.ts'
import { apiError, errorBody, StripeError } from './errors.ts'
import { canonicalForm, type Form, parseForm } from './form.ts'
import { API_VERSION } from './objects/events.ts'
import { readUpload } from './objects/files.ts'
import { type Call, checkPermission, findRoute } from './routes.ts'
import { sendEvents, type State, storeOf } from './state.ts'
import { type Change, type KeyRecord, randomText, Tx } from './store.ts'

const VERSION = /^\d{4}-\d\d-\d\d(\.\w+)?$/

/** Responds to a request to Stripe's API, unless a fault hits it. */
export async function answerRequest(state: State, request: TwinRequest): Promise<TwinReply | 'cut'> {
  if (request.method === 'OPTIONS' || isBrowserPath(request.path)) return browserReply(request)
  const requestId = `req_${randomText(14)}`
  const version = String(request.headers['stripe-version'] ?? API_VERSION)
  const headers = {
    'request-id': requestId,
    'stripe-version': version,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Request-Id',
  }
  try {
    const reply = await answer(state, request, requestId, version)
    return reply === 'cut' ? 'cut' : { ...reply, headers: { ...headers, ...reply.headers } }
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return { status: error.status, headers, body: errorBody(error, { requestId }) }
  }
}

interface Arrived {
  readonly request: TwinRequest
  readonly credentials: Credentials
  readonly account: string
  readonly form: Form
  readonly key: string | null
  readonly requestId: string
}

async function answer(
  state: State,
  request: TwinRequest,
  requestId: string,
  version: string,
): Promise<TwinReply | 'cut'> {
  const credentials = authenticate(request.headers)
  if (!VERSION.test(version)) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      message: `Invalid Stripe API version: ${version}`,
    })
  }
  const isUpload = request.path === '/v1/files' && request.method === 'POST'
  const source = request.method === 'POST' ? request.body.toString() : request.query.toString()
  const form = isUpload ? {} : parseForm(source)
  const given = request.headers['idempotency-key']
  const key = request.method === 'POST' && typeof given === 'string' && given !== '' ? given : null
  const account = `${credentials.account}:${credentials.livemode ? 'live' : 'test'}`
  const arrived: Arrived = { request, credentials, account, form, key, requestId }
  const target = `${request.method} ${request.path}`
  const { faults } = state.context
  if (faults.strikes('rate_limit', target)) throw rateLimited()
  if (key === null) {
    await sleep(faults.latencyMs(target))
    return execute(state, arrived)
  }

  const saved = storeOf(state.accounts, account).keys.get(key)
  if (saved) {
    await state.books.flushed()
    return replay(saved, arrived)
  }
  const running = `${account} ${key}`
  if (state.running.has(running)) throw keyInUse(key)
  state.running.add(running)
  try {
    await sleep(faults.latencyMs(target))
    return await execute(state, arrived)
  } finally {
    state.running.delete(running)
  }
}

function replay(saved: KeyRecord, { request, form, key, requestId }: Arrived): TwinReply {
  if (saved.path !== request.path) {
    throw idempotencyError(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${request.path}' vs '${saved.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  }
  if (saved.params !== paramsOf(request, form)) {
    throw idempotencyError(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  }
  const headers = {
    'idempotent-replayed': 'true',
    'original-request': saved.requestId,
    'request-id': requestId,
  }
  return { status: saved.status, headers: { ...headers, 'idempotency-key': key ?? '' }, body: saved.body }
}

function paramsOf(request: TwinRequest, form: Form): string {
  return request.path === '/v1/files' ? String(request.body.length) : canonicalForm(form)
}

function idempotencyError(message: string): StripeError {
  return new StripeError(400, { type: 'idempotency_error', message })
}

function keyInUse(key: string): StripeError {
  return new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
}

function rateLimited(): StripeError {
  return new StripeError(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded.',
  })
}

/** Responds only once the request's changes and its key are on disk together. */
async function execute(state: State, arrived: Arrived): Promise<TwinReply | 'cut'> {
  const { request, key, requestId, account } = arrived
  const { faults, clock } = state.context
  const target = `${request.method} ${request.path}`
  const upload =
    target === 'POST /v1/files'
      ? await readUpload(request.body, String(request.headers['content-type']))
      : null
  const tx = new Tx(storeOf(state.accounts, account), {
    now: clock.seconds(),
    livemode: arrived.credentials.livemode,
    key,
    requestId,
  })
  const fails = faults.strikes('fail_before', target)
  const outcome = fails ? failed(apiError(), requestId) : run(tx, arrived, upload)
  const breaks = !fails && faults.strikes('fail_after', target)
  const reply = breaks ? failed(apiError(), requestId) : outcome
  if (outcome.commits) tx.commit()
  const puts = outcome.commits ? tx.puts : []
  const isKept = key !== null && reply.isKept
  if (puts.length > 0 || isKept) await keep(state, arrived, tx, { puts, reply: isKept ? reply : null })
  else await state.books.flushed()
  if (outcome.commits) sendEvents(state, account, tx)
  if (!fails && !breaks && faults.strikes('lose_answer', target)) return 'cut'
  return {
    status: reply.status,
    body: reply.body,
    ...(key !== null && { headers: { 'idempotency-key': key } }),
  }
}

interface Outcome {
  readonly status: number
  readonly body: string
  readonly commits: boolean
  readonly isKept: boolean
}

async function keep(
  state: State,
  { account, key, form, request, requestId }: Arrived,
  tx: Tx,
  { puts, reply }: { puts: Change['puts']; reply: Outcome | null },
): Promise<void> {
  const change: Change = { account, ...(puts && puts.length > 0 && { puts }) }
  const moved = puts && puts.length > 0 ? tx.movements : []
  if (key === null || reply === null) return state.books.record(change, moved)
  const record: KeyRecord = {
    path: request.path,
    params: paramsOf(request, form),
    status: reply.status,
    body: reply.body,
    requestId,
    savedAt: tx.now,
  }
  storeOf(state.accounts, account).keys.set(key, record)
  return state.books.record({ ...change, key: [key, record] }, moved)
}

function failed(error: StripeError, requestId: string): Outcome {
  return {
    status: error.status,
    body: errorBody(error, { requestId }),
    commits: error.commits,
    isKept: error.isKept,
  }
}

function run(tx: Tx, { request, form, credentials, requestId }: Arrived, upload: Call['upload']): Outcome {
  try {
    const found = findRoute(request.method, request.path)
    if (found === undefined) throw unrecognized(request)
    const call: Call = { tx, form, id: found.id, origin: request.origin, upload, credentials }
    checkPermission(found.route, call)
    const body = JSON.stringify(found.route.handle(call))
    return { status: 200, body, commits: true, isKept: true }
  } catch (error) {
    if (error instanceof StripeError) return failed(error, requestId)
    throw error
  }
}

function unrecognized({ method, path }: TwinRequest): StripeError {
  return new StripeError(
    404,
    { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` },
    { isKept: false },
  )
}
