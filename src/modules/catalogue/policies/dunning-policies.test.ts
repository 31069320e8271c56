import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { loadPlans } from '#modules/plans'
import { asJson, createFixture, Shop } from '../../billing/testing/fixture.ts'
import type { NewDunningPolicy } from '../model/dunning-policy-requests.ts'

// Proves reference/billing-dunning#policies, reference/billing-dunning#plans.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const PAGE = { list: 'dunning_policies', offset: 0, limit: 20, after: undefined }
const STEPS = [{ after_days: 3, at_time: '09:00' }, { after_days: 7 }]

async function create(shop: Shop, members: Partial<NewDunningPolicy> = {}) {
  const request = { name: 'Tries', steps: STEPS, ...members }
  return asJson(await recurring.createPolicy(shop.caller, request)).dunning_policy
}

test('a policy shows its defaults, keeps what an edit leaves out, and writes its events', async () => {
  const shop = await Shop.open(fixture, START)
  const soft = [{ decline_codes: ['insufficient_funds'], steps: [{ days_of_month: [1, 31] }] }]
  const policy = await create(shop, { soft, reference_id: 'r-1', metadata: { team: 'a' }, reminders: [0, 3] })
  expect(policy).toMatchObject({
    id: expect.stringMatching(/^dpo_/),
    name: 'Tries',
    steps: STEPS,
    soft: [{ decline_codes: ['insufficient_funds'], steps: [{ days_of_month: [1, 31], min_days: 1 }] }],
    hard: 'wait',
    new_token: 'retry',
    exhausted: 'uncollectible',
    reminders: [0, 3],
    reference_id: 'r-1',
    metadata: { team: 'a' },
  })
  await shop.jump('2031-02-01T00:00:00Z')
  const edited = asJson(
    await recurring.editPolicy(shop.caller, policy.id, { name: 'Fewer', exhausted: 'cancel', soft: [] }),
  ).dunning_policy
  const changes = { name: 'Fewer', exhausted: 'cancel', soft: [], updated_at: '2031-02-01T00:00:00.000Z' }
  expect(edited).toEqual({ ...policy, ...changes })
  expect(asJson(await recurring.policy(shop.caller, policy.id)).dunning_policy).toEqual(edited)
  const events = await shop.events(policy.id)
  expect(events.map(({ type }) => type)).toEqual(['dunning_policy.created', 'dunning_policy.updated'])
  expect(events[1]?.data).toEqual({ dunning_policy: edited })
})

test('policies are listed newest first, filtered, and their reference is unique', async () => {
  const shop = await Shop.open(fixture, START)
  const first = await create(shop, { reference_id: 'r-1' })
  const second = await create(shop)
  const list = async (filter?: string) =>
    asJson(await recurring.policiesPage(shop.caller, filter, PAGE)).dunning_policies.map(({ id }) => id)
  expect(await list()).toEqual([second.id, first.id])
  expect(await list('reference_id = "r-1"')).toEqual([first.id])
  expect(await list(`id = "${second.id}"`)).toEqual([second.id])
  expect(await list('created_at > 2031-02-10')).toEqual([])
  expect(await refusalOf(create(shop, { reference_id: 'r-1' }))).toBe(
    '409 reference_id_taken dunning_policy.reference_id',
  )
})

const step = { after_days: 1 }
const soft = (decline_codes: string[], steps = [step]) => [{ decline_codes, steps }]
test.each<[Partial<NewDunningPolicy>, string]>([
  [{ steps: [] }, 'steps must have 1 to 99 steps'],
  [
    { steps: Array.from({ length: 100 }, (_, index) => ({ after_days: index + 1 })) },
    'steps must have 1 to 99 steps',
  ],
  [{ steps: [{ ...step, days_of_month: [1] }] }, 'steps[0].days_of_month cannot be sent with after_days'],
  [{ steps: [{ ...step, min_days: 2 }] }, 'steps[0].min_days cannot be sent with after_days'],
  [{ steps: [{ days_of_month: [] }] }, 'steps[0].days_of_month must name a day'],
  [{ steps: [{ days_of_month: [1, 2, 1] }] }, 'steps[0].days_of_month[2] must not name a day twice'],
  [
    { steps: [{ after_days: 7 }, { days_of_month: [1] }, { after_days: 3 }] },
    'steps[2].after_days must be more than after_days of the step before, or equal to it with a later at_time in both steps',
  ],
  [
    { steps: [{ ...step, at_time: '09:00' }, step] },
    'steps[1].after_days must be more than after_days of the step before, or equal to it with a later at_time in both steps',
  ],
  [{ soft: soft([]) }, 'soft[0].decline_codes must name a decline code'],
  [{ soft: soft(['a', 'a']) }, 'soft[0].decline_codes[1] must not name a decline code twice'],
  [
    { soft: [...soft(['a']), ...soft(['b', 'a'])] },
    'soft[1].decline_codes[1] must not name a decline code twice',
  ],
  [{ soft: soft(['a'], []) }, 'soft[0].steps must have 1 to 99 steps'],
  [{ reminders: [3, 3] }, 'reminders[1] must be more than the number before'],
])('%j is refused, because %s', async (members, reason) => {
  const shop = await Shop.open(fixture, START)
  const param = `dunning_policy.${reason.split(' ')[0]}`
  const refusal = { reason: 'policy_inconsistent', detail: { param, message: `dunning_policy.${reason}.` } }
  await expect(create(shop, members)).rejects.toMatchObject(refusal)
  const { id } = await create(shop)
  await expect(recurring.editPolicy(shop.caller, id, members)).rejects.toMatchObject(refusal)
})

