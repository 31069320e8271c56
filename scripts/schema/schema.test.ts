import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readMigrationFiles } from '#platform/postgres/migrations/migration-files'
import { createTestDatabase } from '#platform/testing/database'
import { TABLES } from '../../src/table-owners.ts'
import { readSchema } from './read-schema.ts'
import { commentProblems, ownerProblems, renderSchema } from './render-schema.ts'

/** Businesses make the clocks that the sandbox moves. */
const SHARED = ['src/modules/sandbox/storage/repository.ts changes business_clocks']

test('only its owner changes a table', () => {
  const sources = globSync('src/**/*.ts').filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  const changes = sources.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const strangers = Object.entries(TABLES).filter(
      ([owner]) => !path.startsWith(`src/${owner === 'platform' ? owner : `modules/${owner}`}/`),
    )
    return strangers
      .flatMap(([, tables]) => tables)
      .filter((table) => new RegExp(`\\b(insert into|update|delete from) ${table}\\b`, 'i').test(text))
      .map((table) => `${path} changes ${table}`)
  })
  expect(changes).toEqual(SHARED)
})

const MIGRATION = `
-- Up Migration

-- What was written,
-- a note a row.
create table notes (
  id          text primary key,
  plan_id     text,
  business_id text,
  -- Of A4 | letter.
  pages       integer not null default 1
              check (pages > 0),
  length      integer generated always as (pages * 2) stored,
  -- Not of a column.
  constraint of_a_plan foreign key (business_id, plan_id) references recurring_plans
);
-- Nor is this.
create unique index notes_length on notes (length) where length > 2;
create table drafts (
  id text primary key
);

-- Where it is.
alter table notes
  add column place text;
`

test('a page shows columns, keys, checks, indexes and what the migrations say of them', async () => {
  const { admin } = await createTestDatabase({ isPlain: true })
  await admin.query(MIGRATION)
  const migrations = (await readMigrationFiles()).map(({ text }) => text)
  const tables = await readSchema(admin, [...migrations, MIGRATION])
  expect(ownerProblems(tables, TABLES)).toEqual([
    'src/table-owners.ts: the table drafts has no owner',
    'src/table-owners.ts: the table notes has no owner',
  ])
  expect(commentProblems(tables)).toEqual([
    'migrations: say in a comment above "create table drafts" what the table is for',
  ])
  const owners = { ...TABLES, notebook: ['notes', 'drafts'] }
  expect(ownerProblems(tables, { ...owners, other: ['notes', 'gone'] })).toEqual([
    'src/table-owners.ts: there is no table gone',
    'src/table-owners.ts: notes has two owners',
  ])
  const pages = renderSchema(tables, owners)
  expect(pages.get('README.md')).toContain(
    '| [notebook](notebook.md) | [notes](notebook.md#notes), [drafts](notebook.md#drafts) |',
  )
  expect(pages.get('notebook.md')).toContain(`
\`\`\`mermaid
erDiagram
  notes {
    text id PK
    text plan_id FK
    text business_id FK
  }
  recurring_plans ||--o{ notes : "plan_id"
  drafts {
    text id PK
  }
\`\`\`

## notes

What was written, a note a row.

| Column | Type | Null | Default | Meaning |
|---|---|---|---|---|
| \`id\` | text |  |  |  |
| \`plan_id\` | text | null |  |  |
| \`business_id\` | text | null |  |  |
| \`pages\` | integer |  | \`1\` | Of A4 \\| letter. |
| \`length\` | integer | null | \`generated (pages * 2)\` |  |
| \`place\` | text | null |  | Where it is. |

Constraints:

- \`notes_pkey\`: \`PRIMARY KEY (id)\`
- \`of_a_plan\`: \`FOREIGN KEY (business_id, plan_id) REFERENCES recurring_plans(business_id, id)\` → [recurring_plans](plans.md#recurring_plans)
- \`notes_pages_check\`: \`CHECK (pages > 0)\`

Indexes:

- \`notes_length\`: \`UNIQUE btree (length) WHERE (length > 2)\`
`)
})
