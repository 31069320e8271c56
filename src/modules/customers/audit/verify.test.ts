import { expect, test } from 'vitest'
import { bindCard, createFixture, newCustomer } from '../testing/fixture.ts'
import { RULES, verifyCustomers } from './verify.ts'

const fixture = await createFixture()
const REQUIRES_PAYER = '4000002500003155'

// Proves reference/operations#verify.
test('every rule has a test that breaks it', () => {
  expect(Object.keys(RULES)).toEqual([
    'due_work_has_a_head',
    'deleted_agreements_end_at_their_acquirer',
    'customers_have_their_terms',
  ])
})

test('a pending token that no job would inquire about is found, and a card whose expiry no job would report', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const { token: active } = await bindCard(fixture, caller, uuid)
  const { token } = await bindCard(fixture, caller, uuid, REQUIRES_PAYER)
  const breaches = () => Array.fromAsync(verifyCustomers(fixture.db)(businessId))
  expect(await breaches()).toEqual([])
  await fixture.admin.query('delete from next_runs where business_id = $1', [businessId])
  const found = (await breaches()).map(({ rule, object }) => `${rule} ${object}`)
  expect(new Set(found)).toEqual(new Set([`due_work_has_a_head ${token}`, `due_work_has_a_head ${active}`]))
})

test('a customer without the terms of the search is found', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const breaches = () => Array.fromAsync(verifyCustomers(fixture.db)(businessId))
  expect(await breaches()).toEqual([])
  await fixture.admin.query('delete from customer_terms where business_id = $1', [businessId])
  expect(await breaches()).toContainEqual(
    expect.objectContaining({ rule: 'customers_have_their_terms', object: uuid }),
  )
})

test('an agreement that is to end although its token is not deleted is found', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const { token } = await bindCard(fixture, caller, uuid)
  await fixture.admin.query('update payment_tokens set agreement_end_at = created_at where token = $1', [
    token,
  ])
  expect(await Array.fromAsync(verifyCustomers(fixture.db)(businessId))).toContainEqual(
    expect.objectContaining({ rule: 'deleted_agreements_end_at_their_acquirer', object: token }),
  )
})
