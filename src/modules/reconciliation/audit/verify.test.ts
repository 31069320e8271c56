import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { createFixture } from '../testing/fixture.ts'
import { RULES, verifyReconciliations } from './verify.ts'

const fixture = await createFixture({ lines: 300, every: 1_000 })
const { admin, server } = fixture

const reconciled = async () => {
  server.extra.length = 0
  const tenant = await fixture.tenant()
  await fixture.planted.insertTransactions(admin, tenant.businessId)
  await fixture.run(tenant)
  return tenant
}

const breachesOf = async (businessId: string) =>
  (await Array.fromAsync(verifyReconciliations(fixture.db)(businessId))).map(({ rule, object, detail }) => ({
    rule,
    object,
    detail,
  }))

const age = async (businessId: string) =>
  (await adminOf(fixture, businessId)).query(
    `update reconciliation_entries set created_at = created_at - interval '4 days', found_at = found_at - interval '4 days'
      where business_id = $1`,
    [businessId],
  )

// Proves reference/reconciliation#verify, reference/operations#verify.
test('differences older than three days are named with both sides', async () => {
  const { businessId } = await reconciled()
  await age(businessId)
  expect(await breachesOf(businessId)).toEqual([
    {
      rule: 'acquirer_books_match',
      object: 'txn_line_0000007',
      detail: 'different_amount: payment ch_7 of 10008 HKD (minor units), ours is 10007 HKD, order ord_7',
    },
    {
      rule: 'acquirer_books_match',
      object: 'txn_line_0000011',
      detail: 'missing_here: payment ch_11 of 10011 HKD (minor units)',
    },
    {
      rule: 'acquirer_books_match',
      object: 'txn_ours_0000013',
      detail: 'missing_there: payment pi_13 of 10013 HKD (minor units), order ord_13',
    },
  ])
})

test('younger differences are not named', async () => {
  const { businessId, caller } = await reconciled()
  await admin.query(
    `update reconciliation_entries set created_at = now() - interval '71 hours', found_at = now() where business_id = $1`,
    [businessId],
  )
  expect(await fixture.all(caller, 'missing_here')).toHaveLength(1)
  expect(await breachesOf(businessId)).toEqual([])
})

test('every rule finds what breaks it', async () => {
  const { businessId } = await reconciled()
  const node = await adminOf(fixture, businessId)
  const broken = async (statement: string) => {
    await node.query(statement, [businessId])
    return (await breachesOf(businessId)).map(({ rule }) => rule)
  }
  await age(businessId)
  expect(
    await broken(`update reconciliations set payout_minor = payout_minor + 1, created_at = now() - interval '4 days'
                   where business_id = $1 and payout_id = 'po_0'`),
  ).toEqual(Array.from({ length: 4 }, () => 'acquirer_books_match'))
  expect(
    await broken(
      `update reconciliation_runs set completed_run = now() - interval '4 days' where business_id = $1`,
    ),
  ).toEqual(Array.from({ length: 5 }, () => 'acquirer_books_match'))
  const found = await broken('update reconciliation_totals set entries = entries + 1 where business_id = $1')
  expect(new Set(found)).toEqual(new Set(['acquirer_books_match', 'reconciliation_totals_add_up']))
  expect(
    await broken('update reconciliation_days set fee_minor = fee_minor + 1 where business_id = $1'),
  ).toContain('settled_days_add_up')
  expect(
    await broken(`update reconciliation_entries set transaction_id = 'txn_ours_0000001'
                   where business_id = $1 and id = 'txn_line_0000002'`),
  ).toContain('line_stands_for_one_transaction')
  expect(await broken('delete from next_runs where business_id = $1')).toContain('due_work_has_a_head')
  expect(Object.keys(RULES)).toEqual([
    'acquirer_books_match',
    'reconciliation_totals_add_up',
    'settled_days_add_up',
    'line_stands_for_one_transaction',
    'due_work_has_a_head',
  ])
})
