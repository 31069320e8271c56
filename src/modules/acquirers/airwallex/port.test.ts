import { afterAll, beforeAll } from 'vitest'
import { startTwin, type TwinProcess } from '../../../../twins/common/twin-process.ts'
import type { ConnectedAcquirer } from '../port/adapter.ts'
import type { Instrument } from '../port/port.ts'
import { describePort } from '../testing/port-suite.ts'
import { airwallexAdapter } from './index.ts'

// Proves reference/acquirers#outcomes.
// Proves reference/acquirers#airwallex.
let twin: TwinProcess
const acquirers: ConnectedAcquirer[] = []

beforeAll(async () => {
  twin = await startTwin('airwallex')
})
afterAll(async () => {
  await Promise.all(acquirers.map((one) => one.disconnect()))
  await twin.stop()
})

const card = (number: string): Instrument => ({
  type: 'card',
  number,
  expMonth: 12,
  expYear: 2030,
  holderName: 'Chan Tai Man',
  cvc: '123',
})

// Only Airwallex can show what a repeated request id gets, so the suite runs with both answers.
for (const repeated of ['duplicate', 'first'] as const) {
  describePort(`the twin of Airwallex, where a repeated request gets: ${repeated}`, {
    connect: async () => {
      await twin.control('PUT', '/_twin/settings', { repeated_requests: repeated })
      const acquirer = airwallexAdapter.connect(
        {
          environment: 'test',
          credentials: { client_id: 'port', api_key: 'key', webhook_secret: 'whsec_port' },
          apiBase: twin.url,
          statementDescriptor: 'PORT',
          merchantId: 'acct_port',
        },
        { connect: {}, findNotices: async () => [] },
      )
      acquirers.push(acquirer)
      return acquirer
    },
    books: () => twin.books(),
    setFaults: (faults) => twin.setFaults(faults),
    instruments: {
      approves: card('4035501000000008'),
      declinesSoft: card('4000000000009995'),
      declinesHard: card('4000000000009979'),
      challenges: card('4012000300000088'),
      needsPayer: card('4000000000006975'),
    },
    answerChallenge: async (url, answer) => {
      const body = new URLSearchParams({ answer })
      const reply = await fetch(url, { method: 'POST', body, redirect: 'manual' })
      return Object.fromEntries(new URL(reply.headers.get('location') ?? '').searchParams)
    },
    keys: { trustedHours: 23, forget: () => twin.pruneKeys() },
  })
}
