import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Tx } from '#platform/postgres/database'
import { endOfPage, findOpenSince, sumBuyers, sumTaxes } from '../../invoices/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-reports#cost.

const fixture = await createFixture()
const { admin, db, invoices } = fixture
const MANY = 100_000
const MEGABYTES = 1024 * 1024

test('100,000 documents are summed in bounded memory, and no statement reads more than its index finds', async () => {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const { invoice } = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice',
      days_until_due: 14,
    }),
  )
  const columns =
    sql`type, legal_entity_id, series, year, state, order_id, plan_id, customer_uuid, invoice_id, currency,
    issue_date, due_date, net_minor, tax_minor, total_minor, prepaid_minor, due_minor, credited_minor, payment_reference,
    cause, copy, metadata, updated_at`.sql
  // One in each millisecond; one in a hundred is open.
  await admin.query(
    `insert into invoices (business_id, id, sequence, number, reference_id, created_at, ${columns})
     select i.business_id, 'inv_' || lpad(n::text, 10, '0'), 1 + n, 'M-' || n, null,
            i.created_at + n * interval '1 millisecond', ${columns
              .replace(' state,', " case when n % 100 = 0 then 'open' else 'paid' end,")
              .replace('due_minor,', 'case when n % 100 = 0 then due_minor else 0 end,')}
       from invoices i, generate_series(1, ${MANY - 1}) n where i.id = $1`,
    [invoice.id],
  )
  await admin.query('analyze invoices')

  const range = { from: Temporal.PlainDate.from('2031-06-01'), to: Temporal.PlainDate.from('2031-06-30') }
  const plansOf = (read: (tx: Tx) => Promise<unknown>) =>
    db.transact(caller.businessId, async (tx) => {
      const plans: string[] = []
      const explain = async (statement: Sql) => {
        const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
        return []
      }
      await read({ ...tx, businessId: tx.businessId, now: tx.now, query: explain } as Tx)
      return plans.join('\n')
    })
  const after = { at: Temporal.Instant.from('2031-06-15T02:00:30Z'), id: 'inv_' }
  const span = { after, until: { ...after, at: after.at.add({ seconds: 5 }) } }
  for (const read of [
    (tx: Tx) => endOfPage(tx, { range }, after),
    (tx: Tx) => sumTaxes(tx, { range }, span),
    (tx: Tx) => sumBuyers(tx, { range }, span),
  ]) {
    const plan = await plansOf(read)
    expect(plan).toContain('invoices_newest')
    expect(plan).not.toContain('Seq Scan')
  }
  const end = Temporal.Instant.from('2031-06-15T16:00:00Z')
  const openPlan = await plansOf((tx) => findOpenSince(tx, { day: '2031-06-15', end }, undefined, 500))
  expect(openPlan).toContain('invoices_open_until')
  expect(openPlan).not.toMatch(/Seq Scan|Sort/)

  const whole = { from: '2031-06-01', to: '2031-06-30' }
  const before = process.memoryUsage().heapUsed
  const { taxes } = await invoices.report(caller, 'taxes', whole)
  expect(taxes).toMatchObject([
    { net: 100 * MANY, tax: 19 * MANY, documents: MANY, percentage: 19, treatment: 'taxed' },
  ])
  expect((process.memoryUsage().heapUsed - before) / MEGABYTES).toBeLessThan(100)
  expect((await invoices.report(caller, 'open/ages')).ages).toMatchObject([
    { invoices: MANY / 100, due: (119 * MANY) / 100 },
  ])
}, 240_000)

test('a copy of many lines is unpacked once a document, not for each of its lines', async () => {
  const { caller, customer } = await openInvoiceShop(fixture, '2032-06-15T02:00:00Z')
  const line = { label: 'A line of its own', quantity: 1, unit_amount: 1 }
  await invoices.create(caller, {
    customer_uuid: customer,
    currency: 'EUR',
    lines: Array.from({ length: 1_000 }, (_, index) => ({ ...line, label: `${line.label} ${index}` })),
    collection: 'send_invoice',
    days_until_due: 14,
  })
  const range = { from: Temporal.PlainDate.from('2032-06-01'), to: Temporal.PlainDate.from('2032-06-30') }
  const whole = { after: undefined, until: undefined }
  for (const read of [sumBuyers, sumTaxes]) {
    const blocks = await db.transact(caller.businessId, async (tx) => {
      let used = 0
      const explain = async (statement: Sql) => {
        const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers) ${statement}`)
        used = Number(/Buffers: shared hit=(\d+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1])
        return []
      }
      await read({ ...tx, businessId: tx.businessId, now: tx.now, query: explain } as Tx, { range }, whole)
      return used
    })
    // Unpacked for each line, it is 12,000 of them and more.
    expect(blocks).toBeLessThan(2_000)
  }
})
