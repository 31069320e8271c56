import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario()

const CARDS = '/svc/ts/api/v1/openapi/cards'
const HONG_KONG = 'Asia/Hong_Kong'

type Period = 'Transaction' | 'Daily' | 'Monthly' | 'Lifetime'

/** Creates an active card in USD with these limits. */
async function cardWith(limits: Partial<Record<Period, string>>, members: Record<string, unknown> = {}) {
  const { card } = await client.ok('POST', CARDS, {
    card: {
      reference_id: `card-${randomUUID()}`,
      type: 'virtual',
      settlement_currency: 'USD',
      mode: 'B2C',
      limits: Object.entries(limits).map(([period, limit_amount]) => ({ period, limit_amount })),
      ...members,
    },
  })
  await client.ok('POST', `${CARDS}/link`, { card_reference_id: card.reference_id, p_user_id: 'user-1' })
  return card
}

async function authorize(cardId: string, amount: string) {
  const { authorization } = await client.ok('POST', `${CARDS}/${cardId}/authorizations`, {
    authorization: {
      amount,
      currency: 'USD',
      merchant: { name: 'Grocer', mcc: '5411', country: 'HK' },
      reference_id: randomUUID(),
    },
  })
  return authorization
}

/** @returns `approved` or the decline reason */
async function decisionOn(cardId: string, amount: string): Promise<string> {
  const { approved, decline_reason: reason } = await authorize(cardId, amount)
  return approved === true ? 'approved' : reason
}

async function operate(uuid: string, operation: string, body: object) {
  const { authorization } = await client.ok('POST', `${CARDS}/authorizations/${uuid}/${operation}`, body)
  return authorization
}

async function usedAmounts(cardId: string): Promise<Partial<Record<Period, string>>> {
  const { card } = await client.ok('GET', `${CARDS}/${cardId}`)
  return Object.fromEntries(
    card.limits.map((limit: { period: Period; used_amount: string }) => [limit.period, limit.used_amount]),
  )
}

async function history(id: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams(query).toString()
  const { limit_history: entries } = await client.ok('GET', `${CARDS}/${id}/limit/history?${search}`)
  return entries
}

async function advanceTo(date: Temporal.PlainDate, time: string, zone = HONG_KONG): Promise<void> {
  const at = date.toZonedDateTime({ timeZone: zone, plainTime: time })
  await client.advanceTo(at.toInstant().toString())
}

async function today(zone = HONG_KONG): Promise<Temporal.PlainDate> {
  return (await client.now()).toZonedDateTimeISO(zone).toPlainDate()
}

/** The next date with this day of the month that is at least two days ahead. */
async function nextDate(day: number, month?: number): Promise<Temporal.PlainDate> {
  const earliest = (await today()).add({ days: 2 })
  const months = Array.from({ length: 13 }, (_, ahead) => earliest.with({ day }).add({ months: ahead }))
  const next = months.find(
    (date) =>
      Temporal.PlainDate.compare(date, earliest) >= 0 && (month === undefined || date.month === month),
  )
  if (next === undefined) throw new Error(`no date with day ${day} and month ${month} within a year`)
  return next
}

// Proves reference/cards#limits, reference/cards#limit-windows.
test('a daily limit resets at midnight, while the monthly and lifetime limits keep counting', async () => {
  const day = await nextDate(10)
  await advanceTo(day, '23:50')
  const card = await cardWith({ Daily: '100.00', Monthly: '150.00', Lifetime: '170.00' })
  expect(await decisionOn(card.id, '100.00')).toBe('approved')
  expect(await decisionOn(card.id, '0.01')).toBe('limit_exceeded_daily')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '100.00', Monthly: '100.00', Lifetime: '100.00' })
  await advanceTo(day.add({ days: 1 }), '00:00')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '0.00', Monthly: '100.00', Lifetime: '100.00' })
  expect(await decisionOn(card.id, '50.01')).toBe('limit_exceeded_monthly')
  expect(await decisionOn(card.id, '50.00')).toBe('approved')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '50.00', Monthly: '150.00', Lifetime: '150.00' })
})

