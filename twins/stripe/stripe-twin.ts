import { setTimeout as sleep } from 'node:timers/promises'
import { type Books, openBooks } from '../common/books.ts'
import { ControlError, readObject, readText, readWhole } from '../common/control.ts'
import {
  jsonReply,
  type OpenTwin,
  type TwinContext,
  type TwinReply,
  type TwinRequest,
} from '../common/server.ts'
import { browserReply, isBrowserPath } from './browser/serve.ts'
import { type Challenge, challengeAnswered, challengePage } from './challenge-page.ts'
import { authenticate, type Credentials } from './credentials.ts'
import { decimalOf } from './currency.ts'
import { apiError, errorBody, missing, StripeError } from './errors.ts'
import { canonicalForm, type Form, parseForm } from './form.ts'
import { createPayout, currenciesOf } from './objects/balance.ts'
import { API_VERSION, signedNotice } from './objects/events.ts'
import { readUpload } from './objects/files.ts'
import { answerChallenge, settleIntent } from './objects/payment-attempts.ts'
import { renewCard } from './objects/payment-methods.ts'
import { settleRefund } from './objects/refunds.ts'
import { answerSetupChallenge } from './objects/setup-intents.ts'
import { type Call, checkPermission, findRoute } from './routes.ts'
import { AccountStore, type Change, type KeyRecord, randomText, Tx } from './store.ts'

interface State {
  readonly context: TwinContext
  readonly books: Books<Change>
  /** By account and mode: `acct_…:test`. */
  readonly accounts: Map<string, AccountStore>
  /** Keys whose first request has not been answered yet. */
  readonly running: Set<string>
}

/** Stripe keeps keys at least this long (docs.stripe.com/api/idempotent_requests). */
const KEYS_KEPT_SECONDS = 24 * 3600
const SETTLING_INTERVAL_MS = 250
const VERSION = /^\d{4}-\d\d-\d\d(\.\w+)?$/

/** Opens the twin of Stripe on its books. */
export const openStripeTwin: OpenTwin = async (context) => {
  const accounts = new Map<string, AccountStore>()
  const books = await openBooks<Change>(context.directory, (change) => apply(accounts, change))
  const state: State = { context, books, accounts, running: new Set() }
  resendEvents(state)
  const timer = setInterval(() => void settleDue(state), SETTLING_INTERVAL_MS)
  timer.unref()
  return {
    books,
    handle: (request) => handle(state, request),
    control: (request) => control(state, request),
    pruneKeys: () => pruneKeys(state, Infinity),
    clockAdvanced: async () => {
      await pruneKeys(state, context.clock.seconds() - KEYS_KEPT_SECONDS)
      await settleDue(state)
    },
    close: async () => {
      clearInterval(timer)
      await books.close()
    },
  }
}

function apply(accounts: Map<string, AccountStore>, change: Change): void {
  if (change.prunedBefore !== undefined) {
    for (const store of accounts.values()) forgetKeys(store, change.prunedBefore)
    return
  }
  const store = storeOf(accounts, change.account ?? '')
  for (const [name, row] of change.puts ?? []) store.put(name, row)
  if (change.key) store.keys.set(...change.key)
}

function storeOf(accounts: Map<string, AccountStore>, name: string): AccountStore {
  const existing = accounts.get(name)
  if (existing) return existing
  const store = new AccountStore(name.split(':')[0] ?? name)
  accounts.set(name, store)
  return store
}

function forgetKeys(store: AccountStore, savedBefore: number): void {
  for (const [key, { savedAt }] of store.keys) if (savedAt < savedBefore) store.keys.delete(key)
}

async function pruneKeys({ accounts, books }: State, before: number): Promise<void> {
  const prunedBefore = Math.min(before, Number.MAX_SAFE_INTEGER)
  for (const store of accounts.values()) forgetKeys(store, prunedBefore)
  await books.record({ prunedBefore })
}

