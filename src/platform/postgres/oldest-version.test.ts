import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { messageOf } from '#platform/thrown'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'
import { cleanUp } from '#platform/testing/clean-up'
import { createMigratedDatabase } from '#platform/testing/database'
import { fastestDirectory } from '#platform/testing/fastest-directory'

const file = process.env['TEST_STATEMENTS']
const isOldest = process.env['TEST_POSTGRES_VERSION'] === '15'

/** Three files alone send 260. Fewer mean that statements were not recorded. */
const MIN_STATEMENTS = 500

test('PostgreSQL 15 refuses a function that only 18 has (needs TEST_POSTGRES_VERSION=15)', async ({
  skip,
}) => {
  skip(!isOldest)
  const refused = await refusedBy(await createMigratedDatabase(), [
    'select uuidv7()',
    'select $1::int + 1',
    'select absent from orders',
    'select from orders where business_id = $1 and created_at > $2',
  ])
  expect([...refused.keys()]).toEqual(['select uuidv7()', 'select absent from orders'])
})

test('PostgreSQL 15 plans each statement that 18 plans (needs TEST_STATEMENTS)', async ({ skip }) => {
  skip(file === undefined || !isOldest)
  const statements = await readStatements(file ?? '')
  const [oldest, newest] = [
    await refusedBy(await createMigratedDatabase(), statements),
    await refusedBy(await newestDatabase(), statements),
  ]
  expect(statements.length - newest.size).toBeGreaterThan(MIN_STATEMENTS)
  expect([...oldest].filter(([text]) => !newest.has(text))).toEqual([])
})

async function readStatements(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return [...new Set(lines.map((line) => JSON.parse(line) as string))]
}

async function newestDatabase(): Promise<string> {
  const dataDir = await mkdtemp(join(await fastestDirectory(), 'quittance-newest-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  cleanUp(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await migrate(server.url)
  return server.url
}

/** Returns the error of each statement that the server cannot parse, resolve or plan. None is run. */
async function refusedBy(url: string, statements: readonly string[]): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Without it, a condition on a parameter that is null is never planned.
    await client.query('set plan_cache_mode = force_generic_plan')
    const refused = new Map<string, string>()
    for (const text of statements) {
      const error = await client.query(new Plan(text)).error
      if (error !== undefined) refused.set(text, messageOf(error))
    }
    return refused
  } finally {
    await client.end()
  }
}

interface Connection {
  parse(message: { readonly text: string }): void
  bind(message: { readonly values: readonly null[] }): void
  sync(): void
}

/** A statement that is bound, for which the server plans it, but not run. */
class Plan implements pg.Submittable {
  readonly error: Promise<unknown>
  readonly #text: string
  readonly #done = Promise.withResolvers<unknown>()

  constructor(text: string) {
    this.#text = text
    this.error = this.#done.promise
  }

  submit = (connection: unknown): void => {
    const { size: length } = new Set(this.#text.match(/\$\d+/g))
    const wire = connection as Connection
    wire.parse({ text: this.#text })
    wire.bind({ values: Array<null>(length).fill(null) })
    wire.sync()
  }

  /** The driver does not call `handleReadyForQuery` after it. */
  handleError(error: unknown): void {
    this.#done.resolve(error)
  }

  handleReadyForQuery(): void {
    this.#done.resolve(undefined)
  }
}
