import { expect, test } from 'vitest'
import type { Caller } from '#platform/caller'
import { eventsOf } from '#platform/testing/events'
import { createFixture, type CardResponse } from '../testing/fixture.ts'

const fixture = await createFixture()
const { cards, issue, newBusiness, freezeClock } = fixture

const LATER = '2026-11-20T04:00:00.002Z'
const EARLIER = '2026-11-20T04:00:00.001Z'

async function editLimit(caller: Caller, card: CardResponse): Promise<void> {
  const limits = card.limits.map(({ id }) => ({ id, period: 'Daily' as const, limit_amount: '200' }))
  await cards.editLimits(caller, card.id, limits, '')
}

async function newestLimitChange(caller: Caller, card: CardResponse): Promise<string | undefined> {
  const page = { list: 'card_limit_history', offset: 0, limit: 20, after: undefined }
  const history = await cards.limitHistory(caller, card.id, undefined, page)
  return history.limit_history[0]?.p_created_at
}

async function eventTimes(caller: Caller, card: CardResponse): Promise<string[]> {
  const events = await eventsOf(fixture.db, caller.businessId, card.id)
  return events.map(({ timestamp }) => timestamp.toString())
}

async function updatedAt(card: CardResponse): Promise<string> {
  const { rows } = await fixture.admin.query<{ updated_at: Temporal.Instant }>(
    'select updated_at from cards where id = $1',
    [card.id],
  )
  return rows[0]?.updated_at.toString() ?? ''
}

// Proves reference/cards#limit-history, reference/events#ordering.
test.each<[string, (caller: Caller, card: CardResponse) => Promise<unknown>]>([
  ['limits', editLimit],
  ['a new limit', (caller, { id }) => cards.addLimit(caller, id, { period: 'Monthly', limit_amount: '1' })],
  ['status', (caller, { id }) => cards.changeStatus(caller, id, { status: 'Terminated' })],
  ['physical status', (caller, { id }) => cards.changeStatus(caller, id, { physical_status: 'Ordered' })],
  [
    'spending controls',
    (caller, { id }) => cards.edit(caller, id, { spending_controls: { single_use: true } }),
  ],
  ['time zone', (caller, { id }) => cards.edit(caller, id, { time_zone: 'UTC' })],
  ['link', (caller, card) => cards.link(caller, { card_reference_id: card.reference_id, p_user_id: 'u' })],
])(
  'the second of two concurrent changes, one of them to the %s, never has the earlier time',
  async (_subject, change) => {
    for (const [first, second] of [
      [change, editLimit],
      [editLimit, change],
    ] as const) {
      const caller = await newBusiness()
      await freezeClock(caller, '2026-11-20T04:00:00Z')
      const card = await issue(caller, { limits: [{ period: 'Daily', limit_amount: '100' }] })
      await freezeClock(caller, LATER)
      await first(caller, card)
      // A transaction that waits for the card's lock has read an earlier time.
      await freezeClock(caller, EARLIER)
      await second(caller, card)
      await cards.edit(caller, card.id, { title: 'x' })
      expect(new Set(await eventTimes(caller, card))).toEqual(new Set([LATER]))
      expect(await newestLimitChange(caller, card)).toBe(LATER)
      expect(await updatedAt(card)).toBe(LATER)
    }
  },
)

test('an expiry event is not earlier than the change before it, nor the next change earlier than the expiry', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-20T04:00:00Z')
  const card = await issue(caller, { limits: [{ period: 'Daily', limit_amount: '100' }] })
  await freezeClock(caller, '2029-12-01T00:00:00.002Z')
  await editLimit(caller, card)
  await fixture.runJob(caller, 'card_expiry', Temporal.Instant.from('2029-12-01T00:00:00.001Z'))
  expect(await updatedAt(card)).toBe('2029-12-01T00:00:00.002Z')
  const other = await issue(caller, { limits: [{ period: 'Daily', limit_amount: '100' }] })
  await freezeClock(caller, '2033-01-01T00:00:00.002Z')
  await fixture.runJob(caller, 'card_expiry', Temporal.Instant.from('2033-01-01T00:00:00.002Z'))
  await freezeClock(caller, '2033-01-01T00:00:00.001Z')
  await editLimit(caller, other)
  expect(await newestLimitChange(caller, other)).toBe('2033-01-01T00:00:00.002Z')
})
