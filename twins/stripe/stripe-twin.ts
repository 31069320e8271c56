import { openBooks } from '../common/books.ts'
import { ControlError, readObject, readText, readWhole } from '../common/control.ts'
import { jsonReply, type OpenTwin, type TwinReply, type TwinRequest } from '../common/server.ts'
import { type Challenge, challengeAnswered, challengePage } from './challenge-page.ts'
import { decimalOf } from './currency.ts'
import { missing } from './errors.ts'
import { createPayout, currenciesOf } from './objects/balance.ts'
import { answerChallenge } from './objects/payment-attempts.ts'
import { renewCard } from './objects/payment-methods.ts'
import { answerSetupChallenge } from './objects/setup-intents.ts'
import { answerRequest } from './requests.ts'
import { apply, changeAccount, pruneKeys, resendEvents, settleDue, type State } from './state.ts'
import type { AccountStore, Change } from './store.ts'

/** Stripe keeps keys at least this long (docs.stripe.com/api/idempotent_requests). */
const KEYS_KEPT_SECONDS = 24 * 3600
const SETTLING_INTERVAL_MS = 250

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
    handle: (request) =>
      request.path.startsWith('/challenge/')
        ? handleChallenge(state, request)
        : answerRequest(state, request),
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
