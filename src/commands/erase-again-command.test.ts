import { expect, test } from 'vitest'
import { businessesOf, prepareBusiness } from '#modules/businesses'
import { readConfig } from '#platform/config'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { eraseCustomersAgain } from './erase-again-command.ts'

const { db, url, admin } = await createTestDatabase()
const { keyring } = createTestKeyring()
const businesses = businessesOf({ db, keyring })
const context = {
  db,
  terminal: process,
  migrations: [],
  config: readConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent' }),
  businesses,
  keyring,
  keyFile: undefined,
  keyIdsInUse: [],
}

test('customers whom a backup brought back are erased again, and others are named with the reason', async () => {
  const business = prepareBusiness({ name: 'Shop' })
  await businesses.create(business)
  const tenant = { code: business.code, environment: 'test' } as const
  const businessId = await businesses.tenantOf(tenant)
  await admin.query(
    `insert into customers (business_id, uuid, reference_number, name, phone, created_at, updated_at)
     values ($1, 'cus_1', 'c-1', 'Ada', '1', now(), now())`,
    [businessId],
  )
  const erase = eraseCustomersAgain(tenant, ['cus_1', 'cus_2'])
  expect((await erase(context)).json).toEqual({
    begun: ['cus_1'],
    left: [{ customer_uuid: 'cus_2', reason: 'This customer does not exist.' }],
  })
  const { rows } = await admin.query(
    'select customer_uuid, cause, state from erasures where business_id = $1',
    [businessId],
  )
  expect(rows).toEqual([{ customer_uuid: 'cus_1', cause: 'recovery', state: 'running' }])
  expect((await erase(context)).json).toMatchObject({ begun: [] })
  await expect(eraseCustomersAgain({ ...tenant, code: 'none' }, [])(context)).rejects.toThrow(
    'There is no business none.',
  )
})
