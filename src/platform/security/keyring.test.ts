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
import { CannotReadKeys, KeyFile, keysOfEnvironment, openKeyring } from '#platform/security/key-source'
import { CannotOpen, Keyring } from '#platform/security/keyring'
import { Links } from '#platform/security/links'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OLD = Buffer.alloc(32, 1).toString('base64')
const NEW = Buffer.alloc(32, 2).toString('hex')
const bound = { businessId: 'biz_1', field: 'payment_tokens.number' }
const old = new Keyring(keysOfEnvironment(OLD))
const rotated = new Keyring(keysOfEnvironment(`${NEW}, ${OLD}`))

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))
async function dataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-keys-'))
  directories.push(directory)
  return directory
}

test('what is sealed opens again, and no sealed text is made twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (plain) => {
      const sealed = old.seal(plain, bound)
      expect(old.open(sealed, bound)).toBe(Buffer.from(plain).toString())
      expect(sealed).not.toBe(old.seal(plain, bound))
    }),
  )
})

test('a sealed text opens neither for another tenant or field nor when a character was changed', () => {
  const sealed = old.seal('4242424242424242', bound)
  expect(() => old.open(sealed, { ...bound, businessId: 'biz_2' })).toThrow(CannotOpen)
  expect(() => old.open(sealed, { ...bound, field: 'cards.number' })).toThrow(CannotOpen)
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'x', '.', '7'), (at, character) => {
      fc.pre(sealed[at] !== character)
      const changed = sealed.slice(0, at) + character + sealed.slice(at + 1)
      // The last character of a base64 text has bits that mean nothing.
      fc.pre(!sealed.split('.').some((_part, i, parts) => at === parts.slice(0, i + 1).join('.').length - 1))
      expect(() => old.open(changed, bound)).toThrow(CannotOpen)
    }),
  )
})

test('a rotated ring opens old records, and rewrapping moves them to the newest key once', () => {
  const sealed = old.seal('secret', bound)
  expect(rotated.open(sealed, bound)).toBe('secret')
  const rewrapped = rotated.rewrap(sealed, bound)
  expect(rewrapped.split('.')[1]).toBe(rotated.newestKeyId)
  expect(sealed.split('.')[1]).toBe(old.newestKeyId)
  expect(rotated.rewrap(rewrapped, bound)).toBe(rewrapped)
  const onlyNew = new Keyring(keysOfEnvironment(NEW))
  expect(onlyNew.open(rewrapped, bound)).toBe('secret')
  expect(() => onlyNew.open(sealed, bound)).toThrow(CannotOpen)
})

test('keys that are no keys are refused without being quoted', () => {
  for (const text of ['short', `${OLD},${OLD}`, ',', `${OLD}, x`]) {
    expect(() => keysOfEnvironment(text)).toThrow(CannotReadKeys)
  }
  expect(() => keysOfEnvironment('hunter2')).toThrow(/^(?!.*hunter2)/)
})

test('keys.json is made once, only its owner may read it, and a running process learns of a new key', async () => {
  const directory = await dataDir()
  const service = new Keyring(await KeyFile.open(directory))
  const file = join(directory, 'keys.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const before = await readFile(file, 'utf8')
  const commandLine = await KeyFile.open(directory)
  expect(await readFile(file, 'utf8')).toBe(before)

  const sealed = service.seal('secret', bound)
  commandLine.beginRotation()
  // Interrupted here and begun again: still the same new key.
  const newest = new Keyring(commandLine).newestKeyId
  commandLine.beginRotation()
  const rotating = new Keyring(commandLine)
  expect(rotating.newestKeyId).toBe(newest)
  expect(service.open(rotating.rewrap(sealed, bound), bound)).toBe('secret')
  expect(service.newestKeyId).toBe(newest)
  commandLine.endRotation()
  commandLine.beginRotation()
  expect(new Keyring(commandLine).newestKeyId).not.toBe(newest)
  // The retired key still opens, since links signed with it are good for a month.
  expect(new Keyring(commandLine).open(sealed, bound)).toBe('secret')
})

test('a running process learns of a new key also while its real clock stands behind where it was', async () => {
  const directory = await dataDir()
  const service = new Keyring(await KeyFile.open(directory))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
  onTestFinished(() => clock.mockRestore())
  const commandLine = await KeyFile.open(directory)
  commandLine.beginRotation()
  expect(service.newestKeyId).toBe(new Keyring(commandLine).newestKeyId)
})

test('without the keys that a database is encrypted with nothing starts, and no others take their place', async () => {
  const directory = await dataDir()
  const idsInUse = [new Keyring(keysOfEnvironment(OLD)).newestKeyId]
  const warnings: string[] = []
  const open = (env: Record<string, string>) =>
    openKeyring(readConfig({ DATA_DIR: directory, ...env }), idsInUse, (message) => warnings.push(message))
  const lost = new CannotReadKeys(
    `${directory}/keys.json lacks keys that the database is encrypted with (${idsInUse.join()}): put them back from a backup.`,
  )
  await expect(open({})).rejects.toEqual(lost)
  expect(await readdir(directory)).toEqual([])
  await expect(open({ ENCRYPTION_KEYS: NEW })).rejects.toThrow(/^ENCRYPTION_KEYS lacks keys/)
  expect((await open({ ENCRYPTION_KEYS: `${NEW},${OLD}` })).missing(idsInUse)).toEqual([])

  // A new DATA_DIR beside a database in which others have businesses: with keys of its own.
  const DATABASE_URL = 'postgres://127.0.0.1/x'
  for (const times of [1, 2]) {
    expect((await open({ DATABASE_URL })).missing(idsInUse)).toEqual(idsInUse)
    expect(warnings).toEqual(Array(times).fill(lost.message))
  }
  // A backup of before a rotation, put back.
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
    new CannotReadKeys(`${directory}/keys.json is not a file of encryption keys: put it back from a backup.`),
  )
})

test('what a rotation that was killed has left of keys.json is removed, and not what another writes now', async () => {
  const directory = await dataDir()
  await KeyFile.open(directory)
  const [lost, underWay] = ['keys.json.4711.new', 'keys.json.4712.new']
  for (const draft of [lost, underWay]) await writeFile(join(directory, draft), '{}')
  const longAgo = new Date(Date.now() - 61_000)
  await utimes(join(directory, lost), longAgo, longAgo)
  await KeyFile.open(directory)
  expect((await readdir(directory)).toSorted()).toEqual(['keys.json', underWay])
})

test('of rotations that begin at the same moment one makes the key, and none loses one', async () => {
  const directory = await dataDir()
  await KeyFile.open(directory)
  const script = `
    import { KeyFile } from '#platform/security/key-source'
    import { Keyring } from '#platform/security/keyring'
    const file = await KeyFile.open(process.argv[1])
    console.log('ready')
    process.stdin.once('data', () => {
      file.beginRotation()
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

test('a link leads to its object, also after a rotation; a forged one leads nowhere', () => {
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
  expect(new Links(new Keyring(keysOfEnvironment(NEW)), () => '').read('payment', token)).toBeNull()
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => links.read('payment', text) === null))
})

test('a link is good for 30 days of real time, and for an hour more at most', () => {
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
