import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#platform/config'

// Proves reference/operations#request-lines.
test('LOG_REQUESTS is errors, all or a share', () => {
  const read = (LOG_REQUESTS?: string) => readConfig({ LOG_REQUESTS }).logRequests
  expect([undefined, 'errors', 'all', '0', '0.1', '1'].map(read)).toEqual([0.01, 0.01, 1, 0, 0.1, 1])
  for (const wrong of ['none', '2', '-1', 'constructor']) {
    expect(() => read(wrong)).toThrow('LOG_REQUESTS must be errors or all or a number from 0 to 1.')
  }
})

// Proves reference/operations#settings.
test('without any variable every setting has its default', () => {
  expect(readConfig({ PORT: '' })).toMatchObject({
    dataDir: `${process.cwd()}/data`,
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    publicUrl: undefined,
    rateLimit: 500,
    allowPrivateWebhooks: false,
    trustedProxies: [],
  })
})

test('trusted proxies are addresses, networks and names of networks', () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ TRUSTED_PROXIES }).trustedProxies
  expect(read('127.0.0.1, 10.0.0.0/8,::1,fd00::/8 , loopback,uniquelocal,')).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
    'loopback',
    'uniquelocal',
  ])
  for (const wrong of [
    'proxy.example.com',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '::/129',
    '10.1',
    '1',
    'true',
    '*',
    '10.0.0.0/8/8',
  ]) {
    expect(() => read(`127.0.0.1,${wrong}`)).toThrow('TRUSTED_PROXIES')
  }
})

test('every wrong setting is named at once, and no value is quoted', () => {
  const env = {
    PORT: '99999',
    WORKER_PORT: 'http',
    DATABASE_URL: 'mysql://me:hunter2@host/db',
    PUBLIC_URL: 'pay.example.com',
    SIMULATOR_URL: 'http://127.0.0.1:8090/?x=1',
    RATE_LIMIT: '-1',
    EVENT_DAYS: '61',
    ALLOW_PRIVATE_WEBHOOKS: 'yes',
    TRUSTED_PROXIES: '10.0.0.0/33',
    SMTP_URL: 'https://me:hunter2@mail.example.com',
    MAIL_FROM: 'the shop',
  }
  const error = (() => {
    try {
      readConfig(env)
      return undefined
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(ConfigError)
  const lines = (error as ConfigError).message.split('\n')
  expect(lines).toHaveLength(11)
  for (const name of Object.keys(env)) expect(lines.some((line) => line.startsWith(name))).toBe(true)
  expect(lines.join()).not.toMatch(/hunter2/)
})

// Proves reference/operations#settings.
test('a secret may stand in a file, and is refused where both or neither can be read', () => {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-config-'))
  const file = join(directory, 'url')
  writeFileSync(file, 'postgres://me:hunter2@host/db\n')
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://me:hunter2@host/db')
  const replicaUrl = join(directory, 'replica-url')
  writeFileSync(replicaUrl, 'postgres://me:hunter2@replica/db\n')
  expect(readConfig({ DATABASE_URL_FILE: file, DATABASE_REPLICA_URL_FILE: replicaUrl }).replica?.url).toBe(
    'postgres://me:hunter2@replica/db',
  )
  expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://host/db' })).toThrow(
    'Set DATABASE_URL or DATABASE_URL_FILE, not both.',
  )
  expect(() => readConfig({ ENCRYPTION_KEYS_FILE: join(directory, 'absent') })).toThrow(
    'ENCRYPTION_KEYS_FILE must name a file that can be read',
  )
  rmSync(directory, { recursive: true })
})

test('a trailing slash of PUBLIC_URL is removed', () => {
  expect(readConfig({ PUBLIC_URL: 'https://pay.example.com/' }).publicUrl).toBe('https://pay.example.com')
})

test('DATABASE_URL may name a Unix socket as libpq does', () => {
  const databaseUrl = 'postgres:///quittance?host=/run/postgresql'
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})

test('a port of DATABASE_URL that no server can have is refused before anything connects', () => {
  const wrong = [
    'postgres://me:hunter2@host:99999/db',
    'postgres://me:hunter2@host:0/db',
    'postgres:///db?host=/run/postgresql&port=99999',
    'postgres://host/db?port=abc',
    'postgres://host/db?port=0',
  ]
  for (const DATABASE_URL of wrong) {
    expect(() => readConfig({ DATABASE_URL })).toThrow(
      new ConfigError(['The port in DATABASE_URL must be a whole number from 1 to 65535.']),
    )
  }
  const databaseUrl = 'postgres:///db?host=/run/postgresql&port=5433'
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})

test('an SMTP server needs a sender, with or without a name', () => {
  const SMTP_URL = 'smtps://me:hunter2@mail.example.com:465'
  expect(() => readConfig({ SMTP_URL })).toThrow(/^MAIL_FROM must be set beside SMTP_URL/)
  for (const MAIL_FROM of ['pay@example.com', 'The Shop <pay@example.com>']) {
    expect(readConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ smtpUrl: SMTP_URL, mailFrom: MAIL_FROM })
  }
})

// Proves reference/operations#settings.
test('settings of OIDC are set together or not at all', () => {
  const env = {
    OIDC_ISSUER: 'https://login.example.com/',
    OIDC_CLIENT_ID: 'quittance',
    OIDC_CLIENT_SECRET: 'hunter2',
  }
  expect(readConfig(env)).toMatchObject({
    oidc: { issuer: 'https://login.example.com', clientId: 'quittance', name: 'Single sign-on' },
  })
  expect(readConfig({})).toMatchObject({ oidc: undefined })
  expect(() => readConfig({ ...env, OIDC_CLIENT_SECRET: '' })).toThrow(
    new ConfigError(['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.']),
  )
})
