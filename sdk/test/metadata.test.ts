import { expect, test } from 'vitest'
import { Quittance } from '../src/index.ts'
import { fakeFetch } from './fake-fetch.ts'

test('metadata goes out and comes back as it is, also under the names of amounts', async () => {
  const metadata = { initial_total: '007', campaign: 'spring' }
  const { fetch, requests } = fakeFetch({
    data: { order: { number: 'ord_1', initial_total: 1.5, metadata } },
  })
  const quittance = new Quittance({ apiKey: 'qk_test_x', baseUrl: 'https://pay.example.com', fetch })
  const { order } = await quittance.orders.create({
    reference_number: 'o',
    currency: 'HKD',
    initial_total: '1.50',
    metadata: { ...metadata, gone: null },
  })
  expect(requests[0]?.body).toBe(
    '{"order":{"reference_number":"o","currency":"HKD","initial_total":1.50,"metadata":{"initial_total":"007","campaign":"spring","gone":null}}}',
  )
  const campaign: string | undefined = order.metadata?.['campaign']
  expect(campaign).toBe('spring')
  expect(order).toMatchObject({ initial_total: '1.5', metadata })
})

test('metadata of customers, plans and cards is edited by their updates', async () => {
  const { fetch, requests } = fakeFetch({ data: { customer: {}, plan: {}, card: {} } })
  const quittance = new Quittance({ apiKey: 'qk_test_x', baseUrl: 'https://pay.example.com', fetch })
  const metadata = { shop: '7', gone: null }
  await quittance.customers.update('cus_1', { name: 'n', phone: '1', metadata })
  await quittance.plans.update('pln_1', { metadata })
  await quittance.cards.update('crd_1', { metadata })
  expect(requests.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { name: 'n', phone: '1', metadata },
    { plan: { metadata } },
    { card: { metadata } },
  ])
})
