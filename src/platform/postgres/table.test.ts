import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { instantOf } from '#kernel/clock'
import { Money } from '#kernel/money'
import { amount, composed, computed, json, named, table, WHOLE } from '#platform/postgres/table'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

interface Sample {
  readonly id: string
  readonly unitLabel: string | null
  readonly last4: string
  readonly payer: string
  readonly total: Money
  readonly tips: Money
  readonly period: { readonly from: string; readonly until: string } | null
  readonly address: { readonly city: string } | null
  readonly runs: number
  readonly isPaid: boolean
  readonly createdAt: Temporal.Instant
  readonly paidAt: Temporal.Instant | null
  readonly isLong: boolean
}

const SAMPLES = table<Sample>('s', {
  id: 'text',
  unitLabel: 'text',
  last4: 'text',
  payer: named('p_user_id', 'text'),
  total: amount('total_minor', 'currency'),
  tips: amount('tips_minor'),
  period: composed(
    ['from_date', 'until_date'],
    (from: string | null, until: string | null) => (from === null || until === null ? null : { from, until }),
    {
      from_date: ['date', (period) => period?.from ?? null],
      until_date: ['date', (period) => period?.until ?? null],
    },
  ),
  address: json(),
  runs: WHOLE,
  isPaid: 'boolean',
  createdAt: 'timestamptz',
  paidAt: 'timestamptz',
  isLong: computed('is_long', 'length(s.id) > 3'),
})
const STORED = SAMPLES.without('isLong')

const at = instantOf('2026-03-01T10:00:00.123Z')
const first: Sample = {
  id: 'one',
  unitLabel: 'seat "A"',
  last4: '4242',
  payer: 'usr_1',
  total: Money.ofMinor('EUR', 9_007_199_254_740_993n),
  tips: Money.ofMinor('EUR', -5n),
  period: { from: '2026-03-01', until: '2026-04-01' },
  address: { city: 'Zürich' },
  runs: 2 ** 40,
  isPaid: true,
  createdAt: at,
  paidAt: at,
  isLong: false,
}
const empty: Sample = {
  ...first,
  id: 'empty',
  unitLabel: null,
  period: null,
  address: null,
  isPaid: false,
  paidAt: null,
  isLong: true,
}

const database = await createTestDatabase({ isPlain: true })
const { businessId } = await createTestBusiness(database)
await database.admin.query(`
  create table samples (business_id text, id text, unit_label text, last_4 text, p_user_id text, currency text, total_minor numeric,
    tips_minor numeric, from_date date, until_date date, address jsonb, runs bigint, is_paid boolean, created_at timestamptz,
    paid_at timestamptz, sealed text);
  grant all on samples to quittance_service`)

async function stored(): Promise<Sample[]> {
  const rows = await database.db.read(businessId, sql`select ${SAMPLES.columns} from samples s order by s.id`)
  return rows.map(SAMPLES.read)
}

function execute(statement: ReturnType<typeof sql>): Promise<unknown> {
  return database.db.transact(businessId, (tx) => tx.execute(statement))
}

test('records are inserted and read as they were, one or many of them', async () => {
  for (const count of [1, 6]) {
    await execute(sql`delete from samples`)
    const records = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? first : empty))
    await execute(sql`insert into samples ${STORED.values(businessId, records, { sealed: 'x' })}`)
    expect(await stored()).toEqual(records.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    const [row] = await database.db.read(businessId, sql`select distinct business_id, sealed from samples`)
    expect(row).toEqual({ business_id: businessId, sealed: 'x' })
  }
})

test('an update writes the members of the table that it is made from, and no other', async () => {
  await execute(sql`delete from samples`)
  await execute(sql`insert into samples ${STORED.values(businessId, [first, empty])}`)
  const changed = { ...empty, id: first.id, payer: 'usr_2' }
  await execute(sql`
    update samples set ${STORED.without('id', 'payer').set(changed)} where id = ${first.id}`)
  expect(await stored()).toEqual([empty, { ...changed, payer: first.payer, isLong: false }])
})

test('an update of many records takes each from its row', async () => {
  await execute(sql`delete from samples`)
  await execute(sql`insert into samples ${STORED.values(businessId, [first, empty])}`)
  const changed = STORED.only('id', 'address', 'tips')
  const tips = Money.ofMinor('EUR', 7n)
  const records = [first, empty].map(({ id }) => ({ id, address: { city: id }, tips }))
  await execute(sql`
    update samples s set ${changed.without('id').setFrom('c')} from ${changed.rowsAs('c')(records)} where s.id = c.id`)
  expect(await stored()).toEqual([
    { ...empty, address: { city: 'empty' }, tips },
    { ...first, address: { city: 'one' }, tips },
  ])
})

test('rows of a join are read by the prefix of their columns', async () => {
  await execute(sql`delete from samples`)
  await execute(sql`insert into samples ${STORED.values(businessId, [first])}`)
  const totals = table<Pick<Sample, 'id' | 'total'>>(
    's',
    { id: 'text', total: amount('total_minor', 'currency') },
    's_',
  )
  const [row] = await database.db.read(
    businessId,
    sql`select b.id, ${totals.columns} from samples s cross join (values ('other')) b (id)`,
  )
  expect(row).toMatchObject({ id: 'other', s_id: 'one' })
  expect(row && totals.read(row)).toEqual({ id: 'one', total: first.total })
})