test('a monthly limit resets at the end of the month, in February too, and a lifetime limit never resets', async () => {
  const first = await nextDate(1, 3)
  await advanceTo(first.subtract({ days: 1 }), '23:50')
  const card = await cardWith({ Monthly: '100.00', Lifetime: '120.00' })
  expect(await decisionOn(card.id, '100.00')).toBe('approved')
  expect(await decisionOn(card.id, '0.01')).toBe('limit_exceeded_monthly')
  await advanceTo(first, '00:00')
  expect(await usedAmounts(card.id)).toEqual({ Monthly: '0.00', Lifetime: '100.00' })
  expect(await decisionOn(card.id, '20.01')).toBe('limit_exceeded_lifetime')
  expect(await decisionOn(card.id, '20.00')).toBe('approved')
  await advanceTo(await nextDate(1), '00:00')
  expect(await usedAmounts(card.id)).toMatchObject({ Monthly: '0.00' })
  expect(await decisionOn(card.id, '20.00')).toBe('approved')
})

test('a transaction limit checks each authorization alone, and its used amount stays 0', async () => {
  const card = await cardWith({ Transaction: '60.00' })
  expect(await decisionOn(card.id, '60.01')).toBe('limit_exceeded_transaction')
  expect(await decisionOn(card.id, '60.00')).toBe('approved')
  expect(await decisionOn(card.id, '60.00')).toBe('approved')
  expect(await usedAmounts(card.id)).toEqual({ Transaction: '0.00' })
})

// Proves reference/cards#captures, reference/cards#refunds.
test('a hold counts on the day it was created, a forced capture on the day of the capture', async () => {
  const day = await nextDate(12)
  await advanceTo(day, '23:50')
  const card = await cardWith({ Daily: '100.00', Monthly: '1000.00' })
  const { uuid } = await authorize(card.id, '80.00')
  await advanceTo(day.add({ days: 1 }), '00:00')
  await operate(uuid, 'capture', { amount: '80.00' })
  expect(await usedAmounts(card.id)).toEqual({ Daily: '0.00', Monthly: '80.00' })
  await operate(uuid, 'capture', { amount: '90.00' })
  expect(await usedAmounts(card.id)).toEqual({ Daily: '90.00', Monthly: '170.00' })
  expect(await decisionOn(card.id, '10.01')).toBe('limit_exceeded_daily')
  // A refund lowers the window of its hold, which is the day before.
  await operate(uuid, 'refund', { amount: '50.00' })
  expect(await usedAmounts(card.id)).toEqual({ Daily: '90.00', Monthly: '120.00' })
})

test('a new time zone moves the windows, and each authorization counts in the window of its time', async () => {
  const first = await nextDate(1)
  // 06:00 on the first in Hong Kong is the last day of the previous month in New York.
  await advanceTo(first, '06:00')
  const card = await cardWith({ Daily: '100.00', Monthly: '100.00', Lifetime: '100.00' })
  expect(await decisionOn(card.id, '30.00')).toBe('approved')
  await advanceTo(first, '15:00')
  expect(await decisionOn(card.id, '20.00')).toBe('approved')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '50.00', Monthly: '50.00', Lifetime: '50.00' })

  const inZone = (time_zone: string) => client.ok('PUT', `${CARDS}/${card.id}`, { card: { time_zone } })
  const { card: edited } = await inZone('America/New_York')
  expect(edited.time_zone).toBe('America/New_York')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '20.00', Monthly: '20.00', Lifetime: '50.00' })
  await inZone(HONG_KONG)
  expect(await usedAmounts(card.id)).toEqual({ Daily: '50.00', Monthly: '50.00', Lifetime: '50.00' })

  // The day in New York continues past midnight in Hong Kong and ends at its own midnight.
  await inZone('America/New_York')
  await advanceTo(first.add({ days: 1 }), '00:30')
  expect(await decisionOn(card.id, '50.00')).toBe('approved')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '70.00', Monthly: '70.00', Lifetime: '100.00' })
  await advanceTo(first.add({ days: 1 }), '00:00', 'America/New_York')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '0.00', Monthly: '70.00', Lifetime: '100.00' })
  // Back in Hong Kong time only the third authorization is today's; the first two belong to the day before.
  await inZone(HONG_KONG)
  expect(await usedAmounts(card.id)).toEqual({ Daily: '50.00', Monthly: '100.00', Lifetime: '100.00' })
})

