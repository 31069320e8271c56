import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { RULES, verifyDisputes } from './verify.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()
const { businessId, caller } = merchant
const breaches = () => Array.fromAsync(verifyDisputes(fixture.db)(businessId))

// Proves reference/operations#verify.
test('every rule holds for what the module writes, and finds what breaks it', async () => {
  const { id, uuid } = await fixture.openDispute(merchant)
  await fixture.stage(caller, id)
  fixture.acquirer.faults.submit = 'lose_answer'
  await fixture.disputes.submit(caller, id).catch(() => {})
  await fixture.notice(businessId, 'dp_other')
  await fixture.db.transact(businessId, (tx) => fixture.disputes.onAccountCreated(tx, fixture.account))
  expect(await breaches()).toEqual([])

  await fixture.admin.query(
    `update transactions set acquirer_account_id = 'aca_2', lost_minor = 1 where id = $1`,
    [uuid],
  )
  await fixture.admin.query(`update events set type = 'dispute.updated' where object_id = $1`, [id])
  await fixture.admin.query('update disputed_money set amount_minor = -1 where dispute_id = $1', [id])
  await fixture.admin.query('delete from next_runs where business_id = $1', [businessId])
  const found = await breaches()
  expect(found.map(({ rule, object }) => [rule, object])).toEqual([
    ['dispute_has_been_announced', id],
    ['dispute_is_of_its_payment', id],
    ['payments_know_what_disputes_lost', uuid],
    ['disputed_money_sums_to_its_dispute', id],
    ['due_work_has_a_head', fixture.account],
    ['due_work_has_a_head', 'dp_other'],
    ['due_work_has_a_head', id],
  ])
  expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)))
})
