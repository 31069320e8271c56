import { expect, test } from 'vitest'
import { decideTry, MAX_TRYING_MS } from './decide-delivery.ts'

const START = Temporal.Instant.from('2027-03-01T09:00:00Z')
const message = { state: 'queued', recipient: 'amy@example.com', reached: [], firstTryAt: START } as const
const COPY = 'office@example.com'

function tryAfter(ms: number, given: Partial<Parameters<typeof decideTry>[1]>) {
  return {
    at: START.add({ milliseconds: ms }),
    recipients: [message.recipient],
    accepted: [],
    refusedForGood: [],
    error: null,
    delayMs: 5_000,
    ...given,
  }
}

// Proves reference/messages#tries.
test('an accepted message is sent and due no more', () => {
  const tried = decideTry(message, tryAfter(0, { accepted: [message.recipient] }))
  expect(tried).toMatchObject({ state: 'sent', isSent: true, event: 'message.sent', dueInMs: null })
})

test('a message that nobody took waits for its next try, and fails a day after the first', () => {
  const waits = decideTry(message, tryAfter(0, { error: '451' }))
  expect(waits).toMatchObject({ state: 'queued', event: null, dueInMs: 5_000, error: '451' })
  const hour = 3_600_000
  const last = decideTry(message, tryAfter(MAX_TRYING_MS - hour, { delayMs: 14 * hour }))
  expect(last).toMatchObject({ state: 'queued', dueInMs: hour })
  expect(decideTry(message, tryAfter(MAX_TRYING_MS, {}))).toMatchObject({
    state: 'failed',
    event: 'message.failed',
    dueInMs: null,
  })
})

test('a recipient that is refused for good bounces at once, and its copy still arrives', () => {
  const recipients = [message.recipient, COPY]
  const tried = decideTry(message, tryAfter(0, { recipients, refusedForGood: [message.recipient] }))
  expect(tried).toMatchObject({ state: 'bounced', event: 'message.bounced', dueInMs: 5_000 })
  const again = decideTry({ ...message, ...tried }, tryAfter(5_000, { recipients: [COPY], accepted: [COPY] }))
  expect(again).toMatchObject({ state: 'bounced', event: null, dueInMs: null })
})

test('a copy that waits does not send the message twice', () => {
  const recipients = [message.recipient, COPY]
  const tried = decideTry(message, tryAfter(0, { recipients, accepted: [message.recipient] }))
  expect(tried).toMatchObject({ state: 'sent', reached: [message.recipient], dueInMs: 5_000 })
})
