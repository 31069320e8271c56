import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBooks } from '../common/books.ts'
import { jsonReply, type OpenTwin, type TwinReply, type TwinRequest } from '../common/server.ts'
import { Body } from './body.ts'
import { browserReply, clientSecretOf, isBrowserRequest } from './browser.ts'
import type { Call } from './call.ts'
import { control } from './control.ts'
import { Credentials, headerOf } from './credentials.ts'
import { expireConsent } from './customers.ts'
import { expireDispute } from './disputes.ts'
import { ApiError, duplicateRequest, internalError, invalid, tooMany, unauthorized } from './errors.ts'
import { expireIntent } from './intents.ts'
import { actByItself, answerAsPayer, findAsked, payerPage, payerPageGone, sendBack } from './payer.ts'
import { continueRefund } from './refunds.ts'
import { findRoute, type Route } from './routes.ts'
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts'
import { AccountStore, type Answered, type Change, type Notice, randomText, timeText, Tx } from './store.ts'

const TICK_MS = 250
const MAX_REQUEST_ID = 64
const VERSION = /^\d{4}-\d\d-\d\d$/
const DEFAULT_VERSION = '2025-06-30'

interface Outcome {
  readonly status: number
  readonly body: string
  readonly commits: boolean
}

/** Opens the twin of Airwallex on its books. */
export const openAirwallexTwin: OpenTwin = async ({ directory, clock, faults, notices }) => {
  const accounts = new Map<string, AccountStore>()
  const credentials = new Credentials()
  let settings = DEFAULT_SETTINGS

  const storeOf = (account: string): AccountStore => {
    let store = accounts.get(account)
    if (store === undefined) accounts.set(account, (store = new AccountStore(account)))
    return store
  }
  const apply = (entry: Change): void => {
    if (entry.settings !== undefined) settings = entry.settings as Settings
    if (entry.prunesKeys) for (const store of accounts.values()) store.answered.clear()
    if (entry.account === undefined) return
    const store = storeOf(entry.account)
    for (const [name, row] of entry.puts ?? []) store.put(name, row)
    if (entry.answered) store.answered.set(...entry.answered)
  }
  const books = await openBooks<Change>(directory, apply)

  const newTx = (account: string): Tx => new Tx(storeOf(account), clock.seconds(), notices.wants(account))

  function sendNotices(account: string, tx: Tx): void {
    for (const [name, { object }] of tx.puts) if (name === 'notice') send(account, object as Notice)
  }

  function send(account: string, notice: Notice): void {
    const { id, name, object, created_at } = notice
    const body = JSON.stringify({
      id,
      name,
      [settings.notice_account]: account,
      data: { object },
      created_at,
      version: DEFAULT_VERSION,
    })
    notices.send(
      account,
      (secret) => signed(body, secret),
      () => {
        const row = { object: { ...notice, delivered: true }, hidden: {} }
        storeOf(account).put('notice', row)
        books.record({ account, puts: [['notice', row]] }).catch(() => {})
      },
      (status) => status === 200,
    )
  }

  /** A change without a client's request: what is due, control routes, the payer's page. */
  async function change<Result>(account: string, work: (tx: Tx) => Result): Promise<Result> {
    const tx = newTx(account)
    const result = work(tx)
    tx.commit()
    if (tx.puts.length > 0) await books.record({ account, puts: tx.puts }, tx.movements)
    sendNotices(account, tx)
    return result
  }

  async function doDue(): Promise<void> {
    const now = clock.seconds()
    for (const [account, store] of accounts) {
      for (const [id, table] of store.due) {
        const row = store.rows(table).get(id)
        if (row?.hidden.dueAt === undefined || row.hidden.dueAt > now) continue
        const isAsked = row.hidden.wallet !== undefined && settings.payer_seconds > 0
        await change(account, (tx) => {
          if (isAsked) actByItself(callOf(tx, id, ''), id)
          if (table === 'intent') expireIntent(tx, id)
          else if (table === 'consent') expireConsent(tx, id)
          else if (table === 'refund') continueRefund(tx, id)
          else if (table === 'dispute') expireDispute(tx, id)
        })
      }
    }
  }

  async function answer(request: TwinRequest): Promise<TwinReply | 'cut'> {
    const target = `${request.method} ${request.path}`
    if (faults.strikes('rate_limit', target)) throw tooMany()
    await sleep(faults.latencyMs(target))
    if (target === 'POST /api/v1/authentication/login') return login(request, target)
    const { route, id } = findRoute(request.method, request.path)
    const account = accountOf(request, id)
    const version = headerOf(request.headers, 'x-api-version') || DEFAULT_VERSION
    if (!VERSION.test(version)) throw invalid('x-api-version', 'is not a version')
    const isUpload = request.path.endsWith('/files/upload')
    const upload = isUpload ? await readUpload(request) : null
    const body = request.method === 'POST' && !isUpload ? Body.parse(request.body.toString()) : new Body({})
    const requestId = route.repeats ? body.required('request_id', MAX_REQUEST_ID) : ''
    const key = `${request.path} ${requestId}`
    const earlier = route.repeats ? storeOf(account).answered.get(key) : undefined
    if (earlier !== undefined) {
      await books.flushed()
      if (settings.repeated_requests === 'duplicate') throw duplicateRequest()
      return earlier
    }
    if (faults.strikes('fail_before', target)) throw internalError()
    const tx = newTx(account)
    const call: Call = {
      tx,
      id,
      body,
      query: request.query,
      requestId,
      origin: request.origin,
      settings,
      upload,
    }
    const outcome = run(route, call)
    await keep(account, tx, outcome, route.repeats ? key : null)
    if (faults.strikes('fail_after', target)) throw internalError()
    if (faults.strikes('lose_answer', target)) return 'cut'
    return { status: outcome.status, body: outcome.body }
  }

  async function keep(account: string, tx: Tx, outcome: Outcome, key: string | null): Promise<void> {
    if (outcome.commits) tx.commit()
    const puts = outcome.commits ? tx.puts : []
    const answered: Answered = { status: outcome.status, body: outcome.body }
    // A request that was refused for its form can be sent again, corrected, under its id.
    const isKept = key !== null && !outcome.body.includes('"validation_error"')
    if (isKept) storeOf(account).answered.set(key, answered)
    if (puts.length === 0 && !isKept) return books.flushed()
    await books.record(
      { account, ...(puts.length > 0 && { puts }), ...(isKept && { answered: [key, answered] }) },
      puts.length > 0 ? tx.movements : [],
    )
    if (outcome.commits) sendNotices(account, tx)
  }

  function accountOf(request: TwinRequest, id: string): string {
    const secret = clientSecretOf(request)
    if (secret === null) return credentials.accountOf(request.headers, clock.seconds())
    for (const [account, store] of accounts) {
      if (store.rows('intent').get(id)?.object.client_secret === secret) return account
    }
    throw unauthorized()
  }

  function login(request: TwinRequest, target: string): TwinReply | 'cut' {
    if (faults.strikes('fail_before', target)) throw internalError()
    const { token, endsAt } = credentials.login(request.headers, clock.seconds(), settings.token_seconds)
    if (faults.strikes('lose_answer', target)) return 'cut'
    return jsonReply(201, { token, expires_at: timeText(endsAt) })
  }

  const callOf = (tx: Tx, id: string, origin: string): Call => {
    const query = new URLSearchParams()
    return { tx, id, origin, settings, query, body: new Body({}), requestId: '', upload: null }
  }

  async function payer(request: TwinRequest): Promise<TwinReply> {
    const id = request.path.split('/')[2] ?? ''
    const asked = findAsked(accounts, id, request.query.get('secret') ?? '')
    if (asked === undefined) return payerPageGone()
    const decision = new URLSearchParams(request.body.toString()).get('answer')
    if (request.method !== 'POST' || decision === null) return payerPage(id)
    await change(asked.account, (tx) => {
      answerAsPayer(callOf(tx, id, request.origin), id, decision === 'approve')
    })
    return sendBack(asked)
  }

  async function handle(request: TwinRequest): Promise<TwinReply | 'cut'> {
    if (isBrowserRequest(request)) return browserReply(request)
    if (request.path.startsWith('/payer/')) return payer(request)
    const headers = { 'access-control-allow-origin': '*' }
    try {
      const reply = await answer(request)
      return reply === 'cut' ? 'cut' : { ...reply, headers: { ...headers, ...reply.headers } }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ...failed(error), headers }
    }
  }

  for (const [account, store] of accounts) {
    for (const id of store.undelivered) {
      const row = store.rows('notice').get(id)
      if (row !== undefined) send(account, row.object)
    }
  }
  const timer = setInterval(() => void doDue(), TICK_MS)
  timer.unref()

  return {
    books,
    handle,
    control: (request) =>
      control(request, {
        accounts,
        change,
        settings: () => settings,
        putSettings: async (given) => {
          settings = readSettings(settings, given)
          await books.record({ settings })
          return settings
        },
        logins: () => credentials.logins,
        endTokens: () => credentials.endTokens(),
      }),
    pruneKeys: async () => {
      apply({ prunesKeys: true })
      await books.record({ prunesKeys: true })
    },
    clockAdvanced: doDue,
    close: async () => {
      clearInterval(timer)
      await books.close()
    },
  }
}

function run(route: Route, call: Call): Outcome {
  try {
    return { status: route.status, body: JSON.stringify(route.handle(call)), commits: true }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...failed(error, call.settings), commits: error.commits }
  }
}

function failed(
  { status, code, message, source, details }: ApiError,
  { decline_code_in: place }: Settings = DEFAULT_SETTINGS,
): { status: number; body: string } {
  const original = details?.original_response_code
  const body = {
    code,
    message,
    ...(source !== undefined && { source }),
    ...(details !== undefined && place === 'details' && { details }),
    ...(original !== undefined && place === 'body' && { provider_original_response_code: original }),
    trace_id: randomText(16),
  }
  return { status, body: JSON.stringify(body) }
}

function signed(body: string, secret: string) {
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', secret).update(timestamp).update(body).digest('hex')
  return {
    headers: { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature },
    body,
  }
}

async function readUpload({ body, headers }: TwinRequest): Promise<{ name: string; content: Buffer }> {
  const type = String(headers['content-type'])
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw invalid('file', 'must be sent as multipart/form-data')
    })
  const file = form.get('file')
  if (file === null || typeof file === 'string') throw invalid('file', 'must be a file')
  return { name: file.name, content: Buffer.from(await file.arrayBuffer()) }
}