async function handle(state: State, request: TwinRequest): Promise<TwinReply | 'cut'> {
  if (request.path.startsWith('/challenge/')) return handleChallenge(state, request)
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

/** Runs the request, puts what it changed on disk together with its key, and only then answers. */
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

function run(
  tx: Tx,
  { request, form, origin, credentials, requestId }: Arrived & { origin?: string },
  upload: Call['upload'],
): Outcome {
  try {
    const found = findRoute(request.method, request.path)
    if (found === undefined) throw unrecognized(request)
    const call: Call = { tx, form, id: found.id, origin: origin ?? request.origin, upload, credentials }
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

/** Changes that no client asked for: due settlements, control routes, answered challenges. */
async function changeAccount<T>(state: State, name: string, change: (tx: Tx) => T): Promise<T> {
  const { accounts, books, context } = state
  const tx = new Tx(storeOf(accounts, name), {
    now: context.clock.seconds(),
    livemode: name.endsWith(':live'),
    key: null,
    requestId: `req_${randomText(14)}`,
  })
  const result = change(tx)
  tx.commit()
  if (tx.puts.length > 0) await books.record({ account: name, puts: tx.puts }, tx.movements)
  sendEvents(state, name, tx)
  return result
}

async function settleDue(state: State): Promise<void> {
  const now = state.context.clock.seconds()
  for (const [name, store] of state.accounts) {
    const due = [...store.due].filter(
      ([id, table]) => (store.row(table, id)?.hidden.dueAt ?? Infinity) <= now,
    )
    for (const [id, table] of due) {
      await changeAccount(state, name, (tx) =>
        table === 'refund' ? settleRefund(tx, id) : settleIntent(tx, id),
      )
    }
  }
}

function sendEvents(state: State, name: string, tx: Tx): void {
  for (const [table, { object }] of tx.puts) if (table === 'event') sendEvent(state, name, object.id)
}

function sendEvent({ context, accounts, books }: State, name: string, id: string): void {
  const store = storeOf(accounts, name)
  const row = store.row('event', id)
  if (row === undefined || !context.notices.wants(store.id)) return
  const { object: event } = row
  context.notices.send(
    store.id,
    (secret) => signedNotice(event, secret, Math.floor(Date.now() / 1000)),
    () => {
      row.object = { ...event, pending_webhooks: 0 }
      books.record({ account: name, puts: [['event', row]] }).catch(() => {})
    },
  )
}

/** After a kill, what was not delivered is sent again, as Stripe would. */
function resendEvents(state: State): void {
  for (const [name, store] of state.accounts) {
    for (const [id, { object }] of store.table('event').rows) {
      if (object.pending_webhooks > 0) sendEvent(state, name, id)
    }
  }
}

async function handleChallenge(state: State, request: TwinRequest): Promise<TwinReply> {
  const id = request.path.split('/')[2] ?? ''
  const form = new URLSearchParams(request.body.toString())
  const secret = (request.method === 'POST' ? form : request.query).get('client_secret') ?? ''
  const found = findChallenge(state, id, secret)
  if (found === undefined)
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'No such challenge' }
  if (request.method !== 'POST') return challengePage(found.challenge)
  const approved = form.get('answer') === 'approve'
  await changeAccount(state, found.account, (tx) =>
    found.challenge.kind === 'payment_intent'
      ? answerChallenge(tx, id, approved, request.origin)
      : answerSetupChallenge(tx, id, approved, request.origin),
  )
  return challengeAnswered(found.challenge, approved)
}

function findChallenge(
  state: State,
  id: string,
  secret: string,
): { account: string; challenge: Challenge } | undefined {
  for (const [account, store] of state.accounts) {
    const payment = store.row('payment_intent', id)
    const setup = store.row('setup_intent', id)
    const row = payment ?? setup
    if (row === undefined || row.object.client_secret !== secret) continue
    const amount =
      payment &&
      `${decimalOf(payment.object.amount, payment.object.currency)} ${payment.object.currency.toUpperCase()}`
    const challenge: Challenge = {
      kind: payment ? 'payment_intent' : 'setup_intent',
      id,
      clientSecret: secret,
      amount: amount ?? null,
      returnUrl: row.hidden.returnUrl ?? null,
    }
    return { account, challenge }
  }
  return undefined
}

/** POST /_twin/payout {currency?} pays out everything; POST /_twin/card_update {payment_method, …} renews a card. */
async function control(state: State, request: TwinRequest): Promise<TwinReply | undefined> {
  const text = request.body.toString()
  if (request.method !== 'POST') return undefined
  if (request.path === '/_twin/payout') {
    const only = readText(readObject(text, ['currency']), 'currency')?.toLowerCase()
    const payouts: object[] = []
    for (const name of state.accounts.keys()) {
      const made = await changeAccount(state, name, (tx) =>
        currenciesOf(tx)
          .filter((currency) => only === undefined || only === currency)
          .flatMap((currency) => createPayout(tx, currency) ?? []),
      )
      payouts.push(...made)
    }
    return jsonReply(200, { payouts })
  }
  if (request.path === '/_twin/card_update') {
    const body = readObject(text, ['payment_method', 'last4', 'exp_month', 'exp_year'])
    const id = readText(body, 'payment_method') ?? ''
    const [name] = [...state.accounts].find(([, store]) => store.row('payment_method', id)) ?? []
    if (name === undefined) throw new ControlError(missing('PaymentMethod', id, 'payment_method').message)
    const last4 = readText(body, 'last4')
    const month = readWhole(body, 'exp_month', 12)
    const year = readWhole(body, 'exp_year', 2100)
    const renewal = { ...(last4 && { last4 }), ...(month && { month }), ...(year && { year }) }
    return jsonReply(200, await changeAccount(state, name, (tx) => renewCard(tx, id, renewal)))
  }
  return undefined
}
