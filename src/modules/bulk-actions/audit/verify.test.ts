import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createBulkAction } from '../actions/create-bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { verifyBulkActions } from './verify.ts'

const database = await createTestDatabase()
const { db, admin } = database
const unused = {} as Omit<BulkActionsContext, 'db'>
const ctx: BulkActionsContext = { ...unused, db }

test('a bulk action that does not count its items, or that nothing continues, is a breach', async () => {
  const { businessId, caller } = await createTestBusiness(database)
  const breaches = async () =>
    (await Array.fromAsync(verifyBulkActions(db)(businessId))).map(({ rule }) => rule)
  await createBulkAction(ctx, caller, 'payments', { action: 'refund', ids: ['ord_1', 'ord_2', 'ord_1'] })
  expect(await breaches()).toEqual([])
  await admin.query(`delete from bulk_action_items where item_id = 'ord_1'`)
  expect(await breaches()).toEqual(['bulk_action_counts_its_items'])
  await admin.query('update bulk_actions set total = 1')
  expect(await breaches()).toEqual([])
  await admin.query(`delete from next_runs where job = 'bulk_actions'`)
  expect(await breaches()).toEqual(['due_work_has_a_head'])
})
