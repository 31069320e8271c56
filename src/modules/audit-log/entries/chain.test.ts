import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { adminOf, createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { RULES, verifyAuditLog } from '../audit/verify.ts'
import { OPERATOR_CHAIN } from './entry.ts'
import { exportEntries } from './export-entries.ts'
import { recordAudit } from './record-audit.ts'

const database = await createTestDatabase()
const { db, admin } = database
const actor = { type: 'user', id: 'usr_1' } as const

async function chainOf(entries: number): Promise<string> {
  const { businessId } = await createTestBusiness(database)
  for (let index = 0; index < entries; index++) {
    const action = { businessId, actor, action: 'sessions.create', ipAddress: '192.0.2.1' }
    await recordAudit(db, action, { outcome: 'completed', after: { index } })
  }
  return businessId
}

async function brokenRules(chain: string): Promise<string[]> {
  const breaches = await Array.fromAsync(verifyAuditLog(db)(chain))
  return [...new Set(breaches.map(({ rule }) => rule))].toSorted()
}

// Proves reference/logs#chain, reference/operations#verify.
test('verify finds an entry that was changed, removed or cut off the end', async () => {
  const tamper: [name: string, statement: string, rules: string[]][] = [
    [
      'changed',
      `update audit_entries set document = replace(document::text, 'usr_1', 'usr_2')::json where business_id = $1 and sequence = 2`,
      ['audit_chain_is_unbroken'],
    ],
    [
      'time changed',
      `update audit_entries set created_at = created_at - interval '1 day' where business_id = $1 and sequence = 2`,
      ['audit_chain_is_unbroken'],
    ],
    [
      'removed',
      'delete from audit_entries where business_id = $1 and sequence = 2',
      ['audit_chain_has_no_gaps', 'audit_chain_is_unbroken'],
    ],
    [
      'removed at the beginning',
      'delete from audit_entries where business_id = $1 and sequence = 1',
      ['audit_chain_has_no_gaps', 'audit_chain_is_unbroken'],
    ],
    [
      'cut off',
      'delete from audit_entries where business_id = $1 and sequence > 2',
      ['audit_chain_has_its_end'],
    ],
    [
      'erased without an entry about it',
      `update audit_entries set document = (document::jsonb - 'after')::json, erased_by = 3 where business_id = $1 and sequence = 2`,
      ['audit_erasures_are_in_the_chain'],
    ],
    ['all removed', 'delete from audit_entries where business_id = $1', ['audit_chain_has_its_end']],
    ['end removed', 'delete from audit_chains where business_id = $1', ['audit_chain_has_its_end']],
  ]
  const found = new Set<string>()
  for (const [name, statement, rules] of tamper) {
    const chain = await chainOf(4)
    expect([name, await brokenRules(chain)]).toEqual([name, []])
    await (await adminOf(database, chain)).query(statement, [chain])
    expect([name, await brokenRules(chain)]).toEqual([name, rules])
    for (const rule of rules) found.add(rule)
  }
  expect(found).toEqual(new Set(Object.keys(RULES)))
})

test('two entries that change places in the chain are found', async () => {
  const chain = await chainOf(4)
  await admin.query('alter table audit_entries drop constraint audit_entries_pkey')
  const node = await adminOf(database, chain)
  await node.query(
    'update audit_entries set sequence = 5 - sequence where business_id = $1 and sequence in (2, 3)',
    [chain],
  )
  expect(await brokenRules(chain)).toEqual(['audit_chain_is_unbroken'])
  await admin.query('delete from audit_entries where business_id = $1', [chain])
  await admin.query('alter table audit_entries add primary key (business_id, sequence)')
})

test('entries that are recorded at the same time follow each other without gaps', async () => {
  const { businessId } = await createTestBusiness(database)
  const record = () => recordAudit(db, { businessId, actor, action: 'x.y' }, { outcome: 'refused' })
  await Promise.all(Array.from({ length: 20 }, record))
  await Promise.all(Array.from({ length: 20 }, record))
  expect(await brokenRules(businessId)).toEqual([])
  const { rows } = await admin.query<{ last: string }>(
    'select max(sequence) as last from audit_entries where business_id = $1',
    [businessId],
  )
  expect(rows).toEqual([{ last: 40n }])
})

test('what belongs to no business has a chain of its own', async () => {
  await recordAudit(
    db,
    { businessId: null, actor: { type: 'command_line', id: 'root' }, action: 'businesses.create' },
    { outcome: 'completed' },
  )
  expect(await brokenRules(OPERATOR_CHAIN)).toEqual([])
  await admin.query(`update audit_chains set sequence = 9 where business_id = 'operator'`)
  expect(await brokenRules(OPERATOR_CHAIN)).toEqual(['audit_chain_has_its_end'])
})

test('the role of the service can neither change, remove nor insert an entry, and appends only to the chain of its tenant', async () => {
  const chain = await chainOf(1)
  for (const statement of [
    sql`update audit_entries set hash = '' where business_id = ${chain} returning id`,
    sql`delete from audit_entries where business_id = ${chain} returning id`,
    sql`insert into audit_entries (business_id, sequence, hash, created_at, document)
        values (${chain}, 2, 'x', now(), '{"id": "a"}') returning id`,
    sql`update audit_chains set sequence = 0 where business_id = ${chain} returning sequence`,
    sql`truncate audit_entries`,
    sql`select quittance_append_audit_entry('biz_other', now(), '{}')`,
  ]) {
    // On Citus the tables are views, which cannot be truncated at all.
    await expect(db.autocommit(chain, statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42809)$/) as string,
    })
  }
  expect(await brokenRules(chain)).toEqual([])
})

