import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { RULES } from './verify.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness } = fixture

/** Makes one authorization in each of five states, so that each rule has rows to check. */
async function busyBusiness() {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    title: 'Groceries',
    limits: (['Transaction', 'Daily', 'Monthly', 'Lifetime'] as const).map((period) => ({
      period,
      limit_amount: '100',
    })),
  })
  await cards.editLimits(
    caller,
    card.id,
    card.limits.map(({ id, period }) => ({
      id,
      period: period as 'Daily',
      limit_amount: '100',
    })),
    '',
  )
  const authorizations = {
    pending: await authorize(caller, card.id, '10'),
    captured: await authorize(caller, card.id, '20'),
    refunded: await authorize(caller, card.id, '30'),
    reversed: await authorize(caller, card.id, '40'),
    declined: await authorize(caller, card.id, '101'),
  }
  await cards.capture(caller, authorizations.captured.uuid, { amount: '25' })
  await cards.capture(caller, authorizations.refunded.uuid, {})
  await cards.refund(caller, authorizations.refunded.uuid, {})
  await cards.reverse(caller, authorizations.reversed.uuid, {})
  return { caller, card, authorizations }
}

type Busy = Awaited<ReturnType<typeof busyBusiness>>

/** Funds the same card from a wallet whose holds agree with it. */
async function fundedBusiness() {
  const busy = await busyBusiness()
  await fixture.admin.query(`update cards set funding_wallet_id = 'wal_1' where id = $1`, [busy.card.id])
  await fixture.admin.query(
    `insert into wallet_holds (business_id, id, wallet_id, currency, held, captured, refunded, created_at)
     select business_id, uuid, 'wal_1', 'USDC', held_minor * 0.01, captured_minor * 0.01, refunded_minor * 0.01, created_at
       from card_authorizations where card_id = $1 and state <> 'declined'`,
    [busy.card.id],
  )
  return busy
}

// Proves reference/operations#verify.
test('untouched data has no breach', async () => {
  const { caller } = await busyBusiness()
  expect(await fixture.breaches(caller)).toEqual([])
})

const uuidOf = (state: keyof Busy['authorizations']) => (busy: Busy) => busy.authorizations[state].uuid
const cardIdOf = ({ card }: Busy) => card.id
const limitIdOf = (period: string) => (busy: Busy) =>
  busy.card.limits.find((limit) => limit.period === period)?.id ?? ''
const usage = (change: string) => `update card_usage set ${change} where card_id = $1`
const authorization = (change: string) => `update card_authorizations set ${change} where uuid = $1`

const WALLET_RULE = 'card_hold_agrees_with_wallet'

const BREAKS: readonly [
  description: string,
  rule: string,
  statement: string,
  object: (busy: Busy) => string,
][] = [
  ['a missing usage row', 'card_has_usage', 'delete from card_usage where card_id = $1', cardIdOf],
  ['a lifetime off by a cent', 'card_usage_is_sum', usage('lifetime_minor = lifetime_minor + 1'), cardIdOf],
  ['a month off by a cent', 'card_usage_is_sum', usage('monthly_minor = monthly_minor - 1'), cardIdOf],
  ['a day off by a cent', 'card_usage_is_sum', usage('daily_minor = daily_minor + 1'), cardIdOf],
  ['a count off by one', 'card_usage_is_sum', usage('daily_count = daily_count - 1'), cardIdOf],
  [
    'a missing authorization',
    'card_usage_is_sum',
    "delete from card_authorizations where card_id = $1 and state = 'pending'",
    cardIdOf,
  ],
  ...(['Daily', 'Monthly', 'Lifetime'] as const).map(
    (period): [string, string, string, (busy: Busy) => string] => [
      `a ${period} limit below the amount approved under it`,
      'card_limit_not_exceeded',
      'update card_limits set amount_minor = 2999 where id = $1',
      limitIdOf(period),
    ],
  ),
  [
    'an approval above the Transaction limit',
    'card_transaction_limit_not_exceeded',
    authorization('amount_minor = 10001'),
    uuidOf('pending'),
  ],
  [
    'a capture without an operation',
    'card_authorization_sums',
    authorization('captured_minor = 2600, forced_minor = 600'),
    uuidOf('captured'),
  ],
  [
    'a hold above the authorized amount',
    'card_authorization_sums',
    authorization('held_minor = 1001'),
    uuidOf('pending'),
  ],
  [
    'a refund without an operation',
    'card_authorization_sums',
    authorization('refunded_minor = 1'),
    uuidOf('captured'),
  ],
  [
    'a captured authorization in state refunded',
    'card_authorization_state',
    authorization("state = 'refunded'"),
    uuidOf('captured'),
  ],
  [
    'a refunded authorization in state captured',
    'card_authorization_state',
    authorization("state = 'captured'"),
    uuidOf('refunded'),
  ],
  [
    'a captured authorization in state expired',
    'card_authorization_state',
    authorization("state = 'expired'"),
    uuidOf('captured'),
  ],
  [
    'a card that is not found by a word of its title',
    'cards_have_their_terms',
    'delete from card_terms where card_id = $1',
    cardIdOf,
  ],
  [
    'a hold without a scheduled expiry',
    'due_work_has_a_head',
    `delete from next_runs
      where job = 'card_hold_expiry'
        and business_id = (select business_id from card_authorizations where uuid = $1)`,
    uuidOf('pending'),
  ],
  [
    'a hook call without a scheduled timeout',
    'due_work_has_a_head',
    authorization("hook_due_at = now(), hook_timeout_fallback = 'approve'"),
    uuidOf('pending'),
  ],
  [
    'a card without a scheduled expiry',
    'due_work_has_a_head',
    `delete from next_runs
      where job = 'card_expiry' and business_id = (select business_id from cards where id = $1)`,
    cardIdOf,
  ],
]

test('every rule has a test that breaks it', () => {
  expect(new Set([WALLET_RULE, ...BREAKS.map(([, rule]) => rule)])).toEqual(new Set(Object.keys(RULES)))
})

test.each(BREAKS)('verify finds %s', async (_description, rule, statement, objectOf) => {
  const busy = await busyBusiness()
  const object = objectOf(busy)
  const { rowCount } = await fixture.admin.query(statement, [object])
  expect(rowCount).toBe(1)
  expect(await fixture.breaches(busy.caller)).toContainEqual({
    rule,
    business_id: busy.caller.businessId,
    object,
    detail: expect.any(String) as string,
  })
})

test.each<[difference: string, statement: string, object: (busy: Busy) => string]>([
  ['a higher held amount', 'update wallet_holds set held = held + 0.01 where id = $1', uuidOf('pending')],
  [
    'a lower captured amount',
    'update wallet_holds set captured = captured - 0.01 where id = $1',
    uuidOf('captured'),
  ],
  [
    'a lower refunded amount',
    'update wallet_holds set refunded = refunded - 0.01 where id = $1',
    uuidOf('refunded'),
  ],
  ['no hold', 'delete from wallet_holds where id = $1', uuidOf('reversed')],
  [
    'the hold in another wallet',
    `update wallet_holds set wallet_id = 'wal_2' where id = $1`,
    uuidOf('pending'),
  ],
])('verify finds a wallet that disagrees with its card: %s', async (_difference, statement, objectOf) => {
  const busy = await fundedBusiness()
  expect(await fixture.breaches(busy.caller)).toEqual([])
  const object = objectOf(busy)
  await fixture.admin.query(statement, [object])
  const [breach] = await fixture.breaches(busy.caller)
  expect(breach).toMatchObject({ rule: WALLET_RULE, object })
})
