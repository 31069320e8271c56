import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { dailyWindow, monthlyWindow } from '../model/limit-windows.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issue, issueActive, newBusiness, freezeClock, used } = fixture

const ALL_WINDOWS = (['Daily', 'Monthly', 'Lifetime'] as const).map((period) => ({
  period,
  limit_amount: '100',
}))

const PAGE = { list: 'card_limit_history', offset: 0, limit: 20, after: undefined }

// Proves reference/cards#limit-windows.
test('limits reset exactly at midnight and at the end of the month in the card’s time zone', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-29T15:59:59.999Z')
  const card = await issueActive(caller, { limits: ALL_WINDOWS })
  expect((await authorize(caller, card.id, '40')).approved).toBe(true)
  expect(await used(caller, card.id)).toEqual({ Daily: '40.00', Monthly: '40.00', Lifetime: '40.00' })
  await freezeClock(caller, '2026-11-29T16:00:00Z')
  expect(await used(caller, card.id)).toEqual({ Daily: '0.00', Monthly: '40.00', Lifetime: '40.00' })
  expect((await authorize(caller, card.id, '30')).approved).toBe(true)
  await freezeClock(caller, '2026-11-30T15:59:59.999Z')
  expect((await authorize(caller, card.id, '31')).decline_reason).toBe('limit_exceeded_monthly')
  await freezeClock(caller, '2026-11-30T16:00:00Z')
  expect(await used(caller, card.id)).toEqual({ Daily: '0.00', Monthly: '0.00', Lifetime: '70.00' })
  expect((await authorize(caller, card.id, '31')).decline_reason).toBe('limit_exceeded_lifetime')
  expect((await authorize(caller, card.id, '30')).approved).toBe(true)
  expect(await fixture.breaches(caller)).toEqual([])
})

test('a capture or refund after a reset changes the window of the hold, not the new window', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-20T04:00:00Z')
  const card = await issueActive(caller, { limits: ALL_WINDOWS })
  const { uuid } = await authorize(caller, card.id, '80')
  await freezeClock(caller, '2026-11-21T04:00:00Z')
  await authorize(caller, card.id, '5')
  await cards.capture(caller, uuid, { amount: '50', final: true })
  expect(await used(caller, card.id)).toEqual({ Daily: '5.00', Monthly: '55.00', Lifetime: '55.00' })
  await cards.refund(caller, uuid, { amount: '20' })
  expect(await used(caller, card.id)).toEqual({ Daily: '5.00', Monthly: '35.00', Lifetime: '35.00' })
  await cards.capture(caller, uuid, { amount: '7' })
  expect(await used(caller, card.id)).toEqual({ Daily: '12.00', Monthly: '42.00', Lifetime: '42.00' })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('a day of 23 or 25 hours ends at its own midnight', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-03-07T20:00:00Z')
  const card = await issueActive(caller, {
    time_zone: 'America/New_York',
    limits: [{ period: 'Daily', limit_amount: '100' }],
  })
  const approvedAt = async (at: string) => {
    await freezeClock(caller, at)
    return (await authorize(caller, card.id, '100')).approved
  }
  expect(await approvedAt('2026-03-08T05:00:00Z')).toBe(true)
  expect(await approvedAt('2026-03-09T03:59:59.999Z')).toBe(false)
  expect(await approvedAt('2026-03-09T04:00:00Z')).toBe(true)
  expect(await approvedAt('2026-11-01T04:00:00Z')).toBe(true)
  expect(await approvedAt('2026-11-02T04:59:59.999Z')).toBe(false)
  expect(await approvedAt('2026-11-02T05:00:00Z')).toBe(true)
})

test('a new time zone moves the windows, which then count the authorizations and forced captures in them', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-30T14:00:00Z')
  const card = await issueActive(caller, { limits: ALL_WINDOWS, time_zone: 'Asia/Hong_Kong' })
  const { uuid } = await authorize(caller, card.id, '10')
  await freezeClock(caller, '2026-11-30T15:00:00Z')
  const reversed = await authorize(caller, card.id, '9')
  await cards.reverse(caller, reversed.uuid, {})
  await freezeClock(caller, '2026-11-30T17:00:00Z')
  await authorize(caller, card.id, '20')
  await cards.capture(caller, uuid, { amount: '13' })
  expect(await used(caller, card.id)).toEqual({ Daily: '23.00', Monthly: '23.00', Lifetime: '33.00' })
  const edited = await cards.edit(caller, card.id, { time_zone: 'utc' })
  expect(edited.card.time_zone).toBe('UTC')
  expect(await used(caller, card.id)).toEqual({ Daily: '33.00', Monthly: '33.00', Lifetime: '33.00' })
  expect(await fixture.breaches(caller)).toEqual([])
  await cards.edit(caller, card.id, { time_zone: 'Asia/Tokyo' })
  expect(await used(caller, card.id)).toEqual({ Daily: '23.00', Monthly: '23.00', Lifetime: '33.00' })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('every instant lies in exactly one window, even where an hour repeats at midnight', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('America/St_Johns', 'America/Havana', 'Asia/Hong_Kong', 'Pacific/Apia', 'UTC'),
      fc.integer({ min: Date.UTC(1985, 0), max: Date.UTC(2035, 0) }),
      (zone, ms) => {
        const at = Temporal.Instant.fromEpochMilliseconds(ms)
        for (const windowOf of [dailyWindow, monthlyWindow]) {
          const { start, end } = windowOf(at, zone)
          expect(Temporal.Instant.compare(start, at)).toBeLessThanOrEqual(0)
          expect(Temporal.Instant.compare(at, end)).toBeLessThan(0)
          expect(windowOf(start, zone)).toEqual({ start, end })
          expect(windowOf(end.subtract({ milliseconds: 1 }), zone)).toEqual({ start, end })
        }
      },
    ),
    { numRuns: 2_000 },
  )
  // The clocks went from 00:01 back to 23:01 of the day before.
  const repeated = Temporal.Instant.from('2010-11-07T02:45:00Z')
  expect(dailyWindow(repeated, 'America/St_Johns').start.toString()).toBe('2010-11-07T02:30:00Z')
})

