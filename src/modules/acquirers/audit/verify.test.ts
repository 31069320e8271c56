import { expect, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { createAccountsFixture, ROUTING, type Tenant } from '../testing/accounts.ts'
import { signedHeaders } from '../testing/stand-in.ts'
import { verifyAcquirers } from './verify.ts'

const { admin, business, db, serverUrl } = await createAccountsFixture()
const verify = verifyAcquirers(db)

async function breaches({ businessId }: Tenant): Promise<[rule: string, object: string][]> {
  const found: [string, string][] = []
  for await (const { rule, object } of verify(businessId)) found.push([rule, object])
  return found
}

// Proves reference/operations#verify.
test('verify finds a notice that nobody would handle and a rule without its account', async () => {
  const tenant = await business()
  const { id, webhook_url } = await tenant.connect()
  await tenant.send('PUT', ROUTING, {
    routing: { rules: [{ accounts: [{ id }, { id: 'simulator' }], fallback: [id] }] },
  })
  const body = JSON.stringify([
    { id: 'evt_1', type: 't', subject: { kind: 'other', reference: 'r', key: null }, facts: {} },
  ])
  const { status } = await fetch(serverUrl + new URL(webhook_url).pathname, {
    method: 'POST',
    headers: signedHeaders('whsec_ONE_1', body, realNowMs()),
    body,
  })
  expect(status).toBe(200)
  expect(await breaches(tenant)).toEqual([])
  await admin.query('delete from next_runs where business_id = $1', [tenant.businessId])
  await admin.query(
    `update routing_rules set rules = replace(rules::text, $2, 'acc_gone')::json where business_id = $1`,
    [tenant.businessId, id],
  )
  expect(await breaches(tenant)).toEqual([
    ['acquirer_notice_will_be_handled', 'evt_1'],
    ['routing_rule_names_an_account', 'acc_gone'],
  ])
})
