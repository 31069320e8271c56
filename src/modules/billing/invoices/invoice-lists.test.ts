import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#lists.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'

/** Four invoices, a note and a draft: amounts, dates and currencies differ, and two totals are the same. */
async function open() {
  const opened = await openInvoiceShop(fixture, START, { card: CARDS.declining })
  const { shop, caller, customer } = opened
  const requestOf = (amount: number, members: object = {}) => ({
    customer_uuid: customer,
    currency: 'EUR',
    lines: [{ label: 'Set-up', quantity: 1, unit_amount: amount }],
    collection: 'send_invoice' as const,
    ...members,
  })
  const create = async (...args: Parameters<typeof requestOf>) =>
    inJson(await invoices.create(caller, requestOf(...args))).invoice
  const small = await create(10, { days_until_due: 5 })
  const yen = await create(1_000, { currency: 'JPY', days_until_due: 1 })
  await shop.advance('2031-06-20T02:00:00Z')
  const big = await create(100, { days_until_due: 2 })
  const equal = await create(100, { days_until_due: 40 })
  const { credit_note: note } = inJson(
    await invoices.creditNote(caller, equal.id, { amount: 19, reason: 'x' }),
  )
  const { invoice: draft } = inJson(await invoices.createDraft(caller, requestOf(50)))
  const found = async (filter: string) => {
    const { invoices: rows } = await invoices.sorted(caller, 'number', { filter, limit: 100 })
    return rows.map(({ id }) => id).toSorted()
  }
  const ids = (...documents: { readonly id: string }[]) => documents.map(({ id }) => id).toSorted()
  return { ...opened, small, yen, big, equal, note, draft, found, ids }
}

test('the filter finds documents by what is due, by dates, amounts, seller and tax id', async () => {
  const { shop, taxes, caller, customer, entity, found, ids, small, yen, big, equal, note, draft } =
    await open()
  expect(await found('overdue = true')).toEqual(ids(yen))
  expect(await found('overdue = false')).toEqual(ids(small, big, equal, note, draft))
  await shop.advance('2031-06-20T16:00:00Z')
  expect(await found('overdue = true')).toEqual(ids(small, yen))
  expect(await found('issue_date < 2031-06-20')).toEqual(ids(small, yen))
  expect(await found('issue_date >= "2031-06-20" AND type = invoice')).toEqual(ids(big, equal))
  expect(await found('due_date = "2031-06-22"')).toEqual(ids(big))
  expect(await found('total = 119')).toEqual(ids(big, equal))
  expect(await found('total > 119')).toEqual(ids(yen))
  expect(await found('amount_due = 100')).toEqual(ids(equal))
  expect(await found('amount_due > 0 AND currency = EUR')).toEqual(ids(small, big, equal))
  expect(await found(`legal_entity_id = ${entity.id}`)).toHaveLength(6)
  expect(await found('buyer_tax_id = "ATU13585627"')).toEqual([])
  await taxes.editDetails(caller, customer, { tax_ids: [{ type: 'vat', value: 'ATU13585627' }] })
  const { invoice: named } = await invoices.create(caller, {
    customer_uuid: customer,
    currency: 'EUR',
    lines: [{ label: 'x', quantity: 1, unit_amount: 1 }],
  })
  expect(await found('buyer_tax_id = "atu 1358 5627"')).toEqual([named.id])
  expect(await found('buyer_tax_id:*')).toEqual([named.id])
  for (const filter of ['issue_date = "2031-06"', 'due_date : "2031"', 'overdue = maybe', 'total = many'])
    expect(await refusalOf(found(filter))).toBe('400 invalid_filter filter')
  expect(await shop.breaches()).toEqual([])
})

