import { readFileSync } from 'node:fs'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acquirerData, countedRows, NEEDS_DATA } from '../common/acquirer-data.ts'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'
import { idOf } from './store.ts'
import { connectSdk } from './testing.ts'

interface Recording {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly request: string
  readonly stripe_version: string
  readonly status: number
  readonly answer: Json
}
type Json = { readonly [member: string]: unknown }

const FILE = acquirerData('stripe/recorded-answers.json')

/** Recordings of these are skipped and counted, because the twin does not model them. */
const NOT_MODELLED: readonly (readonly [reason: string, applies: (recording: Recording) => boolean])[] = [
  [
    'payment methods other than cards',
    ({ path, request }) => path === '/v1/payment_methods' && !request.includes('type=card'),
  ],
  ['Connect: charges for other accounts', ({ request }) => /transfer_data|application_fee/.test(request)],
  [
    'expansions that Stripe has removed since 2020 (invoice of a charge)',
    ({ path }) => path.includes('expand%5B%5D=invoice'),
  ],
]

/** Members of recorded answers that the twin leaves out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'payment_intent.charges': 'a list until version 2022-11-15, since then latest_charge',
  'payment_intent.invoice': 'invoices are not modelled, and newer versions have no such member',
  'payment_intent.payment_details': 'set by invoices only',
  'payment_intent.payment_method_options.*': 'methods other than cards',
  'setup_intent.payment_method_options.us_bank_account': 'methods other than cards',
  'charge.invoice': 'invoices are not modelled, and newer versions have no such member',
  'charge.application': 'Connect',
  'next_action.use_stripe_sdk.*': 'private to Stripe.js',
  'refund.destination_details.card.reference': 'appears days later',
}

/** Members of the SDK's types that the recordings, of older versions, lack. */
const NEWER = new Set([
  'payment_intent.allowed_payment_method_types', 'payment_intent.customer_account',
  'payment_intent.excluded_payment_method_types', 'payment_intent.managed_payments', 'payment_intent.payment_record',
  'payment_intent.amount_details', 'payment_intent.automatic_payment_methods', 'payment_intent.latest_charge', 'payment_intent.processing',
  'payment_intent.payment_method_configuration_details',
  'setup_intent.allowed_payment_method_types',
  'setup_intent.latest_attempt',
  'setup_intent.payment_method_options.card.mandate_options',
  'setup_intent.payment_method_options.card.network', 'setup_intent.customer_account', 'setup_intent.automatic_payment_methods',
  'setup_intent.excluded_payment_method_types', 'setup_intent.flow_directions',
  'setup_intent.payment_method_configuration_details',
  'payment_method.allow_redisplay', 'payment_method.customer_account', 'payment_method.billing_details.tax_id',
  'payment_method.card.display_brand', 'payment_method.card.regulated_status',
  'charge.payment_method_details.card.electronic_commerce_indicator',
  'refund.customer', 'refund.customer_account', 'refund.payment_method',
]) // prettier-ignore

function readRecordings(): Recording[] {
  if (FILE === undefined) return []
  // The recorder mistook "client_secret" for a secret of another service.
  const text = readFileSync(FILE, 'utf8').replaceAll('client_<PADDLE_API_KEY>', 'client_secret')
  return JSON.parse(text) as Recording[]
}

const recordings = readRecordings()
const modelled = recordings.filter((recording) => !NOT_MODELLED.some(([, applies]) => applies(recording)))

let twin: TwinProcess
let stripe: Stripe
let customer: string

beforeAll(async () => {
  twin = await startTwin('stripe')
  stripe = connectSdk(twin)
  customer = (await stripe.customers.create({ name: 'Ann Lee' })).id
})
afterAll(() => twin.stop())

/** Replaces recorded ids by those of the twin's objects in the same state. */
async function translate({
  path,
  request,
  answer,
  status,
}: Recording): Promise<{ path: string; body: string }> {
  const body = new URLSearchParams(request)
  if (body.has('customer')) body.set('customer', customer)
  if (body.has('payment_method'))
    body.set('payment_method', await method(answer.status === 'requires_action'))
  if (body.has('charge')) body.set('charge', (await paidIntent({ amount: 9000 })).charge)
  if (!body.has('return_url') && body.get('confirm') === 'true') body.append('payment_method_types[]', 'card')
  const [, kind, id = ''] = /\/((?:pi|ch)_)(\w+)/.exec(path) ?? []
  if (kind === undefined) return { path, body: body.toString() }
  const made = await paidIntent({
    amount: Number(answer.amount),
    manual: path.endsWith('/capture'),
    captured: JSON.stringify(answer).includes('"capture_before"'),
    challenged: answer.status === 'requires_action',
    redirected: JSON.stringify(answer).includes('"redirect_to_url"'),
    ...(status === 200 && { automatic: answer.automatic_payment_methods !== null }),
  })
  return { path: path.replace(kind + id, kind === 'pi_' ? made.intent : made.charge), body: body.toString() }
}

