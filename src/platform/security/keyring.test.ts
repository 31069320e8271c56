import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { readConfig } from '#platform/config'
import { EncryptionKeysError, KeyFile, keysFromEnvironment, openKeyring } from '#platform/security/key-source'
import { CannotDecrypt, Keyring } from '#platform/security/keyring'
import { Links } from '#platform/security/links'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OLD = Buffer.alloc(32, 1).toString('base64')
const NEW = Buffer.alloc(32, 2).toString('hex')
const bound = { businessId: 'biz_1', field: 'payment_tokens.number' }
const old = new Keyring(keysFromEnvironment(OLD))
const rotated = new Keyring(keysFromEnvironment(`${NEW}, ${OLD}`))

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))
async function dataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-keys-'))
  directories.push(directory)
  return directory
}

// Proves reference/operations#encryption-keys.
test('a sealed text decrypts again, and sealing twice gives different texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (plain) => {
      const sealed = old.seal(plain, bound)
      expect(old.open(sealed, bound)).toBe(Buffer.from(plain).toString())
      expect(sealed).not.toBe(old.seal(plain, bound))
    }),
  )
})

test('a sealed text decrypts only for its own tenant and field and only if it is unchanged', () => {
  const sealed = old.seal('4242424242424242', bound)
  expect(() => old.open(sealed, { ...bound, businessId: 'biz_2' })).toThrow(CannotDecrypt)
  expect(() => old.open(sealed, { ...bound, field: 'cards.number' })).toThrow(CannotDecrypt)
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'x', '.', '7'), (at, character) => {
      fc.pre(sealed[at] !== character)
      const changed = sealed.slice(0, at) + character + sealed.slice(at + 1)
      // Some bits of the last base64 character carry no data.
      fc.pre(!sealed.split('.').some((_part, i, parts) => at === parts.slice(0, i + 1).join('.').length - 1))
      expect(() => old.open(changed, bound)).toThrow(CannotDecrypt)
    }),
  )
})

test('a rotated keyring decrypts old records, and rewrapping moves them to the newest key once', () => {
  const sealed = old.seal('secret', bound)
  expect(rotated.open(sealed, bound)).toBe('secret')
  const rewrapped = rotated.rewrap(sealed, bound)
  expect(rewrapped.split('.')[1]).toBe(rotated.newestKeyId)
  expect(sealed.split('.')[1]).toBe(old.newestKeyId)
  expect(rotated.rewrap(rewrapped, bound)).toBe(rewrapped)
  const onlyNew = new Keyring(keysFromEnvironment(NEW))
  expect(onlyNew.open(rewrapped, bound)).toBe('secret')
  expect(() => onlyNew.open(sealed, bound)).toThrow(CannotDecrypt)
})

test('malformed keys are refused without being quoted', () => {
  for (const text of ['short', `${OLD},${OLD}`, ',', `${OLD}, x`]) {
    expect(() => keysFromEnvironment(text)).toThrow(EncryptionKeysError)
  }
  expect(() => keysFromEnvironment('hunter2')).toThrow(/^(?!.*hunter2)/)
})

