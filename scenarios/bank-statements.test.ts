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

// Proves reference/billing-transfers#statements, reference/conventions#errors.
test('a refused statement names its line, and refused tax rates theirs, as openapi.json says', async () => {
  const statement = await client.call('POST', STATEMENTS, {
    bank_statement: { format: 'csv', content: 'booking_date,amount,currency\n2027-02-30,1,EUR\n' },
  })
  expect(statement).toMatchObject({ status: 422, data: { line: 2, error: { reason: 'statement_invalid' } } })
  const rates = await client.call('POST', '/svc/billing/api/v1/openapi/tax_rates/import', {
    csv: 'name,country,percentage,valid_from\nVAT,FR,20,never\n',
  })
  expect(rates).toMatchObject({
    status: 422,
    data: { lines: [{ line: 2 }], error: { reason: 'csv_invalid' } },
  })
})