test('anyone can check the chain with the export alone', async () => {
  const chain = await chainOf(3)
  const action = {
    businessId: chain,
    actor: { type: 'user', id: `=cmd|'/c "calc"'!A1` } as const,
    action: 'a.b',
  }
  await recordAudit(db, action, { outcome: 'completed', after: { name: `陳\n"大文", ${newId('ord')}` } })
  const csv = (await Array.fromAsync(exportEntries(db, chain))).join('')
  const [header, ...lines] = recordsOf(csv)
  const column = (line: readonly string[], name: string) => line[(header ?? []).indexOf(name)] ?? ''
  let previous = ''
  for (const [index, line] of lines.entries()) {
    expect(column(line, 'previous_hash')).toBe(previous)
    expect(column(line, 'sequence')).toBe(String(index + 1))
    const hashed = `${previous}\n${index + 1}\n${column(line, 'document')}`
    expect(column(line, 'hash')).toBe(createHash('sha256').update(hashed).digest('hex'))
    previous = column(line, 'hash')
  }
  expect(lines).toHaveLength(4)
  // A spreadsheet must not run it.
  expect(column(lines[3] ?? [], 'actor_id')).toBe(`'=cmd|'/c "calc"'!A1`)
})

/** RFC 4180. */
function recordsOf(csv: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') records.push([])
  }
  return records.slice(0, -1)
}

test('an entry holds no secret and no card number', async () => {
  const { businessId } = await createTestBusiness(database)
  await recordAudit(
    db,
    { businessId, actor, action: 'passwords.update' },
    {
      outcome: 'completed',
      before: { password: 'hunter2-old', note: 'card 4242 4242 4242 4242' },
      after: { new_password: 'hunter2-new', secret: 'whsec_abcdef', amount: 4242424242424242 },
    },
  )
  const { rows } = await admin.query<{ document: string }>(
    'select document::text as document from audit_entries where business_id = $1',
    [businessId],
  )
  const [{ document }] = rows as [{ document: string }]
  for (const secret of ['hunter2', '4242 4242 4242', 'abcdef', '4242424242424242'])
    expect(document).not.toContain(secret)
  expect(document).toContain('424242******4242')
})