test('on the day on which clocks go forward a daily limit resets after 23 hours', async () => {
  const zone = 'America/New_York'
  const second = await nextDate(8, 3)
  const sunday = second.add({ days: 7 - second.dayOfWeek })
  await advanceTo(sunday, '00:00', zone)
  const card = await cardWith({ Daily: '100.00' }, { time_zone: zone })
  expect(await decisionOn(card.id, '100.00')).toBe('approved')
  const start = sunday.toZonedDateTime({ timeZone: zone })
  await client.advanceTo(start.add({ hours: 22, minutes: 50 }).toInstant().toString())
  expect(await decisionOn(card.id, '0.01')).toBe('limit_exceeded_daily')
  await client.advanceTo(start.add({ hours: 23 }).toInstant().toString())
  expect(await usedAmounts(card.id)).toEqual({ Daily: '0.00' })
})

// Proves reference/cards#holds.
test('a hold is released seven days after its authorization, and a later capture is forced', async () => {
  const card = await cardWith({ Daily: '1000.00', Lifetime: '100.00' })
  const { uuid, p_created_at: createdAt } = await authorize(card.id, '100.00')
  await operate(uuid, 'capture', { amount: '40.00' })
  const held = await authorize(card.id, '0.01')
  expect(held.decline_reason).toBe('limit_exceeded_lifetime')
  const expiry = Temporal.Instant.from(createdAt).add({ hours: 7 * 24 })
  await client.advanceTo(expiry.subtract({ minutes: 10 }).toString())
  expect(await usedAmounts(card.id)).toMatchObject({ Lifetime: '100.00' })
  await client.advanceTo(expiry.add({ seconds: 1 }).toString())
  expect(await usedAmounts(card.id)).toEqual({ Daily: '0.00', Lifetime: '40.00' })
  expect(await operate(uuid, 'capture', { amount: '70.00' })).toMatchObject({
    state: 'captured',
    held_amount: '0.00',
    captured_amount: '110.00',
  })
  expect(await usedAmounts(card.id)).toEqual({ Daily: '70.00', Lifetime: '110.00' })
})

test('an authorization whose hold expired uncaptured reads expired, and still counts as an approval', async () => {
  const card = await cardWith(
    { Lifetime: '100.00' },
    { spending_controls: { count_limits: [{ period: 'Lifetime', count: 1 }] } },
  )
  await authorize(card.id, '10.00')
  await client.advanceBy('P8D')
  const { authorizations } = await client.ok('GET', `${CARDS}/${card.id}/authorizations`)
  expect(authorizations).toMatchObject([{ state: 'expired', amount: '10.00', held_amount: '0.00' }])
  expect(await usedAmounts(card.id)).toEqual({ Lifetime: '0.00' })
  expect(await decisionOn(card.id, '1.00')).toBe('count_exceeded_lifetime')
})

// Proves reference/cards#spending-controls.
test('a daily count limit resets at midnight', async () => {
  const day = await nextDate(20)
  await advanceTo(day, '23:50')
  const card = await cardWith({}, { spending_controls: { count_limits: [{ period: 'Daily', count: 1 }] } })
  expect(await decisionOn(card.id, '1.00')).toBe('approved')
  expect(await decisionOn(card.id, '1.00')).toBe('count_exceeded_daily')
  await advanceTo(day.add({ days: 1 }), '00:00')
  expect(await decisionOn(card.id, '1.00')).toBe('approved')
})

