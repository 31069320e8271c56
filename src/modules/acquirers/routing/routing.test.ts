import { describe, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { ACCOUNTS, createAccountsFixture, credentials, ROUTING, type Tenant } from '../testing/accounts.ts'
import type { RoutingQuestion } from '../model/router.ts'

const { acquirers, business, deps, standIn } = await createAccountsFixture()

const putRules = (tenant: Tenant, rules: unknown, headers?: Record<string, string>) =>
  tenant.send('PUT', ROUTING, { routing: { rules } }, headers)
const preview = async (tenant: Tenant, members: Record<string, unknown> = {}) =>
  (await tenant.send('POST', `${ROUTING}/preview`, { amount: 100, currency: 'HKD', ...members })).data

const CARD: RoutingQuestion = {
  amount: Money.ofDecimal('HKD', '100'),
  paymentMethod: 'credit_card',
  source: 'one_off',
  brand: 'visa',
  country: null,
  instrument: 'card',
  boundTo: null,
}

async function tenantWith(count: number, members: Record<string, unknown> = { raw_card_numbers: true }) {
  const tenant = await business()
  const ids: string[] = []
  while (ids.length < count) ids.push((await tenant.connect(members)).id)
  return { tenant, ids: ids as [string, string, string] }
}

const routeOnce = async (tenant: Tenant, question: Partial<RoutingQuestion> = {}): Promise<string[]> => {
  const router = await acquirers.router(tenant)
  return router.route({ ...CARD, ...question }).map(({ id }) => id)
}

// Proves reference/acquirers#routing.
test('rules are returned as they were set, and are empty before', async () => {
  const { tenant, ids } = await tenantWith(2)
  const before = await tenant.send('GET', ROUTING)
  expect(before.data).toEqual({ routing: { rules: [], updated_at: null } })
  const rules = [
    {
      when: {
        currency: 'HKD',
        min_amount: 10.5,
        max_amount: 1000,
        brand: 'visa',
        country: 'HK',
        source: 'recurring',
      },
      accounts: [{ id: ids[0], weight: 3 }, { id: ids[1] }],
      fallback: ['simulator'],
    },
    { accounts: [{ id: 'simulator' }], by: 'success_rate' },
  ]
  const set = await putRules(tenant, rules)
  expect(set.status).toBe(200)
  expect(set.data.routing.rules).toEqual([
    {
      ...rules[0],
      accounts: [
        { id: ids[0], weight: 3 },
        { id: ids[1], weight: 1 },
      ],
    },
    { when: {}, accounts: [{ id: 'simulator', weight: 1 }], by: 'success_rate', fallback: [] },
  ])
  expect((await tenant.send('GET', ROUTING)).data).toEqual(set.data)
  expect((await putRules(tenant, [])).data.routing.rules).toEqual([])
})

describe('a rule that cannot be applied is refused with the name of the member', () => {
  const simulator = [{ id: 'simulator' }]
  test.each<[unknown, number, string]>([
    ['x', 400, 'rules'],
    [[{ accounts: [] }], 400, 'rules[0].accounts'],
    [[{}], 400, 'rules[0].accounts'],
    [[{ accounts: simulator, extra: 1 }], 400, 'rules[0].extra'],
    [[{ accounts: simulator, when: { amount: 1 } }], 400, 'rules[0].when.amount'],
    [[{ accounts: [{ id: 'simulator', weight: 0 }] }], 400, 'rules[0].accounts[0].weight'],
    [[{ accounts: [{ id: 'simulator', weight: 1.5 }] }], 400, 'rules[0].accounts[0].weight'],
    [[{ accounts: [{ id: 'simulator', weight: -1 }] }], 400, 'rules[0].accounts[0].weight'],
    [[{ accounts: [{ id: 'simulator', weight: 1e15 }] }], 400, 'rules[0].accounts[0].weight'],
    [[{ accounts: simulator, when: { country: 'Hongkong' } }], 400, 'rules[0].when.country'],
    [[{ accounts: simulator, when: { source: 'weekly' } }], 400, 'rules[0].when.source'],
    [[{ accounts: simulator, when: { min_amount: '5' } }], 400, 'rules[0].when.min_amount'],
    [Array.from({ length: 101 }, () => ({ accounts: simulator })), 400, 'rules'],
    [[{ accounts: simulator, when: { currency: 'XXX' } }], 422, 'rules[0].when.currency'],
    [[{ accounts: simulator, when: { min_amount: 2, max_amount: 1 } }], 422, 'rules[0].when.min_amount'],
    [[{ accounts: simulator, when: { min_amount: -1 } }], 422, 'rules[0].when.min_amount'],
    [[{ accounts: simulator, when: { min_amount: 1e300 } }], 422, 'rules[0].when.min_amount'],
    [[{ accounts: simulator, when: { currency: 'JPY', max_amount: 1.5 } }], 422, 'rules[0].when.max_amount'],
    [[{ accounts: [...simulator, ...simulator] }], 422, 'rules[0].accounts[1].id'],
    [[{ accounts: [{ id: 'acc_unknown' }] }], 422, 'rules[0].accounts[0].id'],
    [[{ accounts: simulator, fallback: ['acc_unknown'] }], 422, 'rules[0].fallback[0]'],
  ])('%j', async (rules, status, member) => {
    const tenant = await business()
    const answer = await putRules(tenant, rules)
    expect([answer.status, answer.data.error.param]).toEqual([status, `routing.${member}`])
    expect((await tenant.send('GET', ROUTING)).data.routing.updated_at).toBeNull()
  })
})

test('a rule cannot name the account of another business, nor the simulator in a live environment', async () => {
  const { ids } = await tenantWith(1)
  const stranger = await business()
  const live = await business('live')
  for (const [tenant, id] of [
    [stranger, ids[0]],
    [live, 'simulator'],
  ] as const) {
    const answer = await putRules(tenant, [{ accounts: [{ id }] }])
    expect([answer.status, answer.data.error.param]).toEqual([422, 'routing.rules[0].accounts[0].id'])
  }
})

test('of concurrent replacements one wins as a whole', async () => {
  const { tenant, ids } = await tenantWith(3)
  await Promise.all(ids.map((id) => putRules(tenant, [{ accounts: [{ id }] }, { accounts: [{ id }] }])))
  const { rules } = (await tenant.send('GET', ROUTING)).data.routing
  expect(rules).toHaveLength(2)
  expect(rules[0]).toEqual(rules[1])
})

test('a replayed replacement returns the same and does not undo a later one', async () => {
  const { tenant, ids } = await tenantWith(2)
  const key = { 'idempotency-key': 'rules' }
  const set = await putRules(tenant, [{ accounts: [{ id: ids[0] }] }], key)
  await putRules(tenant, [{ accounts: [{ id: ids[1] }] }])
  const replayed = await putRules(tenant, [{ accounts: [{ id: ids[0] }] }], key)
  expect([replayed.status, replayed.data]).toEqual([200, set.data])
  expect((await tenant.send('GET', ROUTING)).data.routing.rules[0].accounts[0].id).toBe(ids[1])
})

test('without rules the oldest active account takes a payment that it can take, and the simulator the others', async () => {
  const { tenant, ids } = await tenantWith(2)
  expect(await routeOnce(tenant)).toEqual([ids[0]])
  expect(await routeOnce(tenant, { paymentMethod: 'wallet_a_pay', instrument: 'wallet' })).toEqual([
    'simulator',
  ])
  await tenant.send('DELETE', `${ACCOUNTS}/${ids[0]}`)
  expect(await routeOnce(tenant)).toEqual([ids[1]])
  await tenant.send('PUT', `${ACCOUNTS}/${ids[1]}`, { acquirer_account: { raw_card_numbers: false } })
  expect(await routeOnce(tenant)).toEqual(['simulator'])
  expect(await routeOnce(tenant, { instrument: 'bound', boundTo: ids[1] })).toEqual([ids[1]])
  expect(await routeOnce(tenant, { instrument: 'bound', boundTo: ids[0] })).toEqual([])
})

test('a new rule holds at once, and weights divide the payments by volume', async () => {
  const { tenant, ids } = await tenantWith(2)
  await routeOnce(tenant)
  const accounts = [
    { id: ids[0], weight: 1 },
    { id: ids[1], weight: 3 },
  ]
  await putRules(tenant, [{ accounts, fallback: [ids[0], 'simulator'] }])
  const chosen = new Map<string, number>()
  for (let payment = 0; payment < 400; payment++) {
    const [id = '', ...fallback] = await routeOnce(tenant)
    chosen.set(id, (chosen.get(id) ?? 0) + 1)
    expect(fallback).toEqual(id === ids[0] ? ['simulator'] : [ids[0], 'simulator'])
  }
  expect([chosen.get(ids[0]), chosen.get(ids[1])]).toEqual([100, 300])
})

// Proves reference/operations#metrics.
test('a rule by success rate prefers the account that approves more, once it has enough payments', async () => {
  const { tenant, ids } = await tenantWith(2)
  await putRules(tenant, [{ accounts: [{ id: ids[0], weight: 100 }, { id: ids[1] }], by: 'success_rate' }])
  expect(await routeOnce(tenant)).toEqual([ids[0]])
  standIn.answer = (_path, response) => void response.writeHead(402).end()
  const acquirer = await acquirers.open(tenant.businessId, ids[0])
  const sell = () => acquirer.sale({ key: 'k' } as Parameters<typeof acquirer.sale>[0])
  for (let payment = 0; payment < 20; payment++) {
    expect(await routeOnce(tenant)).not.toEqual([])
    expect((await sell()).kind).toBe('declined')
  }
  standIn.answer = undefined
  const metrics = await deps.registry.metrics()
  expect(metrics).toContain(
    'acquirer_outcomes_total{acquirer="stripe",operation="sale",outcome="declined"} 20',
  )
  expect(metrics).toContain(
    'acquirer_operation_duration_seconds_count{acquirer="stripe",operation="sale"} 20',
  )
  expect(metrics).toContain(`acquirer_account_success_rate{account="${ids[0]}"} 0\n`)
  expect(metrics).not.toContain(tenant.businessId)
  expect(await routeOnce(tenant)).toEqual([ids[1]])
  const { candidates } = await preview(tenant)
  expect(candidates[0]).toMatchObject({ id: ids[0], success_rate: 0, latency_ms: expect.any(Number) })
  expect(candidates[1]).toMatchObject({ id: ids[1], success_rate: null, latency_ms: null })
})

// Proves reference/acquirers#routing-preview.
test('a preview says which rule decides, why, and why each other account is left out; it counts as no payment', async () => {
  const { tenant, ids } = await tenantWith(2)
  const wallets = await tenant.connect({ methods: ['wallet_b'] })
  await putRules(tenant, [
    { when: { brand: 'amex' }, accounts: [{ id: ids[0] }] },
    { when: { currency: 'HKD' }, accounts: [{ id: ids[1] }, { id: ids[0] }], fallback: [ids[0]] },
  ])
  const expected = {
    rule: 1,
    account: ids[1],
    fallback: [ids[0]],
    reason: 'Rule 1 is the first that matches and has an account that can take the payment.',
    candidates: [
      { id: ids[0], left_out: null, success_rate: null, latency_ms: null },
      { id: ids[1], left_out: null, success_rate: null, latency_ms: null },
      { id: wallets.id, left_out: 'it does not take credit_card', success_rate: null, latency_ms: null },
      { id: 'simulator', left_out: null, success_rate: null, latency_ms: null },
    ],
  }
  expect(await preview(tenant, { brand: 'visa' })).toEqual(expected)
  expect(await preview(tenant, { brand: 'visa' })).toEqual(expected)
  expect(await preview(tenant, { brand: 'amex' })).toMatchObject({ rule: 0, account: ids[0] })
  expect(await preview(tenant, { currency: 'USD' })).toMatchObject({
    rule: null,
    account: ids[0],
    reason: `No rule decides; ${ids[0]} is the oldest active account that can take the payment.`,
  })
})

test('a preview in a live environment without an account says that none can take the payment', async () => {
  const tenant = await business('live')
  expect(await preview(tenant)).toEqual({
    rule: null,
    account: null,
    fallback: [],
    reason: 'No account can take this payment.',
    candidates: [],
  })
})

test.each([
  [{ amount: '5' }, 400, 'amount'],
  [{ amount: 0 }, 422, 'amount'],
  [{ amount: 1e300 }, 422, 'amount'],
  [{ amount: 1.001 }, 422, 'amount'],
  [{ currency: 'XXX' }, 422, 'currency'],
  [{ payment_method: 'cash' }, 400, 'payment_method'],
  [{ no_such_member: 1 }, 400, 'no_such_member'],
])('a preview of %j is refused', async (members, status, param) => {
  const answer = await preview(await business(), members)
  expect([Math.floor(status), answer.error.param]).toEqual([status, param])
})

test('a page gets the component of the account that would be chosen, and its own form for the simulator', async () => {
  const { tenant, ids } = await tenantWith(1, {})
  const { amount, source } = CARD
  const offer = async (of = tenant) => acquirers.offer(of, { amount, source }, null)
  expect(await offer()).toMatchObject({
    methods: new Set(['credit_card', 'wallet_a_pay', 'wallet_b']),
    component: { accountId: ids[0], acquirer: 'stripe', publicKey: 'pk_test_ONE_1' },
  })
  await tenant.send('PUT', `${ACCOUNTS}/${ids[0]}`, { acquirer_account: { raw_card_numbers: true } })
  expect(await offer()).toMatchObject({ component: null })
  expect(await offer(await business())).toMatchObject({ component: null })
  const live = await business('live')
  expect(await offer(live)).toEqual({
    methods: new Set(),
    wallets: { walletA: null, walletB: null },
    cardAcquirer: '',
    component: null,
  })
})

// Proves reference/orders#payment-links.
test('a live payer can pay on a page in a currency only if an active account takes it and a method of the page', async () => {
  const tenant = await business('live')
  const canPay = async () => {
    const router = await acquirers.router(tenant)
    return ['HKD', 'JPY'].filter((currency) => router.hasPageFor(currency))
  }
  expect(await canPay()).toEqual([])
  await tenant.connect({ methods: ['payment_token'] })
  expect(await canPay()).toEqual([])
  const { id } = await tenant.connect({ currencies: ['JPY'], credentials: credentials('live', 'TWO_2') })
  expect(await canPay()).toEqual(['JPY'])
  await tenant.send('DELETE', `${ACCOUNTS}/${id}`)
  expect(await canPay()).toEqual([])
  expect((await acquirers.router(await business('test'))).hasPageFor('HKD')).toBe(true)
})