// Proves reference/cards#limits.
test('an Inactive limit declines nothing and keeps counting, which shows once it is Active again', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: [{ period: 'Lifetime', limit_amount: '100' }] })
  const [limit] = card.limits
  if (limit === undefined) throw new Error('no limit')
  const edit = (status: 'Active' | 'Inactive') =>
    cards.editLimits(caller, card.id, [{ id: limit.id, period: 'Lifetime', limit_amount: '100', status }], '')
  await edit('Inactive')
  expect((await authorize(caller, card.id, '150')).approved).toBe(true)
  await edit('Active')
  expect(await used(caller, card.id)).toEqual({ Lifetime: '150.00' })
  expect((await authorize(caller, card.id, '0.01')).decline_reason).toBe('limit_exceeded_lifetime')
  expect(await fixture.breaches(caller)).toEqual([])
})

test('an added limit counts what its window has already used, and a period has one limit', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller)
  await authorize(caller, card.id, '30')
  const added = await cards.addLimit(caller, card.id, { period: 'Daily', limit_amount: '50' })
  expect(added).toMatchObject({
    card: { limits: [{ period: 'Daily', limit_amount: '50.00', used_amount: '30.00', status: 'Active' }] },
  })
  await expect(cards.addLimit(caller, card.id, { period: 'Daily', limit_amount: '1' })).rejects.toMatchObject(
    { reason: 'card_limit_exists' },
  )
  expect((await fixture.eventsOf(caller, card.id)).at(-1)).toMatchObject({
    type: 'card.limit_changed',
    data: added,
  })
})

// Proves reference/cards#limit-history.
test('an edit changes all limits or none, and each edited limit writes one history entry', async () => {
  const caller = await newBusiness()
  const card = await issue(caller, { limits: ALL_WINDOWS })
  const idOf = (period: string) => card.limits.find((limit) => limit.period === period)?.id ?? ''
  const edit = (id: string, period: 'Daily' | 'Monthly', limit_amount: string) => ({
    id,
    period,
    limit_amount,
  })
  const valid = edit(idOf('Daily'), 'Daily', '200')
  const expectRejected = async (invalid: ReturnType<typeof edit>, error: object) => {
    await expect(cards.editLimits(caller, card.id, [valid, invalid], 'x')).rejects.toMatchObject(error)
  }
  const other = await issue(caller, { limits: ALL_WINDOWS })
  await expectRejected(edit(other.limits[0]?.id ?? '', 'Daily', '1'), {
    reason: 'card_limit_not_found',
    detail: { param: 'limits[1].id' },
  })
  await expectRejected(edit(idOf('Monthly'), 'Daily', '1'), { reason: 'card_limit_period_differs' })
  await expectRejected(edit(idOf('Monthly'), 'Monthly', '100000000001'), {
    reason: 'card_limit_too_high',
    status: 422,
  })
  await expectRejected(valid, {
    reason: 'card_period_named_twice',
    detail: { param: 'limits[1].period' },
  })
  expect(await fixture.cardOf(caller, card.id)).toEqual(card)
  const history = async (id: string, limitId?: string) =>
    (await cards.limitHistory(caller, id, limitId, PAGE)).limit_history
  expect(await history(card.id)).toEqual([])
  expect(
    await cards.editLimits(caller, card.id, [valid, edit(idOf('Monthly'), 'Monthly', '300')], 'raise'),
  ).toEqual({})
  await cards.editLimits(caller, card.id, [valid], '')
  const entries = await history(card.id)
  expect(entries.map(({ card_limit, limit_amount, remark }) => [card_limit, limit_amount, remark])).toEqual([
    [idOf('Daily'), '200.00', ''],
    [idOf('Monthly'), '300.00', 'raise'],
    [idOf('Daily'), '200.00', 'raise'],
  ])
  const dailyEntries = entries.filter((entry) => entry.card_limit === idOf('Daily'))
  expect(await history(idOf('Daily'))).toEqual(dailyEntries)
  expect(await history(card.id, idOf('Daily'))).toEqual(dailyEntries)
  expect(await history(idOf('Daily'), idOf('Monthly'))).toEqual([])
  expect(await history(card.id, newId('lim'))).toEqual([])
  await expect(history(newId('lim'))).rejects.toMatchObject({ status: 404 })
  const events = await fixture.eventsOf(caller, card.id)
  expect(events.map((event) => event.type)).toEqual(['card.limit_changed', 'card.limit_changed'])
})

test('limit amounts have the decimals of the card’s currency', async () => {
  const caller = await newBusiness()
  const limits = [{ period: 'Daily' as const, limit_amount: '1000' }]
  const yen = await issue(caller, { settlement_currency: 'JPY', limits })
  const dinar = await issue(caller, { settlement_currency: 'KWD', limits })
  expect(yen.limits[0]).toMatchObject({ limit_amount: '1000', used_amount: '0' })
  expect(dinar.limits[0]).toMatchObject({ limit_amount: '1000.000', used_amount: '0.000' })
})
