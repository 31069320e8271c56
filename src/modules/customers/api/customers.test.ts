import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { RequestError } from '#kernel/errors'
import { compileValidation } from '#platform/http/validation/validation'
import { readPage } from '#platform/http/validation/list'
import { withKey } from '#platform/testing/requests'
import { freezeClock } from '#platform/testing/clock'
import { bindCard, createFixture, newCustomer } from '../testing/fixture.ts'
import { customerRoutes } from './routes.ts'

const fixture = await createFixture()
const { customers } = fixture
const firstPage = { list: 'customers', offset: 0, limit: 20, after: undefined }

/** Validates a body against the schema of a route. */
function refusal(
  method: string,
  path: string,
  body: object,
): { reason: string; message: string; param?: string } | null {
  const route = customerRoutes(fixture.ctx).find((one) => one.method === method && one.path.endsWith(path))
  if (route === undefined) throw new Error(`no ${method} ${path}`)
  try {
    compileValidation(route).body(Buffer.from(JSON.stringify(body)))
    return null
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return {
      reason: error.reason,
      message: error.message,
      ...(error.detail.param !== undefined && { param: error.detail.param }),
    }
  }
}

// Proves reference/customers#profiles, reference/customers#lengths, reference/customers#default-token.
test('a response shows the customer as it was sent, without members that have no value', async () => {
  const { caller } = await fixture.business()
  const { customer } = await customers.create(caller, {
    reference_number: 'c-1',
    name: '陳大文',
    phone: '5550100',
    company_name: 'Analytical Engines',
  })
  expect(customer).toEqual({
    uuid: expect.stringMatching(/^cus_/),
    reference_number: 'c-1',
    name: '陳大文',
    dial_code: '',
    phone: '5550100',
    company_name: 'Analytical Engines',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(await customers.byReference(caller, 'c-1')).toEqual({ customer })
})

test('concurrent creations with one reference number store one customer, and the other responses name it', async () => {
  const { caller } = await fixture.business()
  const request = { reference_number: 'twice', name: 'Ada', phone: '1' }
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => customers.create(caller, request)))
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.customer] : []))
  expect(made).toHaveLength(1)
  const [uuid] = made.map((customer) => customer.uuid)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(result.reason).toMatchObject({
      reason: 'customer_exists',
      status: 409,
      detail: { data: { customer: { uuid } } },
    })
    expect((result.reason as Error).message).toContain(uuid)
  }
})

test('a repeated Idempotency-Key returns the customer that was created', async () => {
  const { caller } = await fixture.business()
  const request = { reference_number: 'once', name: 'Ada', phone: '1' }
  const keyed = withKey(caller, 'create')
  const made = await customers.create(keyed, request)
  const replayed = await customers.create(keyed, request).catch((error: { body: string }) => error)
  expect(JSON.parse('body' in replayed ? replayed.body : '')).toMatchObject({ data: made })
})

test('an edit changes the members that it names and leaves the others', async () => {
  const { caller } = await fixture.business()
  const { customer } = await customers.create(caller, {
    reference_number: 'edit',
    name: 'Ada',
    phone: '1',
    email: 'ada@example.test',
    dial_code: '+852',
  })
  const { uuid } = customer
  const edited = await customers.edit(caller, uuid, {
    name: 'Ada King',
    phone: '2',
    company_name: 'Engines',
    default_payment_method: 'WalletB',
  })
  expect(edited.customer).toMatchObject({
    reference_number: 'edit',
    name: 'Ada King',
    phone: '2',
    email: 'ada@example.test',
    dial_code: '+852',
    company_name: 'Engines',
    default_payment_method: 'WalletB',
  })
  expect(await customers.byReference(caller, 'edit')).toEqual(edited)
})

test('an empty text removes a value, so that a response can be sent back', async () => {
  const { caller } = await fixture.business()
  const none = { email: '', dial_code: '', company_name: '' }
  const made = await customers.create(caller, { reference_number: 'none', name: 'Ada', phone: '1', ...none })
  const { uuid } = made.customer
  expect(made.customer).toMatchObject({ dial_code: '' })
  expect(made.customer).not.toHaveProperty('email')
  expect(made.customer).not.toHaveProperty('company_name')
  const given = {
    name: 'Ada',
    phone: '1',
    email: 'ada@example.test',
    dial_code: '+852',
    company_name: 'Engines',
  }
  expect((await customers.edit(caller, uuid, given)).customer).toMatchObject(given)
  const emptied = await customers.edit(caller, uuid, { ...given, ...none })
  expect({ ...emptied.customer, updated_at: '' }).toEqual({ ...made.customer, updated_at: '' })
  expect(refusal('PUT', '/:id', { name: 'Ada', phone: '1', ...none })).toBeNull()
  expect(
    refusal('POST', '/customers', { customer: { reference_number: 'c', name: 'Ada', phone: '1', ...none } }),
  ).toBeNull()
  expect(refusal('PUT', '/:id', { name: '', phone: '1' })).toMatchObject({ param: 'name' })
})

