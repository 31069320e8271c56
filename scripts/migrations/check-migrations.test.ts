import { expect, test } from 'vitest'
import { readHashes, readMigrationFiles } from '../../src/platform/postgres/migrations/migration-files.ts'
import { checkMigrations } from './check-migrations.ts'
import { contractionsOf } from './contractions.ts'

const files = await readMigrationFiles()
const hashes = await readHashes()
const check = (changed: typeof files, known = hashes) =>
  checkMigrations(changed, known, { acceptsNew: false })

test('a landed migration that was changed or removed fails the check, and so does one that is not frozen', async () => {
  expect(await check(files)).toEqual([])
  const [first, ...others] = files
  if (first === undefined) throw new Error('there are no migrations')
  expect(await check([{ ...first, sha256: 'another' }, ...others])).toEqual([
    'migrations/0001_platform.sql has landed and was changed: restore it, and write a new migration instead.',
  ])
  expect(await check(others)).toEqual([
    'migrations/0001_platform.sql has landed and is missing: restore it, because databases have run it.',
  ])
  expect(await check(files, new Map([...hashes].slice(1)))).toEqual([
    'migrations/0001_platform.sql is not frozen: run "npm run freeze:migrations" and commit SHA256SUMS.',
  ])
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
])('"%s" %s, so the version before cannot run beside it', async (text, contraction) => {
  expect((await contractionsOf(text)).join()).toContain(contraction)
  const migration = { name: '0100_of_tomorrow', text, sha256: 'x', needs: null }
  const known = new Map([...hashes, ['0100_of_tomorrow', 'x']])
  expect(await check([...files, migration], known)).toHaveLength(1)
  expect(await check([...files, { ...migration, needs: '0065' }], known)).toEqual([])
  expect(await check([...files, { ...migration, needs: '0100' }], known)).toHaveLength(1)
})

test.each([
  'alter table orders add column note text',
  "alter table orders add column note text not null default 'none'",
  'create index orders_note on orders (note); drop index orders_old; alter index a rename to b',
  'create table notes (id text not null); alter table notes alter column id drop default, add constraint a check (true)',
  "do $$ begin execute 'alter table orders drop column note'; end $$; select 'drop table orders' -- drop table orders",
])('"%s" leaves the version before what it uses', async (text) => {
  expect(await contractionsOf(text)).toEqual([])
})
