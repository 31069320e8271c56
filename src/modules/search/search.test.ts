import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { asReply, createFixture } from '../payments/testing/fixture.ts'
import { renderHits } from './api/render.ts'
import type { SearchDependencies } from './dependencies.ts'
import { find as findHits } from './search.ts'

const fixture = await createFixture()
const { payments, customers, db } = fixture
const deps: SearchDependencies = {
  db,
  customers,
  payments,
  sources: [
    { scope: 'payments:read', search: (tx, search) => payments.search(tx, search) },
    { scope: 'customers:read', search: (tx, search) => customers.search(tx, search) },
  ],
}
const merchant = await fixture.newMerchant()
const ALL = new Set(['payments:read', 'customers:read'])

async function find(query: string, scopes: ReadonlySet<string> = ALL) {
  return renderHits(await findHits(deps, { ...merchant.caller, scopes }, query, 20)).results
}

async function found(query: string): Promise<string[]> {
  return (await find(query)).map(({ id }) => id)
}

async function create(profile: { name: string; email?: string; phone?: string; dial_code?: string }) {
  const { customer } = await customers.create(merchant.caller, {
    reference_number: newId('Ref'),
    phone: '0',
    ...profile,
  })
  return { ...customer, name: profile.name }
}

const chan = await create({
  name: 'Chan Tai Man',
  email: 'Tai-Man.Chan88@mail.example',
  phone: '9123 4567',
  dial_code: '+852',
})
const smith = await create({ name: 'Zoë O’Brien-Smith' })
const wong = await create({ name: '黃小明' })
const { order } = asReply(
  await payments.createOrder(
    merchant.caller,
    {
      reference_number: 'Invoice-7781',
      currency: 'HKD',
      initial_total: 1234.5,
      customer_uuid: merchant.customerUuid,
    },
    false,
  ),
)
const { transaction } = asReply(
  await payments.payOrder(merchant.caller, {
    order: { number: order.number },
    transaction: { type: 'Sales', payment_token: merchant.token, reference_id: 'pay-7781' },
  }),
)

// Proves reference/search#what-is-found.
test.each([
  ['Invoice-7781', 'order', 'exact'],
  ['invoice-77', 'order', 'prefix'],
  ['INVOICE', 'order', 'prefix'],
  [order.number, 'order', 'exact'],
  ['1234.5', 'order', 'exact'],
  ['HK$1,234.50', 'order', 'exact'],
  ['1234.50 HKD', 'transaction', 'exact'],
  ['pay-7781', 'transaction', 'exact'],
  [transaction.uuid, 'transaction', 'exact'],
  ['4242', 'transaction', 'exact'],
  ['•••• 4242', 'payment_token', 'exact'],
  [merchant.token, 'payment_token', 'exact'],
  [chan.uuid, 'customer', 'exact'],
  [chan.reference_number, 'customer', 'exact'],
])('%s finds the %s (%s)', async (query, type, match) => {
  expect(await find(query)).toContainEqual(expect.objectContaining({ type, match }))
})

test('what belongs to an order has its reference and its customer, for whoever may read them', async () => {
  const customer = { uuid: merchant.customerUuid, name: expect.any(String) }
  for (const query of [order.number, transaction.uuid]) {
    expect(await find(query)).toMatchObject([{ reference: 'Invoice-7781', customer }])
    expect(await find(query, new Set(['payments:read']))).toMatchObject([
      { reference: 'Invoice-7781', customer: null },
    ])
  }
})

// Proves reference/search#customers.
test.each([
  'chan tai man',
  'CHAN TAI M',
  'tai man',
  'man chan',
  'Chan Man',
  'tai-man.chan88@mail.example',
  'chan88@mail',
  '@mail.example',
  '91234567',
  '9123 4567',
  '+852 9123 4567',
])('%s finds Chan Tai Man', async (query) => {
  expect(await found(query)).toContain(chan.uuid)
})

