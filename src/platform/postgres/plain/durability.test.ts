import { expect, test } from 'vitest'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { LossyDatabase, requireDurability } from '#platform/postgres/plain/durability'
import { createTestDatabase } from '#platform/testing/database'

const { admin, db, url } = await createTestDatabase()

const SAFE = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '*',
}

async function check(
  settings: Partial<typeof SAFE>,
  options: { hasSeveralHosts?: boolean; isLossAllowed?: boolean } = {},
): Promise<string[]> {
  const warnings: string[] = []
  const { hasSeveralHosts = false, isLossAllowed = false } = options
  const query = async <Row extends object>() => [{ ...SAFE, ...settings }] as unknown as Row[]
  await requireDurability({ query }, { hasSeveralHosts, isLossAllowed, warn: (text) => warnings.push(text) })
  return warnings
}

// Proves reference/operations#durability.
test('a database on which a role turned synchronous_commit off is refused, or only warned about where loss is allowed', async () => {
  const warnings: string[] = []
  const options = {
    hasSeveralHosts: false,
    isLossAllowed: false,
    warn: (text: string) => warnings.push(text),
  }
  await requireDurability(db.shared, options)
  await admin.query(
    `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
  )
  const lossy = new PlainDatabase({ url, maxConnections: 1, readers: 1 })
  try {
    await expect(requireDurability(lossy.shared, options)).rejects.toEqual(
      new LossyDatabase(
        'The database has synchronous_commit off. A payment that was acknowledged could be lost: set it to on, or ALLOW_LOSSY_DATABASE=1 for a database of tests.',
      ),
    )
    expect(warnings).toEqual([])
    await requireDurability(lossy.shared, { ...options, isLossAllowed: true })
    expect(warnings).toEqual([
      'The database has synchronous_commit off. A payment that was acknowledged could be lost.',
    ])
  } finally {
    await lossy.close()
  }
})

test.each(['fsync', 'full_page_writes'] as const)('%s off is refused', async (name) => {
  await expect(check({ [name]: 'off' })).rejects.toThrow(`The database has ${name} off.`)
})

test.each([
  [{ synchronous_standby_names: '' }, true],
  [{ synchronous_commit: 'local' }, true],
  [{}, false],
  [{ synchronous_commit: 'remote_apply' }, false],
])('with several hosts and %j, a warning: %s', async (settings, warns) => {
  const warnings = await check(settings, { hasSeveralHosts: true })
  expect(warnings.some((text) => text.includes('commits wait for no replica'))).toBe(warns)
  expect(await check(settings)).toEqual([])
})
