import { expect, test } from 'vitest'
import { camt053 } from '../src/modules/bank-transfers/testing/camt.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario()
const STATEMENTS = '/svc/billing/api/v1/openapi/bank_statements'

const post = (content: string, format: 'camt053' | 'csv' = 'camt053') =>
  client.ok('POST', STATEMENTS, { bank_statement: { format, content } })

// Proves reference/billing-transfers#returns, reference/reports#attention.
test('a return that names none of several payers needs attention', async () => {
  const paid = (debtorIban: string) => ({
    amount: '119.00',
    reference: `BANK-${debtorIban}`,
    details: [{ endToEndId: 'E-1', debtorIban }],
  })
  const returned = {
    amount: '119.00',
    direction: 'DBIT' as const,
    details: [{ endToEndId: 'E-1', returned: true }],
  }
  await post(camt053([paid('DE02120300000000202051'), paid('FR7630006000011234567890189'), returned]))
  const { bank_entries: entries } = await client.ok('GET', '/svc/billing/api/v1/openapi/bank_entries')
  const ids = entries.map(({ id }: { id: string }) => id)
  const { attention } = await client.ok('GET', '/svc/report/api/v1/openapi/attention')
  expect(attention).toMatchObject([
    { kind: 'ambiguous_return', count: 1, items: [{ subject: 'EUR 119.00, E-1' }] },
    { kind: 'transfer_unmatched', count: 2 },
  ])
  expect(ids).toContain(attention[0].items[0].id)
})