test.each([
  ['issue_date', ['small|yen', 'big|equal|note', 'draft']],
  ['due_date', ['yen', 'small|note', 'big', 'equal', 'draft']],
  ['total', ['small', 'note', 'draft', 'big|equal', 'yen']],
  ['amount_due', ['note|draft', 'small', 'equal', 'big', 'yen']],
  ['number', ['draft', 'note', 'small', 'yen', 'big', 'equal']],
])('a list by %s has every document once, page by page and both ways', async (sort, order) => {
  const { caller, shop: _, ...named } = await open()
  const nameOf = new Map(
    (['small', 'yen', 'big', 'equal', 'note', 'draft'] as const).map((name) => [named[name].id, name]),
  )
  const read = async (by: string) => {
    const ids: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await invoices.sorted(caller, by, { limit: 1, ...(cursor !== undefined && { cursor }) })
      ids.push(...page.invoices.map(({ id }) => id))
      if (page.page.next_cursor === null) return ids
      cursor = page.page.next_cursor
    }
  }
  const ascending = await read(sort)
  const expected = order.map((group) => group.split('|'))
  let at = 0
  for (const group of expected) {
    const ids = ascending.slice(at, at + group.length)
    expect(new Set(ids.map((id) => nameOf.get(id)))).toEqual(new Set(group))
    expect(ids).toEqual(ids.toSorted())
    at += group.length
  }
  expect(await read(`-${sort}`)).toEqual(ascending.toReversed())
})

test('a cursor is refused by another order, and a forged one by every order', async () => {
  const { caller } = await open()
  const { page } = await invoices.sorted(caller, 'total', { limit: 1 })
  const read = (sort: string, cursor: string) => refusalOf(invoices.sorted(caller, sort, { cursor }))
  expect(await read('-total', page.next_cursor ?? '')).toBe('400 invalid_cursor cursor')
  expect(await read('number', page.next_cursor ?? '')).toBe('400 invalid_cursor cursor')
  for (const [sort, value] of [
    ['total', '1; drop'],
    ['total', '9'.repeat(19)],
    ['issue_date', '2031-13-01'],
    ['number', 'a\0'],
  ] as const) {
    const forged = Buffer.from(JSON.stringify([`invoices ${sort}`, value, 'inv_1'])).toString('base64url')
    expect(await read(sort, forged)).toBe('400 invalid_cursor cursor')
  }
})

test('sums are of issued documents by currency, and notes count negative', async () => {
  const { caller, documents } = await open()
  const { totals } = inJson(await invoices.totals(caller, undefined))
  expect(totals).toEqual([
    { currency: 'EUR', documents: 4, net_total: 194.03, tax_total: 36.87, total: 230.9, amount_due: 230.9 },
    { currency: 'JPY', documents: 1, net_total: 1000, tax_total: 190, total: 1190, amount_due: 1190 },
  ])
  const euro = await documents('currency = EUR')
  const signed = euro.map(({ type, total }) => (type === 'credit_note' ? -Number(total) : Number(total)))
  expect(signed.reduce((sum, total) => sum + total)).toBeCloseTo(230.9, 6)
  expect(inJson(await invoices.totals(caller, 'currency = JPY AND overdue = true')).totals).toHaveLength(1)
  expect(inJson(await invoices.totals(caller, 'state = draft')).totals).toEqual([])
  expect(await refusalOf(invoices.totals(caller, 'nothing = 1'))).toBe('400 invalid_filter filter')
})

test.each([
  ['issue_key', 'invoices_issue_date', `'2031-01-01'::date`],
  ['due_date_key', 'invoices_due_date', `'2031-01-01'::date`],
  ['total_key', 'invoices_total', '5::bigint'],
  ['due_key', 'invoices_due', '5::bigint'],
])('an index serves the pages by %s, behind row-level security, too', async (column, index, value) => {
  const { caller } = await open()
  const plan = await fixture.db.transact(caller.businessId, async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    await tx.execute(sql`set local enable_sort = off`)
    const statement = `explain select i.id from (
        select i.id, i.issue_date as issue_key, i.due_date as due_date_key, i.total_key, i.due_key from invoices i
         where i.business_id = '${caller.businessId}'
        union all
        select d.id, 'infinity'::date, 'infinity'::date, d.total_key, 0::bigint from invoice_drafts d
         where d.business_id = '${caller.businessId}') i
      where (i.${column}, i.id) > (${value}, 'inv_1') order by i.${column}, i.id limit 10`
    const rows = await tx.query<{ 'QUERY PLAN': string }>(raw(statement))
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain(index)
  expect(plan).toMatch(/Index Cond: .*ROW\(/)
})
