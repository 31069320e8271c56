import { expect, test } from 'vitest'
import { readMigrationFiles } from '../../src/platform/postgres/migrations/migration-files.ts'
import { checkCitusRefusals } from './citus-refusals.ts'

// Proves reference/operations#citus.

const files = await readMigrationFiles()

test('a database that Citus has distributed can run every migration of this repository', async () => {
  expect(await checkCitusRefusals(files)).toEqual([])
})

const CHANGES_TIME = `adding an interval (say "at time zone 'UTC'" of the column first) of a column`

test.each([
  [
    'alter table orders add column note text check (note > 1)',
    'adds orders.note together with a constraint: add the constraint afterwards, with the name that it has',
  ],
  [
    'alter table orders add column a integer, add column note text unique',
    'adds orders.note together with a constraint: add the constraint afterwards, with the name that it has',
  ],
  ['alter table orders alter column note set storage external', 'alters orders.note by set storage'],
  ['alter table orders alter column note set statistics 0', 'alters orders.note by set statistics'],
  [
    'alter table orders add column note text, add constraint noted check (note > 1)',
    'alters orders by add constraint beside other commands: give it a statement of its own',
  ],
  ["update orders set due_at = created_at + interval '1 day' * 7", `changes orders by ${CHANGES_TIME}`],
  ["delete from orders where created_at - interval '1 day' > now()", `changes orders by ${CHANGES_TIME}`],
  ["update orders o set day = date_trunc('day', o.created_at)", 'changes orders by date_trunc() of a column'],
  [
    'update orders set due_at = case when created_at > now() then created_at end',
    'changes orders by now() in case or coalesce',
  ],
  ['update orders set day = created_at::date', 'changes orders by a cast to date of a column'],
])('"%s" is refused, because it %s', async (text, refusal) => {
  const migration = { name: '9000_of_tomorrow', text, sha256: 'x', needs: null }
  expect(await checkCitusRefusals([...files, migration])).toEqual([
    `migrations/9000_of_tomorrow.sql ${refusal}. Citus refuses that on a distributed database (docs/operating/upgrading.md#what-citus-refuses).`,
  ])
})

test.each([
  'alter table orders add column note text; alter table orders add constraint noted check (note > 1)',
  "alter table orders add column note text not null default 'none', add column other text",
  "update orders set due_at = (created_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where created_at > now() + interval '7 days'",
  'alter table processes alter column id set storage external',
  "create table notes (id text check (id > '')); alter table notes alter column id set storage external; select quittance_tenant_table('notes')",
])('"%s" is not refused', async (text) => {
  const migration = { name: '9000_of_tomorrow', text, sha256: 'x', needs: null }
  expect(await checkCitusRefusals([...files, migration])).toEqual([])
})
