import { expect, test } from 'vitest'
import { liveClient } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const BUSINESS = '/svc/account/api/v1/openapi/business'

const { client, service } = await startScenario()

const edit = (business: object) => client.call('PUT', BUSINESS, { business })

// Proves reference/access#business.
test('a business changes its name for both environments, zone and currency for one, until days are counted', async () => {
  const live = await liveClient(service)
  const before = await live.call('GET', BUSINESS)
  expect(before.data.business).toMatchObject({
    environment: 'live',
    time_zone: 'Asia/Hong_Kong',
    currency: 'HKD',
  })
  const { data } = await edit({ name: ' Kiln & Daughters ', time_zone: 'America/New_York', currency: 'USD' })
  expect(data.business).toEqual({
    code: client.sandbox.customer_code,
    environment: 'test',
    name: 'Kiln & Daughters',
    time_zone: 'America/New_York',
    currency: 'USD',
  })
  expect((await client.ok('GET', BUSINESS)).business).toEqual(data.business)
  expect((await live.call('GET', BUSINESS)).data.business).toMatchObject({
    name: 'Kiln & Daughters',
    time_zone: 'Asia/Hong_Kong',
    currency: 'HKD',
  })
  const { totals } = await client.ok('GET', '/svc/report/api/v1/openapi/totals?period=today')
  expect(totals).toMatchObject({ time_zone: 'America/New_York', main_currency: 'USD' })

  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  await client.pay((await client.createOrder({ customer_uuid: uuid })).number, token)
  expect(await edit({ time_zone: 'Europe/Paris' })).toMatchObject({
    status: 409,
    data: { error: { reason: 'time_zone_in_use', param: 'business.time_zone' } },
  })
  expect(await edit({ time_zone: 'America/New_York', currency: 'EUR', name: 'Kiln' })).toMatchObject({
    status: 200,
  })
})

test.each([
  [{ time_zone: 'Mars/Olympus' }, 422, 'time_zone_unknown'],
  [{ name: '  ' }, 422, 'business_name_missing'],
  [{ currency: 'XQQ' }, 400, 'invalid_member'],
  [{ code: 'mine' }, 400, 'unknown_member'],
])('%j is refused', async (members, status, reason) => {
  const reply = await edit(members)
  expect([reply.status, reply.data.error.reason]).toEqual([status, reason])
})
