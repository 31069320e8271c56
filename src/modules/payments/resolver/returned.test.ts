import { expect, test } from 'vitest'
import type { Lookup } from '#modules/acquirers'
import { createTestKeyring } from '#platform/testing/keyring'
import { rewrapReturned, sealReturned } from '../operations/returned.ts'
import { check, createFixture, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/acquirers#adyen, reference/payments#unknown-outcomes.
const fixture = await createFixture()
const RETURNED = { redirectResult: 'what-the-payer-brings-back' }
const PENDING = {
  kind: 'pending',
  gatewayTransactionId: 'PSP1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'Pending',
  responseMessage: 'Pending',
  nextAction: { type: 'three_d_secure', url: 'https://bank.example/' },
} as const

async function sealedReturns(key: string): Promise<(string | null)[]> {
  const { rows } = await fixture.admin.query<{ sealed_returned: string | null }>(
    'select sealed_returned from acquirer_operations where key = $1',
    [key],
  )
  return rows.map((row) => row.sealed_returned)
}

test('what the payer brings back is kept until the outcome is known, and sent again by the resolver', async () => {
  const asked: Lookup['returned'][] = []
  fixture.between.acquirer = { ...fixture.real, sale: async () => PENDING }
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: async ({ returned }) => {
      asked.push(returned)
      if (asked.length === 1) throw new Error('the process died')
      if (asked.length === 2) return { kind: 'unknown', responseMessage: 'no answer' }
      return { ...PENDING, kind: 'approved' }
    },
  }
  const { businessId } = merchant
  await expect(fixture.payments.refreshStatus(businessId, number, RETURNED)).rejects.toThrow('died')
  expect(await sealedReturns(transaction.uuid)).toEqual([expect.any(String)])
  await fixture.payments.refreshStatus(businessId, number)
  await fixture.advance(businessId, { minutes: 1 })
  expect(asked).toEqual([RETURNED, RETURNED, RETURNED])
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(await sealedReturns(transaction.uuid)).toEqual([])
})

test('the payer’s deadline closes the key with what the payer had brought back', async () => {
  const closed: Lookup['returned'][] = []
  fixture.between.acquirer = { ...fixture.real, sale: async () => PENDING }
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  await pay(fixture, merchant, number)
  fixture.between.acquirer = {
    ...fixture.real,
    capabilities: { ...fixture.real.capabilities, closes: new Set(['sale']) },
    inquire: async () => ({ kind: 'unknown', responseMessage: 'no answer' }),
    closeKey: async ({ returned }) => {
      closed.push(returned)
      return { ...PENDING, kind: 'approved' }
    },
  }
  await fixture.payments.refreshStatus(merchant.businessId, number, RETURNED)
  await fixture.advance(merchant.businessId, { hours: 25 })
  expect(closed).toEqual([RETURNED])
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed' })
})

test('what the payer brings back is stored encrypted, and a rotation of keys encrypts it anew', async () => {
  const { keyring, rotateKeys } = createTestKeyring()
  fixture.between.acquirer = { ...fixture.real, sale: async () => PENDING }
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  const { businessId } = merchant
  const sealed = sealReturned({ keyring }, businessId, transaction.uuid, RETURNED)
  expect(sealed).not.toContain(RETURNED.redirectResult)
  await fixture.admin.query('update acquirer_operations set sealed_returned = $1 where key = $2', [
    sealed,
    transaction.uuid,
  ])
  rotateKeys()
  expect(await rewrapReturned(fixture.db, keyring)(businessId)).toBe(1)
  const [rewrapped = null] = await sealedReturns(transaction.uuid)
  expect(rewrapped).toContain(keyring.newestKeyId)
  expect(sealed).not.toContain(keyring.newestKeyId)
  const field = `acquirer_operations.sealed_returned ${transaction.uuid}`
  expect(keyring.open(rewrapped ?? '', { businessId, field })).toBe(JSON.stringify(RETURNED))
})
