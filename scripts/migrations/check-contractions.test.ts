import { expect, test } from 'vitest'
import { readMigrationFiles } from '../../src/platform/postgres/migrations/migration-files.ts'
import { checkContractions } from './check-contractions.ts'
import { contractionsOf, emptySchema } from './contractions.ts'

const files = await readMigrationFiles()

test('no migration of this repository breaks the version before without saying so', async () => {
  expect(await checkContractions(files)).toEqual([])
})

test.each([
  ['alter table orders drop column note', 'drops orders.note'],
  ['alter table orders rename column note to remark', 'renames orders.note'],
  ['alter table orders rename to sales', 'renames orders'],
  ['drop table orders', 'drops orders'],
  ['drop function next_due(text)', 'drops next_due'],
  ['alter table orders alter column note type integer', 'changes the type of orders.note'],
  ['alter table orders alter column note set not null', 'requires orders.note'],
  ['alter table orders add column note text not null', 'adds orders.note without a default'],
  ['alter table orders add constraint known check (note > 1)', 'adds the constraint known to orders'],
  [
    'alter table orders add place text; alter table orders add constraint placed check (place > note)',
    'adds the constraint placed to orders',
  ],
  ['drop index orders_newest, orders_reference_number', 'drops the unique index orders_reference_number'],
  ['drop index concurrently of_no_migration', 'drops the unknown index of_no_migration'],
  ['alter table orders drop constraint orders_pkey', 'drops the constraint orders_pkey of orders'],
  ['alter table orders drop constraint of_no_migration', 'drops the constraint of_no_migration of orders'],
  ['create unique index orders_note on orders (note)', 'adds the unique index orders_note to orders'],
  [
    "alter table orders add place text default 'x'; alter table orders add constraint p foreign key (place) references places",
    'adds the constraint p to orders',
  ],
  [
    "alter table orders add place text default 'x'; create unique index orders_place on orders (place)",
    'adds the unique index orders_place to orders',
  ],
  [
    'alter table orders add place text; create unique index orders_place on orders (place) nulls not distinct',
    'adds the unique index orders_place to orders',
  ],
])('"%s" %s, so the version before cannot run beside it', async (text, contraction) => {
  const migration = { name: '9000_of_tomorrow', text, sha256: 'x', needs: null }
  expect(await checkContractions([...files, migration])).toEqual([
    `migrations/9000_of_tomorrow.sql ${contraction}: the version before would fail beside it. Expand only, or state "-- Needs programs from NNNN".`,
  ])
  expect(await checkContractions([...files, { ...migration, needs: '0065' }])).toEqual([])
  expect(await checkContractions([...files, { ...migration, needs: '9000' }])).toHaveLength(1)
})

test.each([
  'alter table orders add column note text',
  "alter table orders add column note text not null default 'none'",
  'create index orders_note on orders (note); drop index orders_note',
  'drop index orders_old; alter index orders_once rename to orders_first',
  'alter index orders_old rename to orders_older; drop index orders_older',
  'alter table orders drop constraint positive, drop constraint customer, drop constraint orders_total_check',
  'alter table orders add place text; alter table orders add constraint placed check (place > 1)',
  'alter table orders add place text; create unique index orders_place on orders (total, place) where total > 0',
  'alter table orders add place text; alter table orders add foreign key (total, place) references places (total, id)',
  'create table notes (id text); create unique index notes_id on notes (id)',
  'create table notes as select 1 as id; create unique index notes_id on notes (id)',
  'create table notes (id text not null); alter table notes alter column id drop default, add constraint a check (true)',
  "do $$ begin execute 'alter table orders drop column note'; end $$; select 'drop table orders' -- drop table orders",
])('"%s" leaves the version before what it uses', async (text) => {
  const schema = emptySchema()
  await contractionsOf(
    `create table orders (
       total integer constraint positive check (total > 0) check (total < 9),
       constraint customer foreign key (total) references customers);
     create index orders_old on orders (total);
     create unique index orders_once on orders (total)`,
    schema,
  )
  expect(await contractionsOf(text, schema)).toEqual([])
})

test('a constraint or an index counts as what it was last created as', async () => {
  const schema = emptySchema()
  await contractionsOf(
    `create table orders (note text, constraint orders_note_check unique (note));
     create index by_note on orders (note); drop index by_note; create unique index by_note on orders (note);
     alter table orders rename constraint orders_note_check to once; alter index by_note rename to orders_fkey`,
    schema,
  )
  const text = 'alter table orders drop constraint once; drop index orders_fkey'
  expect(await contractionsOf(text, schema)).toEqual([
    'drops the constraint once of orders',
    'drops the unique index orders_fkey',
  ])
})
