import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#platform/config'

test('without any variable everything has its default', () => {
  expect(readConfig({ PORT: '' })).toMatchObject({
    dataDir: `${process.cwd()}/data`,
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    publicUrl: undefined,
    rateLimit: 500,
    allowPrivateWebhooks: false,
  })
})

test('everything that is wrong is named at once, and no value that may be a secret is quoted', () => {
  const env = {
    PORT: '99999',
    WORKER_PORT: 'http',
    DATABASE_URL: 'mysql://me:hunter2@host/db',
    PUBLIC_URL: 'pay.example.com',
    SIMULATOR_URL: 'http://127.0.0.1:8090/?x=1',
    RATE_LIMIT: '-1',
    ALLOW_PRIVATE_WEBHOOKS: 'yes',
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
  expect(lines).toHaveLength(7)
  for (const name of Object.keys(env)) expect(lines.some((line) => line.startsWith(name))).toBe(true)
  expect(lines.join()).not.toMatch(/hunter2/)
})

test('a slash at the end of PUBLIC_URL is no part of links', () => {
  expect(readConfig({ PUBLIC_URL: 'https://pay.example.com/' }).publicUrl).toBe('https://pay.example.com')
})

test("a database may be at a socket, named as PostgreSQL's own programs name it", () => {
  const databaseUrl = 'postgres:///quittance?host=/run/postgresql'
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})
