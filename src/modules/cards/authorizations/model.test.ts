import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { createFixture, type AuthorizationResponse } from '../testing/fixture.ts'
import { type Period, type ReferenceAuthorization, ReferenceCard } from '../testing/reference-card.ts'

/** CARD_MODEL_RUNS=5000 runs a longer search. */
const RUNS = Number(process.env['CARD_MODEL_RUNS'] ?? 60)

const fixture = await createFixture()
const { authorize, cards, authorizationIn } = fixture

const ZONES = ['Asia/Hong_Kong', 'America/New_York', 'Europe/London', 'Pacific/Kiritimati', 'UTC']
const PERIODS = ['Transaction', 'Daily', 'Monthly', 'Lifetime'] as const

interface Real {
  readonly caller: Caller
  readonly cardId: string
  readonly limitIds: ReadonlyMap<string, string>
  /** In the order of the model's authorizations. */
  readonly uuids: string[]
}
type Command = fc.AsyncCommand<ReferenceCard, Real>

function decimal(whole: number): string {
  return `${whole}.00`
}

/** After each command the card's used amounts must equal the model's. */
function command(text: string, run: (model: ReferenceCard, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real)
      const expected = model.limits.map(({ period }) => [period, decimal(model.used(period))])
      expect(await fixture.used(real.caller, real.cardId)).toEqual(Object.fromEntries(expected))
    },
    toString: () => text,
  }
}

function expectSame(model: ReferenceCard, expected: ReferenceAuthorization, actual: AuthorizationResponse) {
  expect(actual).toMatchObject({
    state: model.state(expected),
    amount: decimal(expected.amount),
    held_amount: decimal(expected.held),
    captured_amount: decimal(model.captured(expected)),
    refunded_amount: decimal(expected.refunded),
  })
  expect(actual.decline_reason).toBe(expected.reason)
}

/** Concurrent authorizations are decided in the order of arrival. */
const burst = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }).map((amounts) =>
  command(`authorize ${amounts.join(', ')}`, async (model, real) => {
    const expected = amounts.map((amount) => model.authorize(amount))
    const actual = await Promise.all(
      amounts.map((amount) => authorize(real.caller, real.cardId, String(amount))),
    )
    for (const [index, authorization] of actual.entries()) {
      const modelled = expected[index]
      if (modelled === undefined) throw new Error('more authorizations than requests')
      expectSame(model, modelled, authorization)
      real.uuids.push(authorization.uuid)
    }
  }),
)

const optionalAmount = fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined })

const operation = fc
  .record({
    kind: fc.constantFrom('capture', 'capture', 'reverse', 'refund', 'refund'),
    index: fc.nat(),
    amount: optionalAmount,
    final: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ kind, index, amount, final }) =>
    command(`${kind} #${index} ${amount} ${final}`, async (model, real) => {
      // Declined authorizations allow no operation, so seven of eight commands pick a recent approval.
      const approved = model.authorizations.filter(({ reason }) => reason === undefined)
      const candidates = index % 8 === 0 ? model.authorizations : approved.slice(-5)
      const modelled = candidates[(index >> 3) % Math.max(1, candidates.length)]
      const uuid = modelled && real.uuids[model.authorizations.indexOf(modelled)]
      if (modelled === undefined || uuid === undefined) return
      const body = amount === undefined ? {} : { amount: String(amount) }
      const request = { ...body, ...(kind === 'capture' && final !== undefined && { final }) }
      const expectedError =
        kind === 'capture'
          ? model.capture(modelled, amount, final ?? amount === undefined)
          : kind === 'reverse'
            ? model.reverse(modelled, amount)
            : model.refund(modelled, amount)
      const response =
        kind === 'capture'
          ? cards.capture(real.caller, uuid, request)
          : kind === 'reverse'
            ? cards.reverse(real.caller, uuid, body)
            : cards.refund(real.caller, uuid, body)
      const actual = await authorizationIn(response).catch((error: unknown) => error)
      if (expectedError === undefined) expectSame(model, modelled, actual as AuthorizationResponse)
      else expect(actual instanceof RequestError ? actual.reason : actual).toBe(expectedError)
    }),
  )