test('updated_at never goes back when two changes come at once', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid, reference_number: reference } = await newCustomer(fixture, caller)
  const later = '2027-01-01T00:00:00.002Z'
  const profile = { name: 'Ada', phone: '1' }
  await freezeClock(fixture.db, businessId, later)
  await customers.edit(caller, uuid, profile)
  // A transaction that waited for the customer's lock has read an earlier time.
  await freezeClock(fixture.db, businessId, '2027-01-01T00:00:00.001Z')
  expect(await customers.edit(caller, uuid, profile)).toMatchObject({ customer: { updated_at: later } })
  const { token } = await bindCard(fixture, caller, uuid)
  const bound = await customers.byReference(caller, reference)
  expect(bound).toMatchObject({ customer: { updated_at: later, default_payment_token: { token } } })
  await customers.deleteToken(caller, uuid, token)
  const { customer } = await customers.byReference(caller, reference)
  expect(customer).not.toHaveProperty('default_payment_token')
  expect(customer).toMatchObject({ updated_at: later })
})

test('only an active token of the customer can be made the default', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const { uuid: otherUuid } = await newCustomer(fixture, caller)
  const [first, second] = [await bindCard(fixture, caller, uuid), await bindCard(fixture, caller, uuid)]
  const profile = { name: 'Ada', phone: '1' }
  const setDefault = (token: string) =>
    customers.edit(caller, uuid, { ...profile, default_payment_token: token })
  const { customer } = await setDefault(second.token)
  expect(customer).toMatchObject({ default_payment_token: { token: second.token, default: true } })

  const foreign = await bindCard(fixture, caller, otherUuid)
  const failed = await bindCard(fixture, caller, uuid, '4000000000000002')
  const pending = await bindCard(fixture, caller, uuid, '4000002500003155')
  await customers.deleteToken(caller, uuid, first.token)
  for (const { token } of [foreign, failed, pending, first]) {
    const refused = { status: 422, detail: { param: 'default_payment_token' } }
    await expect(setDefault(token)).rejects.toMatchObject(refused)
  }
  const absent = { status: 404, detail: { param: 'default_payment_token' } }
  await expect(setDefault('pmt_absent')).rejects.toMatchObject(absent)
})

test('lists are newest first, and their pages neither lose nor repeat a customer, by offset and by cursor', async () => {
  const { caller } = await fixture.business()
  const made: string[] = []
  for (let i = 0; i < 7; i++) made.unshift((await newCustomer(fixture, caller)).uuid)
  const all = await customers.page(caller, undefined, firstPage)
  expect(all.customers.map((customer) => customer.uuid)).toEqual(made)
  expect(all.page).toEqual({ offset: 0, limit: 20, has_more: false, next_cursor: null })

  const list = customerRoutes(fixture.ctx).find((route) => route.method === 'GET')
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: object = { limit: 3, ...(cursor !== null && { cursor }) }
    const response = (await list?.handle({
      caller,
      params: {},
      query,
      body: {},
    })) as typeof all
    seen.push(...response.customers.map((customer) => customer.uuid))
    cursor = response.page.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(made)
  const second = await customers.page(caller, undefined, { ...firstPage, offset: 2, limit: 2 })
  expect(second.customers.map((customer) => customer.uuid)).toEqual(made.slice(2, 4))
})

test("another tenant's customers and tokens look as if they did not exist", async () => {
  const { caller } = await fixture.business()
  const { caller: stranger } = await fixture.business()
  const { uuid, reference_number: reference } = await newCustomer(fixture, caller)
  const { token } = await bindCard(fixture, caller, uuid)
  const profile = { name: 'Eve', phone: '1' }
  const mine = await newCustomer(fixture, stranger)
  const attempts = (customerUuid: string, ref: string, tokenId: string) => [
    () => customers.byReference(stranger, ref),
    () => customers.edit(stranger, customerUuid, profile),
    () => customers.tokens(stranger, customerUuid, undefined),
    () => bindCard(fixture, stranger, customerUuid),
    () => customers.deleteToken(stranger, customerUuid, tokenId),
    () => customers.deleteToken(stranger, mine.uuid, tokenId),
    () => customers.edit(stranger, mine.uuid, { ...profile, default_payment_token: tokenId }),
  ]
  const responsesTo = (all: (() => Promise<unknown>)[]) =>
    Promise.all(
      all.map((attempt) =>
        attempt().then(
          () => 'done',
          (error: RequestError) => `${error.status} ${error.reason} ${error.detail.param} ${error.message}`,
        ),
      ),
    )
  const foreign = await responsesTo(attempts(uuid, reference, token))
  expect(foreign).toEqual(await responsesTo(attempts(newId('cus'), 'absent', newId('pmt'))))
  expect(foreign).toEqual(await responsesTo(attempts("x' or 1=1", '%', 'é')))
  expect(foreign.every((response) => response.startsWith('404'))).toBe(true)
})