test('keys.json is created once, readable by its owner only, and a running process picks up a new key', async () => {
  const directory = await dataDir()
  const service = new Keyring(await KeyFile.open(directory))
  const file = join(directory, 'keys.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const before = await readFile(file, 'utf8')
  const commandLine = await KeyFile.open(directory)
  expect(await readFile(file, 'utf8')).toBe(before)

  const sealed = service.seal('secret', bound)
  commandLine.startRotation()
  // Interrupted here and repeated: the new key stays the same.
  const newest = new Keyring(commandLine).newestKeyId
  commandLine.startRotation()
  const rotating = new Keyring(commandLine)
  expect(rotating.newestKeyId).toBe(newest)
  expect(service.open(rotating.rewrap(sealed, bound), bound)).toBe('secret')
  expect(service.newestKeyId).toBe(newest)
  commandLine.finishRotation()
  commandLine.startRotation()
  expect(new Keyring(commandLine).newestKeyId).not.toBe(newest)
  // The retired key is kept, because links signed with it stay valid for 30 days.
  expect(new Keyring(commandLine).open(sealed, bound)).toBe('secret')
})

test('a running process picks up a new key even after its clock was set back', async () => {
  const directory = await dataDir()
  const service = new Keyring(await KeyFile.open(directory))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
  onTestFinished(() => clock.mockRestore())
  const commandLine = await KeyFile.open(directory)
  commandLine.startRotation()
  expect(service.newestKeyId).toBe(new Keyring(commandLine).newestKeyId)
})

test('without the keys of its database the service does not start and creates no new ones', async () => {
  const directory = await dataDir()
  const idsInUse = [new Keyring(keysFromEnvironment(OLD)).newestKeyId]
  const warnings: string[] = []
  const open = (env: Record<string, string>) =>
    openKeyring(readConfig({ DATA_DIR: directory, ...env }), idsInUse, (message) => warnings.push(message))
  const lost = new EncryptionKeysError(
    `${directory}/keys.json lacks keys that the database is encrypted with (${idsInUse.join()}). Restore them from a backup.`,
  )
  await expect(open({})).rejects.toEqual(lost)
  expect(await readdir(directory)).toEqual([])
  await expect(open({ ENCRYPTION_KEYS: NEW })).rejects.toThrow(/^ENCRYPTION_KEYS lacks keys/)
  expect((await open({ ENCRYPTION_KEYS: `${NEW},${OLD}` })).missing(idsInUse)).toEqual([])

  // A new DATA_DIR for a database that other installations use gets its own keys.
  const DATABASE_URL = 'postgres://127.0.0.1/x'
  for (const times of [1, 2]) {
    expect((await open({ DATABASE_URL })).missing(idsInUse)).toEqual(idsInUse)
    expect(warnings).toEqual(Array(times).fill(lost.message))
  }
  // A backup from before a rotation is restored.
  await expect(open({})).rejects.toEqual(lost)
})

test.each([
  '',
  'null',
  '[]',
  '{"keys":[]}',
  '{"keys":["x"]}',
  '{"keys":[null]}',
  '{"keys":[{"key":"hunter2"}]}',
])('a keys.json that holds %j is refused in a sentence that does not quote it', async (text) => {
  const directory = await dataDir()
  await writeFile(join(directory, 'keys.json'), text)
  await expect(KeyFile.open(directory)).rejects.toEqual(
    new EncryptionKeysError(
      `${directory}/keys.json is not a valid file of encryption keys. Restore it from a backup.`,
    ),
  )
})

test('drafts of a killed rotation are removed, those of a running one are not', async () => {
  const directory = await dataDir()
  await KeyFile.open(directory)
  const [lost, underWay] = ['keys.json.4711.new', 'keys.json.4712.new']
  for (const draft of [lost, underWay]) await writeFile(join(directory, draft), '{}')
  const longAgo = new Date(Date.now() - 61_000)
  await utimes(join(directory, lost), longAgo, longAgo)
  await KeyFile.open(directory)
  expect((await readdir(directory)).toSorted()).toEqual(['keys.json', underWay])
})

test('concurrent rotations create one key, and no key is lost', async () => {
  const directory = await dataDir()
  await KeyFile.open(directory)
  const script = `
    import { KeyFile } from '#platform/security/key-source'
    import { Keyring } from '#platform/security/keyring'
    const file = await KeyFile.open(process.argv[1])
    console.log('ready')
    process.stdin.once('data', () => {
      file.startRotation()
      console.log(new Keyring(file).newestKeyId)
      process.exit()
    })`
  const rotations = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, directory], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const said = (rotation: (typeof rotations)[number]) =>
    once(rotation.stdout, 'data').then(([text]) => String(text).trim())
  expect(new Set(await Promise.all(rotations.map(said)))).toEqual(new Set(['ready']))
  const newest = Promise.all(rotations.map(said))
  for (const rotation of rotations) rotation.stdin.end('go')
  expect(new Set(await newest).size).toBe(1)
  expect((await KeyFile.open(directory)).keys()).toHaveLength(2)
})

// Proves reference/pages#links.
test('a link resolves to its object even after a rotation, and a forged one does not resolve', () => {
  const links = new Links(old, () => 'https://pay.example.com')
  const target = { businessId: 'biz_1', purpose: 'payment', id: 'ord_1' } as const
  const link = links.make(target)
  expect(link).toMatch(/^https:\/\/pay\.example\.com\/pay\/[\w.-]+$/)
  const token = link.slice(link.lastIndexOf('/') + 1)
  expect(links.read('payment', token)).toMatchObject({ ...target, expired: false })
  expect(new Links(rotated, () => '').read('payment', token)).toMatchObject(target)

  expect(links.read('download', token)).toBeNull()
  expect(links.read('payment', token.replace('ord_1', 'ord_2'))).toBeNull()
  expect(links.read('payment', token.replace('biz_1', 'biz_2'))).toBeNull()
  expect(new Links(new Keyring(keysFromEnvironment(NEW)), () => '').read('payment', token)).toBeNull()
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => links.read('payment', text) === null))
})

test('a link is valid for 30 real days and at most an hour longer', () => {
  const links = new Links(old, () => '')
  const token = links.tokenOf({ businessId: 'biz_1', purpose: 'payment', id: 'ord_1' })
  const [madeMs, daysMs] = [realNowMs(), 30 * 86_400_000]
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const isExpiredAfter = (ms: number) => {
    clock.mockReturnValue(madeMs + ms)
    return links.read('payment', token)?.expired
  }
  expect(isExpiredAfter(daysMs - 1_000)).toBe(false)
  expect(isExpiredAfter(daysMs + 3_600_000)).toBe(true)
})