const advanceClock = fc
  .oneof(
    fc.record({ minutes: fc.integer({ min: 1, max: 3_000 }) }),
    fc.record({ hours: fc.integer({ min: 20, max: 24 * 40 }) }),
  )
  .map((duration) =>
    command(`wait ${JSON.stringify(duration)}`, async (model, real) => {
      model.advanceTo(model.now.add(duration))
      await fixture.freezeClock(real.caller, model.now)
      await fixture.runJob(real.caller, 'card_hold_expiry', model.now)
    }),
  )

const changeZone = fc.constantFrom(...ZONES).map((zone) =>
  command(`move to ${zone}`, async (model, real) => {
    model.zone = zone
    await cards.edit(real.caller, real.cardId, { time_zone: zone })
  }),
)

const editLimit = fc
  .record({ period: fc.constantFrom(...PERIODS), amount: fc.nat(1_500), active: fc.boolean() })
  .map(({ period, amount, active }) =>
    command(`limit ${period} ${amount} ${active}`, async (model, real) => {
      const limit = model.limits.find((candidate) => candidate.period === period)
      if (limit === undefined) return
      limit.amount = amount
      limit.active = active
      const id = real.limitIds.get(period) ?? ''
      const edit = {
        id,
        period,
        limit_amount: String(amount),
        status: active ? ('Active' as const) : ('Inactive' as const),
      }
      await cards.editLimits(real.caller, real.cardId, [edit], '')
    }),
  )

const setCountLimit = fc
  .record({
    period: fc.constantFrom('Daily' as const, 'Monthly' as const, 'Lifetime' as const),
    count: fc.integer({ min: 3, max: 60 }),
  })
  .map((limit) =>
    command(`count ${limit.period} ${limit.count}`, async (model, real) => {
      model.countLimit = limit
      await cards.edit(real.caller, real.cardId, { spending_controls: { count_limits: [limit] } })
    }),
  )

async function start(zone: string, limits: readonly { period: Period; amount: number }[]) {
  const caller = await fixture.newBusiness()
  const now = Temporal.Instant.from('2026-10-23T10:00:00Z')
  await fixture.freezeClock(caller, now)
  const card = await fixture.issueActive(caller, {
    time_zone: zone,
    limits: limits.map(({ period, amount }) => ({ period, limit_amount: String(amount) })),
  })
  const model = new ReferenceCard(
    zone,
    now,
    limits.map((limit) => ({ ...limit, active: true })),
  )
  const limitIds = new Map(card.limits.map((limit) => [limit.period, limit.id]))
  const real: Real = { caller, cardId: card.id, limitIds, uuids: [] }
  return { model, real }
}

// Proves reference/cards#limits, reference/cards#limit-windows, reference/cards#authorizations, reference/cards#captures,
// reference/cards#refunds, reference/cards#holds.
test(
  'any sequence of operations gives the decisions, amounts and used amounts of the model',
  { timeout: 30_000 + RUNS * 1_500 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        fc.uniqueArray(
          fc.record({ period: fc.constantFrom(...PERIODS), amount: fc.integer({ min: 50, max: 1_200 }) }),
          { selector: (limit) => limit.period, minLength: 1 },
        ),
        fc.commands(
          [
            burst,
            burst,
            operation,
            operation,
            operation,
            operation,
            advanceClock,
            changeZone,
            editLimit,
            setCountLimit,
          ],
          {
            maxCommands: 30,
            size: 'max',
          },
        ),
        async (zone, limits, commands) => {
          let caller: Caller | undefined
          await fc.asyncModelRun(async () => {
            const started = await start(zone, limits)
            caller = started.real.caller
            return started
          }, commands)
          if (caller !== undefined) expect(await fixture.breaches(caller)).toEqual([])
        },
      ),
      { numRuns: RUNS },
    )
  },
)