test('validation names the wrong member and counts characters, not bytes', () => {
  const profile = { name: 'Ada', phone: '1' }
  expect(refusal('PUT', '/:id', profile)).toBeNull()
  expect(refusal('PUT', '/:id', { ...profile, reference_number: 'r' })).toMatchObject({
    reason: 'unknown_member',
    param: 'reference_number',
  })
  expect(refusal('PUT', '/:id', { name: 'Ada' })).toMatchObject({ param: 'phone' })
  expect(refusal('PUT', '/:id', { ...profile, name: '😀'.repeat(255) })).toBeNull()
  expect(refusal('PUT', '/:id', { ...profile, name: '😀'.repeat(256) })).toMatchObject({ param: 'name' })
  expect(refusal('PUT', '/:id', { ...profile, dial_code: '+852-12' })).toMatchObject({ param: 'dial_code' })
  expect(refusal('PUT', '/:id', { ...profile, default_payment_method: 'Cash' })).toMatchObject({
    param: 'default_payment_method',
  })
  const card = {
    number: '4242424242424242',
    exp_month: '12',
    exp_year: '2030',
    cvc: '123',
    holder_name: 'Ada',
    billing_currency: 'HKD',
  }
  const bind = (change: object) =>
    refusal('POST', '/payment_tokens', {
      payment_token: { token_type: 'CreditCard', credit_card: { ...card, ...change } },
    })
  expect(bind({})).toBeNull()
  for (const change of [
    { number: '4242 4242 4242 4242' },
    { number: 4242424242424242 },
    { number: '42424242424' },
    { exp_month: '13' },
    { exp_month: 12 },
    { exp_year: '030' },
    { cvc: '12' },
    { cvc: '12345' },
    { holder_name: '' },
    { holder_name: 'ADA 4242 4242 4242 4242' },
    { billing_currency: 'HK' },
    { pin: '1234' },
  ]) {
    const [member = ''] = Object.keys(change)
    expect(bind(change)).toMatchObject({ param: `payment_token.credit_card.${member}` })
  }
  expect(bind({ cvc: '12' })).toMatchObject({
    message: 'payment_token.credit_card.cvc must be a string of 3 or 4 digits.',
  })
})

// Proves reference/customers#listing.
test('customers are filtered by the beginning of name, e-mail address and phone number, in any case', async () => {
  const { caller } = await fixture.business()
  const make = async (name: string, email: string, phone: string) => {
    const { customer } = await customers.create(caller, {
      reference_number: newId('ref'),
      name,
      email,
      phone,
    })
    return customer.uuid
  }
  const chan = await make('Chan Tai Man', 'Tai.Man@Mail.example', '+852 9123 4567')
  const chandra = await make('CHANDRA, Vikram', 'v@mail.example', '9200 0000')
  const zoe = await make('Zoë O’Brien', 'zoe@other.example', '12')
  const list = async (filter: string) => {
    const page = await customers.page(caller, filter, readPage('customers', {}))
    return page.customers.map(({ uuid }) => uuid)
  }
  expect(await list('name = "chan*"')).toEqual([chandra, chan])
  expect(await list('name = "CHAN TAI MAN"')).toEqual([chan])
  expect(await list('name = "chan"')).toEqual([])
  expect(await list('name = "chandra, v*"')).toEqual([chandra])
  expect(await list('name = "vik*"')).toEqual([chandra])
  expect(await list('name = "ik*"')).toEqual([])
  expect(await list('name = "zoe o\'brien"')).toEqual([zoe])
  expect(await list('name : "tai"')).toEqual([chan])
  expect(await list('NOT name = "chan*"')).toEqual([zoe])
  expect(await list('name = "chan*" OR phone = 12')).toEqual([zoe, chandra, chan])
  expect(await list('email = "tai.man@mail.example"')).toEqual([chan])
  expect(await list('email = "V@*" AND name = "c*"')).toEqual([chandra])
  expect(await list('phone = "852 9123*"')).toEqual([chan])
  expect(await list('phone = "9200-0000"')).toEqual([chandra])
  expect(await list('phone = 12')).toEqual([zoe])
  expect(await list('phone = "1*"')).toEqual([zoe])
  expect(await list('phone = 99999999')).toEqual([])
  expect(await list(`created_at > "2020-01-01" AND uuid = ${zoe}`)).toEqual([zoe])
})