test('a step with neither after_days nor days_of_month lacks a member', async () => {
  const shop = await Shop.open(fixture, START)
  expect(await refusalOf(create(shop, { steps: [step, { at_time: '09:00' }] }))).toBe(
    '400 missing_member dunning_policy.steps[1].after_days',
  )
})

test('two steps of one day are in order by their times of day', async () => {
  const shop = await Shop.open(fixture, START)
  const steps = [
    { after_days: 1, at_time: '09:00' },
    { after_days: 1, at_time: '18:00' },
  ]
  expect((await create(shop, { steps })).steps).toEqual(steps)
})

test('a plan shows its policy and the numbers of it, whatever was sent, and lists find it by its policy', async () => {
  const shop = await Shop.open(fixture, START)
  const policy = await create(shop)
  const customer = await shop.customer()
  const sent = { payment_retry_count: 9, payment_retry_day_period: 8 }
  const plan = await shop.plan(customer, { dunning_policy_id: policy.id, ...sent })
  const shown = { dunning_policy_id: policy.id, payment_retry_count: 3, payment_retry_day_period: 3 }
  expect(plan).toMatchObject(shown)
  expect((await shop.events(plan.id))[0]?.data.plan).toMatchObject(shown)
  const other = await shop.plan(customer)
  const edit = async (id: string, dunning_policy_id: string | null) =>
    asJson(await recurring.edit(shop.caller, id, { dunning_policy_id })).plan
  const payday = await create(shop, { steps: [{ days_of_month: [31], min_days: 4 }] })
  expect(await edit(other.id, payday.id)).toMatchObject({
    payment_retry_count: 2,
    payment_retry_day_period: 4,
  })
  const find = async (id: string) => {
    const page = await recurring.page(shop.caller, `dunning_policy_id = "${id}"`, {
      ...PAGE,
      list: 'recurring_plans',
    })
    return asJson(page).plans.map((one) => one.id)
  }
  expect(await find(policy.id)).toEqual([plan.id])
  expect(await find(payday.id)).toEqual([other.id])
  expect(await edit(plan.id, null)).toMatchObject(sent)
  expect(await find(policy.id)).toEqual([])
})

test('a policy that does not exist or is of another business is not found', async () => {
  const shop = await Shop.open(fixture, START)
  const { id } = await create(await Shop.open(fixture, START))
  const customer = await shop.customer()
  const plan = await shop.plan(customer)
  const body = { dunning_policy_id: id }
  expect(await refusalOf(recurring.policy(shop.caller, id))).toBe('404 dunning_policy_not_found')
  expect(await refusalOf(recurring.editPolicy(shop.caller, id, { name: 'x' }))).toBe(
    '404 dunning_policy_not_found',
  )
  const notFound = '404 dunning_policy_not_found plan.dunning_policy_id'
  expect(await refusalOf(shop.plan(customer, body))).toBe(notFound)
  expect(await refusalOf(recurring.edit(shop.caller, plan.id, body))).toBe(notFound)
  const preview = { ...body, name: 'P', customer_uuid: customer, recurring_cycles: [await shop.cycle()] }
  const numbers = { payment_retry_count: 1, payment_retry_day_period: 1 }
  const method = { default_collection_method: 'charge_automatically' } as const
  expect(await refusalOf(recurring.preview(shop.caller, { ...preview, ...numbers, ...method }))).toBe(
    notFound,
  )
})

test('plans without a policy are read in three statements, and the policies of many plans in one more', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const policies = [await create(shop), await create(shop)]
  const without = [await shop.plan(customer), await shop.plan(customer)]
  const withPolicy = await Promise.all(
    policies.map(({ id }) => shop.plan(customer, { dunning_policy_id: id })),
  )
  const statementsOf = (plans: readonly { id: string }[]) =>
    fixture.db.transact(shop.caller.businessId, async (tx) => {
      let count = 0
      const query: typeof tx.query = (statement) => {
        count++
        return tx.query(statement)
      }
      await loadPlans({ ...tx, query }, { planIds: plans.map(({ id }) => id) })
      return count
    })
  expect(await statementsOf(without)).toBe(3)
  expect(await statementsOf([...without, ...withPolicy])).toBe(4)
})
