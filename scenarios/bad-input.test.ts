import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type JsonSchema, mutationsOf } from './harness/schema-mutations.ts'
import { operationsOf } from './harness/operations.ts'
import { startScenario } from './harness/scenario.ts'

const { client, databaseUrl } = await startScenario()
const operations = await operationsOf(client)
const withBody = operations.filter((operation) => operation.bodySchema !== undefined)

/** Rows of every table but those that every request or the clock's passing may write. */
async function rowCounts(): Promise<Record<string, string>> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    const { rows: tables } = await admin.query<{ name: string }>(`
      select tablename as name from pg_tables
       where schemaname = 'public' and tablename not in ('due_heads') order by 1`)
    const counts: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await admin.query<{ count: string }>(`select count(*) from "${name}"`)
      counts[name] = String(rows[0]?.count)
    }
    return counts
  } finally {
    await admin.end()
  }
}

test('there are operations with bodies to try', () => {
  expect(withBody.length).toBeGreaterThan(20)
})

describe('a wrong body is refused naming the member, and nothing is stored', () => {
  test.each(withBody.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      const before = await rowCounts()
      const mutations = mutationsOf(operation.bodySchema as JsonSchema)
      expect(mutations.length).toBeGreaterThan(0)
      const wrong: unknown[] = []
      for (const mutation of mutations) {
        const { path, headers } = operation.example()
        const answer = await client.call(operation.method, path, mutation.body, { headers })
        const { error } = answer.data
        const named = mutation.member === '' ? error !== undefined : error?.param === mutation.member
        if (answer.status !== 400 || answer.code < 40_001 || answer.code > 40_099 || !named) {
          wrong.push({ mutation: mutation.name, status: answer.status, error })
        }
      }
      expect(wrong).toEqual([])
      expect(await rowCounts()).toEqual(before)
    },
    60_000,
  )
})

describe('a query name that the operation does not know is refused', () => {
  test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      const { path, headers, body } = operation.example()
      const answer = await client.call(operation.method, `${path}?no_such_name=1`, body, { headers })
      expect(answer).toMatchObject({ status: 400, data: { error: { param: 'no_such_name' } } })
    },
  )
})
