import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { businessesOf } from '#modules/businesses'
import { keysFromEnvironment } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { createTestDatabase } from '#platform/testing/database'
import { SandboxFileDamaged, ensureSandbox, type SandboxFile } from './sandbox-file.ts'

const { db } = await createTestDatabase()
const businesses = businessesOf({ db, keyring: new Keyring(keysFromEnvironment('01'.repeat(32))) })
const scratch = await mkdtemp(join(tmpdir(), 'quittance-sandbox-'))
afterAll(() => rm(scratch, { recursive: true }))

// Proves reference/operations#data-directory.
test('the first start creates DATA_DIR, readable by its owner only, with sandbox.json in it', async () => {
  const dataDir = join(scratch, 'not', 'there')
  await ensureSandbox(dataDir, businesses, 'http://127.0.0.1:1')
  const read = async () => JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile
  const sandbox = await read()
  expect(await businesses.exists(sandbox.business_id)).toBe(true)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'sandbox.json'))).mode & 0o777).toBe(0o600)

  // Drafts of starts that were killed before they could remove or rename them.
  const longAgo = new Date(Date.now() - 61_000)
  for (const draft of ['sandbox.json.new', 'sandbox.json.4711.new', 'sandbox.json.new.4711.new']) {
    await writeFile(join(dataDir, draft), '{}')
    await utimes(join(dataDir, draft), longAgo, longAgo)
  }
  await ensureSandbox(dataDir, businesses, 'http://127.0.0.1:2')
  expect(await read()).toEqual({ ...sandbox, base_url: 'http://127.0.0.1:2' })
  expect(await readdir(dataDir)).toEqual(['sandbox.json'])
})

test.each(['', '{"base_url": "http://127.0.0.1:1", "api_key": "qk_test_hunter', 'null'])(
  'a sandbox.json that holds %j is refused in a sentence that does not quote it',
  async (text) => {
    const dataDir = await mkdtemp(join(scratch, 'damaged-'))
    const path = join(dataDir, 'sandbox.json')
    await writeFile(path, text)
    await expect(ensureSandbox(dataDir, businesses, 'http://127.0.0.1:1')).rejects.toEqual(
      new SandboxFileDamaged(path),
    )
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)