async function method(challenged: boolean): Promise<string> {
  const name = challenged ? 'pm_card_authenticationRequired' : 'pm_card_visa'
  return (await stripe.paymentMethods.attach(name, { customer })).id
}

interface Wanted {
  readonly amount: number
  readonly manual?: boolean
  /** Authorized first, and captured later. */
  readonly captured?: boolean
  readonly challenged?: boolean
  readonly redirected?: boolean
  readonly automatic?: boolean
}

async function paidIntent(wanted: Wanted) {
  const { manual = false, captured = false, challenged = false, redirected = true, automatic = true } = wanted
  const withUrl = redirected || !challenged
  const intent = await stripe.paymentIntents.create({
    amount: wanted.amount,
    currency: 'usd',
    customer,
    payment_method: await method(challenged),
    confirm: true,
    capture_method: manual || captured ? 'manual' : 'automatic',
    ...(withUrl && { return_url: 'https://shop.example/' }),
    ...(!(automatic && withUrl) && { payment_method_types: ['card'] }),
  })
  if (captured && !manual) await stripe.paymentIntents.capture(intent.id)
  return { intent: intent.id, charge: idOf(intent.latest_charge) ?? '' }
}

async function replay(recording: Recording): Promise<{ status: number; answer: Json }> {
  const { path, body } = await translate(recording)
  const key = recording.status === 401 ? 'sk_test_refused' : 'sk_test_shop'
  const reply = await fetch(twin.url + path, {
    method: recording.method,
    headers: { authorization: `Bearer ${key}`, 'stripe-version': recording.stripe_version },
    ...(recording.method === 'post' && { body: new URLSearchParams(body) }),
  })
  return { status: reply.status, answer: (await reply.json()) as Json }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isLeftOut(path: string): boolean {
  return Object.keys(LEFT_OUT).some((known) =>
    known.endsWith('.*')
      ? path.includes(known.slice(0, -1)) && path !== 'payment_intent.payment_method_options.card'
      : path === known,
  )
}

/** Members that only one has, or that differ in type. Null matches any type. */
function differences(recorded: unknown, answered: unknown, path: string): string[] {
  if (recorded === null || answered === null) return []
  if (Array.isArray(recorded) && Array.isArray(answered)) {
    return recorded.length > 0 && answered.length > 0 ? differences(recorded[0], answered[0], path) : []
  }
  if (isObject(recorded) && isObject(answered)) {
    const at = typeof recorded.object === 'string' && recorded.object !== 'list' ? recorded.object : path
    return [...new Set([...Object.keys(recorded), ...Object.keys(answered)])].flatMap((name) => {
      const member = `${at}.${name}`
      if (isLeftOut(member)) return []
      if (!(name in answered)) return [`${member} is missing`]
      if (!(name in recorded)) return NEWER.has(member) ? [] : [`${member} is not recorded`]
      return differences(recorded[name], answered[name], member)
    })
  }
  const [left, right] = [kindOf(recorded), kindOf(answered)]
  return left === right ? [] : [`${path} is ${right}, recorded as ${left}`]
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

describe.skipIf(FILE === undefined)(`recorded answers of Stripe ${NEEDS_DATA}`, () => {
  test('most recordings are modelled', () => {
    expect(recordings).toHaveLength(158)
  })

  const rows = modelled.map((recording): [string, Recording] => [
    `${recording.name}: ${recording.method} ${recording.path} (${recording.stripe_version})`,
    recording,
  ])
  test.each(countedRows(rows, 141))('%s', async (_title, recording) => {
    const { status, answer } = await replay(recording)
    expect([status, summary(answer)]).toEqual([recording.status, summary(recording.answer)])
    if (status === 200) expect(differences(recording.answer, answer, '')).toEqual([])
  })
})

/** The members that clients act on. */
function summary(answer: Json): unknown {
  if (!isObject(answer.error)) return { object: answer.object, status: answer.status, amount: answer.amount }
  const { type, code, decline_code, param } = answer.error
  return { type, code, decline_code, param }
}
