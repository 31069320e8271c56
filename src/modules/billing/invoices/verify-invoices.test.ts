import { expect, test } from 'vitest'
import { rebuildSchedule } from '#platform/jobs/jobs'
import { resumeClock } from '#platform/testing/clock'
import { adminOf } from '#platform/testing/database'
import { INVOICE_RULES } from '../../invoices/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'
import { openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/operations#verify, reference/billing-invoices#numbers.

const fixture = await createFixture()

async function sentInvoiceWithNote() {
  const { shop, caller, customer, entity, taxes } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  await taxes.editSettings(caller, { locked_until: '2031-05-31' })
  const line = { label: 'Set-up', quantity: 1, unit_amount: 100 }
  const request = {
    customer_uuid: customer,
    currency: 'EUR',
    lines: [line],
    collection: 'send_invoice' as const,
  }
  const { invoice: first } = await fixture.invoices.create(caller, request)
  await fixture.invoices.create(caller, request)
  await fixture.invoices.creditNote(caller, first.id, { amount: 10, reason: 'Late' })
  await resumeClock(fixture.db, caller.businessId)
  await fixture.db.transact(caller.businessId, (tx) => rebuildSchedule(tx, fixture.jobs))
  return { shop, ids: { invoice: first.id, order: first.order_number, entity: entity.id, day: '2031-06-15' } }
}

const invoice = (change: string) => ['invoice', `update invoices set ${change} where id = $1`] as const

/** A statement that breaks the rule, and what the breach names. */
const BREAKS: readonly (readonly [
  rule: string,
  what: 'invoice' | 'order' | 'entity' | 'day',
  statement: string,
])[] = [
  [
    'document_numbers_have_no_gap',
    'entity',
    'update invoice_sequences set next_number = next_number + 1 where legal_entity_id = $1',
  ],
  [
    'document_numbers_have_no_gap',
    'entity',
    `update invoices set sequence = 7 where legal_entity_id = $1 and type = 'credit_note'`,
  ],
  [
    'document_numbers_have_no_gap',
    'entity',
    `update invoice_sequences set recovered = '{[1,2)}' where legal_entity_id = $1 and type = 'invoice'`,
  ],
  [
    'document_numbers_have_no_gap',
    'entity',
    `update invoice_sequences set recovered = '{[7,9)}' where legal_entity_id = $1 and type = 'invoice'`,
  ],
  [
    'document_numbers_have_no_gap',
    'entity',
    `update invoice_sequences set next_number = next_number + 3, recovered = '{[3,5)}'
        where legal_entity_id = $1 and type = 'invoice'`,
  ],
  [
    'document_numbers_rise_with_time',
    'invoice',
    `update invoices set sequence = case when id = $1 then 99 else sequence end,
            created_at = case when id = $1 then created_at - interval '1 day' else created_at end
      where business_id = (select business_id from invoices where id = $1)`,
  ],
  ['document_lines_sum_to_totals', ...invoice(`copy = jsonb_set(copy, '{lines,0,net}', '"9999"')`)],
  ['document_taxes_sum_to_total', ...invoice(`copy = jsonb_set(copy, '{taxes,0,amount}', '"1"')`)],
  [
    'tax_in_the_sellers_currency_follows_its_rate',
    ...invoice(
      `copy = jsonb_set(jsonb_set(copy, '{taxes,0,converted}', '"1742"'), '{exchange}',
           '{"currency": "USD", "date": "2031-06-15", "rate": {"date": "2031-06-15", "base": "EUR", "quote": "USD", "rate": "0.9165"}}')`,
    ),
  ],
  [
    'tax_in_the_sellers_currency_follows_its_rate',
    ...invoice(`rate_missing_on = issue_date, rate_missing_to = 'USD'`),
  ],
  ['credit_notes_sum_to_credited_total', ...invoice('credited_minor = 11')],
  [
    'notes_and_write_offs_fit_the_invoice',
    'invoice',
    'update orders set written_off_minor = 10901 where invoice_id = $1',
  ],
  ['notes_lower_their_order', 'order', 'update orders set credited_minor = credited_minor + 1 where id = $1'],
  [
    'tax_days_sum_their_documents',
    'day',
    `insert into invoice_tax_days (business_id, day, sums)
       select distinct business_id, issue_date, '[{"tax": 1}]'::jsonb from invoices where issue_date = $1::date`,
  ],
  [
    'notes_lose_nothing_of_what_credit_paid',
    'order',
    `with note as (update invoices set cause = jsonb_set(cause, '{unsettled_minor}', '"5"')
                    where type = 'credit_note' and order_id = $1)
     update orders set state = 'voided', credited_minor = initial_total_minor, line_items = '[{"kind": "credit"}]' where id = $1`,
  ],
  ['order_names_its_document', 'order', `update orders set invoice_number = 'X' where id = $1`],
  ['invoice_agrees_with_its_order', ...invoice('due_minor = due_minor - 1')],
  ['invoice_agrees_with_its_order', ...invoice(`state = 'uncollectible'`)],
  ['open_invoice_is_due_less_payments_and_notes', ...invoice('prepaid_minor = 1')],
  [
    'closed_days_take_nothing_later',
    ...invoice(`issue_date = '2031-05-31', created_at = created_at + interval '1 hour'`),
  ],
  ['uncollectible_invoice_says_since_when', ...invoice('uncollectible_at = created_at')],
  ['reissued_documents_name_each_other', ...invoice(`replaced_by = 'inv_x'`)],
  [
    'notes_lower_their_order',
    'order',
    `update invoices set replaces = 'inv_x', order_id = $1
        where type = 'invoice' and order_id <> $1 and business_id = (select business_id from orders where id = $1)`,
  ],
  [
    'due_work_has_a_head',
    'invoice',
    'delete from next_runs where business_id = (select business_id from invoices where id = $1)',
  ],
]

test('every rule has a statement that breaks it', () => {
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(Object.keys(INVOICE_RULES)))
})

test.each(BREAKS)('a breach of %s is found', async (rule, what, statement) => {
  const { shop, ids } = await sentInvoiceWithNote()
  expect(await shop.breaches()).toEqual([])
  const node = await adminOf(fixture, shop.caller.businessId)
  await node.query(statement, [ids[what]])
  const found = (await shop.breaches()).map((breach) => [breach.rule, breach.object])
  expect(found).toContainEqual([rule, ids[what]])
})

test('on a running clock a sent invoice is scheduled for the end of its due date', async () => {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  await resumeClock(fixture.db, caller.businessId)
  const node = await adminOf(fixture, caller.businessId)
  await node.query('delete from next_runs where business_id = $1', [caller.businessId])
  await fixture.invoices.create(caller, {
    customer_uuid: customer,
    currency: 'EUR',
    lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
    collection: 'send_invoice',
    days_until_due: 14,
  })
  const { rows } = await node.query(
    `select to_char(n.due_at - make_interval(secs => -c.offset_ms / 1000.0), 'YYYY-MM-DD') as day
       from next_runs n join business_clocks c using (business_id)
      where business_id = $1 and job = 'invoice_overdue'`,
    [caller.businessId],
  )
  expect(rows).toEqual([{ day: '2031-06-29' }])
})
