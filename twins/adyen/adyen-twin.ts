import { setTimeout as sleep } from 'node:timers/promises'
import { openBooks } from '../common/books.ts'
import { jsonReply, type Twin, type TwinContext, type TwinReply, type TwinRequest } from '../common/server.ts'
import {
  challengePage,
  componentScript,
  componentStyle,
  decideChallenge,
  unknownChallenge,
} from './browser.ts'
import { controlOf } from './control.ts'
import { Desk, newPspReference } from './desk.ts'
import { endDefensePeriods } from './disputes.ts'
import {
  alreadyInProgress,
  internalError,
  malformed,
  notFound,
  ServiceError,
  tooManyRequests,
  unauthorized,
} from './errors.ts'
import { type Event, Model, type Notice, type StoredReply } from './model.ts'
import { signed } from './notices.ts'
import { continueWaiting } from './payments.ts'
import { type Route, routeOf } from './routes.ts'
import { reportOf } from './settlement-report.ts'

/** How often the twin checks for work that is due. */
const TICK_MS = 250
const MAX_KEY_LENGTH = 64
const REPORT = /^\/reports\/download\/MerchantAccount\/([^/]+)\/([\w.]+)$/

/** Adyen's Checkout v72, Disputes v30, webhooks and settlement reports, written from its OpenAPI descriptions and documentation. */
export async function openAdyenTwin({ directory, clock, faults, notices }: TwinContext): Promise<Twin> {
  const model = new Model()
  const books = await openBooks<readonly Event[]>(directory, (events) => {
    for (const event of events) model.apply(event)
  })
  const inProgress = new Set<string>()
  const nowMs = (): number => Date.parse(clock.iso())

  /** Applies one change to the model and stores it. Its result and its notices leave only afterwards. */
  async function change<Result>(work: (desk: Desk) => Result): Promise<Result> {
    const desk = new Desk(model, nowMs(), (account) => notices.wants(account))
    const result = work(desk)
    if (desk.events.length === 0) await books.flushed()
    else await books.record(desk.events, desk.movements)
    for (const event of desk.events) if (event.type === 'notice') send(event.notice)
    return result
  }

  function send(notice: Notice): void {
    notices.send(notice.merchantAccount, signed(notice), () => {
      change((desk) => desk.push({ type: 'delivered', id: notice.id })).catch(() => {})
    })
  }

  const continueDue = (): Promise<void> =>
    change((desk) => {
      continueWaiting(desk)
      endDefensePeriods(desk)
    })

  async function answerOf(request: TwinRequest, key: string | undefined): Promise<StoredReply> {
    const route = routeOf(request)
    if (key === undefined || request.method !== 'POST') return change(route)
    if (key.length > MAX_KEY_LENGTH) throw malformed('The idempotency key is too long')
    const earlier = model.answerTo(key, nowMs())
    if (earlier !== undefined) {
      await books.flushed()
      return earlier
    }
    return change(keepingAnswer(route, key))
  }

  async function handleApi(request: TwinRequest, key: string | undefined): Promise<StoredReply | 'cut'> {
    const target = `${request.method} ${request.path}`
    if (faults.strikes('rate_limit', target)) throw tooManyRequests()
    if (faults.strikes('fail_before', target)) throw internalError()
    await sleep(faults.latencyMs(target))
    const answer = await answerOf(request, key)
    if (faults.strikes('lose_answer', target)) return 'cut'
    if (faults.strikes('fail_after', target)) throw internalError()
    return answer
  }

  /** A second request under a key whose first one has no response yet gets Adyen's error 704. */
  async function alone(request: TwinRequest, key: string | undefined): Promise<StoredReply | 'cut'> {
    if (key === undefined) return handleApi(request, key)
    if (inProgress.has(key)) throw alreadyInProgress()
    inProgress.add(key)
    try {
      return await handleApi(request, key)
    } finally {
      inProgress.delete(key)
    }
  }

  function report(path: string): TwinReply | null {
    const [, account, fileName] = REPORT.exec(path) ?? []
    if (account === undefined || fileName === undefined) return null
    const csv = reportOf(model, decodeURIComponent(account), fileName)
    if (csv === null) throw notFound()
    return { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: csv }
  }

  async function handle(request: TwinRequest): Promise<TwinReply | 'cut'> {
    if (request.path.startsWith('/checkoutshopper/')) return browse(request)
    const pspReference = newPspReference()
    const key = headerOf(request, 'idempotency-key')
    const headers = { pspreference: pspReference, ...(key !== undefined && { 'idempotency-key': key }) }
    try {
      const apiKey = headerOf(request, 'x-api-key')
      if (apiKey === undefined || apiKey === '' || apiKey.includes('refused')) throw unauthorized()
      const file = report(request.path)
      if (file !== null) return file
      const answer = await alone(request, key)
      if (answer === 'cut') return 'cut'
      return answer.status === 204
        ? { status: 204, headers, body: '' }
        : jsonReply(answer.status, answer.body, headers)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { status, errorCode, message, errorType, transient } = error
      const body = { status, errorCode, message, errorType, pspReference }
      return jsonReply(status, body, { ...headers, ...(transient && { 'transient-error': 'true' }) })
    }
  }

  /** Requests of a shopper's browser. */
  async function browse(request: TwinRequest): Promise<TwinReply> {
    if (request.path.endsWith('/adyen.js')) return componentScript()
    if (request.path.endsWith('/adyen.css')) return componentStyle()
    const secret = request.query.get('MD') ?? ''
    const payment = model.redirected(secret)
    if (payment === undefined || payment.redirect?.page !== secret) return unknownChallenge()
    if (request.method !== 'POST') return challengePage(payment)
    const decision = new URLSearchParams(request.body.toString()).get('decision')
    return change((desk) => decideChallenge(desk, payment, decision === 'approve'))
  }

  for (const notice of model.undelivered.values()) send(notice)
  await continueDue()
  const ticks = setInterval(() => {
    if (model.waiting.size > 0) continueDue().catch(() => {})
  }, TICK_MS)

  return {
    books,
    handle,
    control: async (request) => {
      const control = controlOf(request)
      return control === undefined ? undefined : jsonReply(200, await change(control))
    },
    pruneKeys: () => change((desk) => desk.push({ type: 'keys_pruned' })),
    clockAdvanced: continueDue,
    close: async () => {
      clearInterval(ticks)
      await books.close()
    },
  }
}

function keepingAnswer(route: Route, key: string): Route {
  return (desk) => {
    const answer = route(desk)
    desk.push({ type: 'answer', key, answer, atMs: desk.nowMs })
    return answer
  }
}

function headerOf(request: TwinRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
