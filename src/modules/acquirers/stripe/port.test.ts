import { afterAll, beforeAll } from 'vitest'
import { startTwin, type TwinProcess } from '../../../../twins/common/twin-process.ts'
import type { Instrument } from '../port/port.ts'
import { describePort } from '../testing/port-suite.ts'
import { stripeAdapter } from './index.ts'

// Proves reference/acquirers#outcomes.
let twin: TwinProcess
let acquirer: ReturnType<typeof stripeAdapter.connect>

beforeAll(async () => {
  twin = await startTwin('stripe')
  acquirer = stripeAdapter.connect(
    {
      environment: 'test',
      credentials: {
        secret_key: 'sk_test_port',
        publishable_key: 'pk_test_port',
        webhook_secret: 'whsec_port',
      },
      apiBase: twin.url,
      statementDescriptor: 'PORT',
      merchantId: 'acct_port',
    },
    { connect: {}, findNotices: async () => [] },
  )
})
afterAll(async () => {
  await acquirer.disconnect()
  await twin.stop()
})

const token = (name: string): Instrument => ({
  type: 'acquirer_token',
  id: `pm_card_${name}`,
  payerReference: null,
})

describePort('the twin of Stripe', {
  connect: async () => acquirer,
  books: () => twin.books(),
  setFaults: (faults) => twin.setFaults(faults),
  instruments: {
    approves: token('visa'),
    declinesSoft: token('visa_chargeDeclinedInsufficientFunds'),
    declinesHard: token('visa_chargeDeclinedStolenCard'),
    challenges: token('threeDSecure2Required'),
    needsPayer: token('threeDSecure2Required'),
  },
  answerChallenge: async (url, answer) => {
    const { searchParams, origin, pathname } = new URL(url)
    const body = new URLSearchParams({ client_secret: searchParams.get('client_secret') ?? '', answer })
    const reply = await fetch(origin + pathname, { method: 'POST', body, redirect: 'manual' })
    return Object.fromEntries(new URL(reply.headers.get('location') ?? '').searchParams)
  },
  keys: { trustedHours: 23, forget: () => twin.pruneKeys() },
})