// Proves reference/cards#limit-history.
test('the history shows every change with its time, by card id and by limit id', async () => {
  const card = await cardWith({ Daily: '100.00', Monthly: '500.00' })
  const [daily, monthly] = card.limits
  const edit = (remark: string, ...limits: readonly [{ id: string; period: Period }, string][]) =>
    client.ok('PUT', `${CARDS}/${card.id}/limits`, {
      limits: limits.map(([{ id, period }, limit_amount]) => ({ id, period, limit_amount })),
      ...(remark !== '' && { remark }),
    })
  expect(await history(card.id)).toEqual([])
  expect(await edit('holiday', [daily, '200'], [monthly, '900.5'])).toEqual({})
  await client.advanceBy('P1D')
  const changedAt = await client.now()
  await edit('', [daily, '100'])

  const entries = await history(card.id)
  expect(entries).toHaveLength(3)
  expect(entries[0]).toMatchObject({ card_limit: daily.id, limit_amount: '100.00', remark: '' })
  expect(new Set(entries.slice(1).map((entry: { remark: string }) => entry.remark))).toEqual(
    new Set(['holiday']),
  )
  const shownAt = Temporal.Instant.from(entries[0].p_created_at)
  expect(shownAt.since(changedAt).total('seconds')).toBeLessThan(60)
  expect(shownAt.since(Temporal.Instant.from(entries[1].p_created_at)).total('hours')).toBeGreaterThan(23)

  const dailyEntries = entries.filter((entry: { card_limit: string }) => entry.card_limit === daily.id)
  expect(dailyEntries).toHaveLength(2)
  expect(await history(daily.id)).toEqual(dailyEntries)
  expect(await history(card.id, { limit_id: daily.id })).toEqual(dailyEntries)
  expect(await history(card.id, { offset: '1', limit: '1' })).toEqual([entries[1]])
})

test('an edit that names an invalid limit changes no limit and writes no history', async () => {
  const card = await cardWith({ Daily: '100.00', Monthly: '500.00' })
  const other = await cardWith({ Daily: '100.00' })
  const [daily, monthly] = card.limits
  const errorOf = async (second: object) => {
    const response = await client.call('PUT', `${CARDS}/${card.id}/limits`, {
      limits: [{ id: daily.id, period: 'Daily', limit_amount: '1.00' }, second],
    })
    return [response.status, response.data.error.param]
  }
  expect(await errorOf({ id: other.limits[0].id, period: 'Daily', limit_amount: '1.00' })).toEqual([
    404,
    'limits[1].id',
  ])
  expect(await errorOf({ id: monthly.id, period: 'Lifetime', limit_amount: '1.00' })).toEqual([
    422,
    'limits[1].period',
  ])
  expect(await errorOf({ id: monthly.id, period: 'Monthly', limit_amount: '100000000000.01' })).toEqual([
    422,
    'limits[1].limit_amount',
  ])
  expect(await errorOf({ id: monthly.id, period: 'Monthly' })).toEqual([400, 'limits[1].limit_amount'])
  const { card: after } = await client.ok('GET', `${CARDS}/${card.id}`)
  expect(after.limits).toEqual(card.limits)
  expect(await history(card.id)).toEqual([])
})

test('a limit below the used amount declines everything, and an inactive limit keeps counting and declines nothing', async () => {
  const card = await cardWith({ Daily: '100.00' })
  const [daily] = card.limits
  const edit = (limit_amount: string, status: string) =>
    client.ok('PUT', `${CARDS}/${card.id}/limits`, {
      limits: [{ id: daily.id, period: 'Daily', limit_amount, status }],
    })
  expect(await decisionOn(card.id, '50.00')).toBe('approved')
  await edit('40.00', 'Active')
  expect(await decisionOn(card.id, '0.01')).toBe('limit_exceeded_daily')
  await edit('40.00', 'Inactive')
  expect(await decisionOn(card.id, '60.00')).toBe('approved')
  expect(await usedAmounts(card.id)).toEqual({ Daily: '110.00' })
  await edit('120.00', 'Active')
  expect(await decisionOn(card.id, '10.01')).toBe('limit_exceeded_daily')
  expect(await decisionOn(card.id, '10.00')).toBe('approved')
})

test('an unassigned country code is rejected in spending controls and in authorizations', async () => {
  const card = await cardWith({})
  const edit = await client.call('PUT', `${CARDS}/${card.id}`, {
    card: { spending_controls: { blocked_countries: ['KP', 'UK'] } },
  })
  expect(edit).toMatchObject({
    status: 400,
    data: { error: { param: 'card.spending_controls.blocked_countries[1]' } },
  })
  const authorization = await client.call('POST', `${CARDS}/${card.id}/authorizations`, {
    authorization: {
      amount: '1.00',
      currency: 'USD',
      merchant: { name: 'Grocer', mcc: '5411', country: 'ZZ' },
      reference_id: randomUUID(),
    },
  })
  expect(authorization).toMatchObject({
    status: 400,
    data: { error: { param: 'authorization.merchant.country' } },
  })
})