test('two customers of one name differ by their references', async () => {
  const twins = [await create({ name: 'Katherine Johnson' }), await create({ name: 'Katherine Johnson' })]
  const results = await find('katherine johnson')
  for (const { uuid, reference_number: reference } of twins) {
    expect(results.find(({ id }) => id === uuid)?.subtitle).toContain(reference)
  }
})

test('a phone number with a country code finds a customer who was stored without one', async () => {
  const { uuid } = await create({ name: 'Ho Mei Ling', phone: '6612 3408' })
  for (const query of ['+852 6612 3408', '+85266123408', '+44 (6612) 3408']) {
    expect(await found(query)).toContain(uuid)
  }
  expect(await found('+852 6612 9999')).not.toContain(uuid)
})

test.each([['zoe', 'o’brien', "O'Brien", 'obrien smith', 'Zoë OBrien', 'smith zoe']].flat())(
  '%s finds Zoë O’Brien-Smith',
  async (query) => {
    expect(await found(query)).toContain(smith.uuid)
  },
)

test('a name without spaces is found by each of its characters', async () => {
  for (const query of ['黃小明', '小明', '明']) expect(await found(query)).toEqual([wong.uuid])
})

// Proves reference/search#typing-errors.
test.each([
  ['chna tai man', 'swapped letters'],
  ['chann tai man', 'a letter too many'],
  ['tai-man.chxn88@mail.example', 'a wrong letter'],
  ['chan88@mail.exmple', 'a missing letter'],
])('%s (%s) finds Chan Tai Man as similar', async (query) => {
  expect(await find(query)).toContainEqual(expect.objectContaining({ id: chan.uuid, match: 'similar' }))
})

test('two errors are forgiven in a long word, and none in a short one', async () => {
  const { uuid } = await create({ name: 'Alexandrescu' })
  expect(await found('Alexendresku')).not.toContain(uuid)
  expect(await found('Alexnadrescuu')).toContain(uuid)
  expect(await found('tia mna')).not.toContain(chan.uuid)
})

test('what matches exactly comes before prefixes, and those before similar words', async () => {
  await create({ name: 'Marten' })
  await create({ name: 'Martens' })
  const { uuid } = await create({ name: 'Marden' })
  const results = (await find('marten')).filter(({ type }) => type === 'customer')
  expect(results.map(({ match }) => match)).toEqual(['exact', 'prefix', 'similar'])
  expect(results.at(-1)?.id).toBe(uuid)
})

test('an edited customer is found by what it is now, and not by what it was', async () => {
  const { uuid } = await create({ name: 'Gregorson', email: 'gregor@old.example' })
  await customers.edit(merchant.caller, uuid, { name: 'Philipps', phone: '0', email: 'phil@new.example' })
  expect(await found('Philipps')).toContain(uuid)
  expect(await found('phil@new')).toContain(uuid)
  for (const query of ['Gregorson', 'gregor@old.example']) expect(await found(query)).not.toContain(uuid)
})

// Proves reference/search#scopes.
test('only kinds that the scopes allow are found', async () => {
  const kinds = async (scope: string) =>
    new Set((await find('4242', new Set([scope]))).map(({ type }) => type))
  expect(await kinds('payments:write')).toEqual(new Set(['transaction']))
  expect(await kinds('customers:read')).toEqual(new Set(['payment_token']))
  expect(await kinds('search:read')).toEqual(new Set())
})

test('nothing of another business is found', async () => {
  const other = await fixture.newMerchant()
  for (const query of ['Invoice-7781', 'chan tai man', 'chna tai man', order.number, transaction.uuid]) {
    const hits = await findHits(deps, { ...other.caller, scopes: ALL }, query, 50)
    const ids = hits.map(({ id }) => id)
    for (const id of [chan.uuid, order.number, transaction.uuid]) expect(ids).not.toContain(id)
  }
})

test('any text is searched without an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), async (query) => {
      await find(query.replaceAll('\0', ''))
    }),
    { numRuns: 60 },
  )
})
