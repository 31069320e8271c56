import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#platform/postgres/migrations/migrate'
import {
  type CitusNode,
  closeOnServers,
  createOnServers,
  dropOnServers,
  findCitusNodes,
  withDatabase,
} from './servers.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    templateDatabase: string
    citusNodes: readonly CitusNode[]
  }
}

/**
 * Starts one PostgreSQL for the whole test run and migrates the database that every test file copies.
 * TEST_POSTGRES_VERSION chooses 15 or 18; TEST_DATABASE_URL names a server that runs already, and CITUS_URL the
 * coordinator of a Citus cluster, whose nodes are found there.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer()
  const templateDatabase = `quittance_template_${process.pid}`
  const citusNodes = await findCitusNodes(server.url)
  await createOnServers(server.url, citusNodes, templateDatabase)
  await migrate(withDatabase(server.url, templateDatabase))
  await closeOnServers(server.url, citusNodes, templateDatabase)
  project.provide('postgresUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
  project.provide('citusNodes', citusNodes)
  return async () => {
    await dropOnServers(server.url, citusNodes, templateDatabase)
    await server.stop()
  }
}

async function testServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const external = process.env['CITUS_URL'] ?? process.env['TEST_DATABASE_URL']
  if (external !== undefined) return { url: external, stop: async () => {} }
  const { startEmbeddedPostgres } = await import('#platform/embedded-postgres/embedded-postgres')
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-test-'))
  const version = process.env['TEST_POSTGRES_VERSION'] === '15' ? 15 : 18
  const server = await startEmbeddedPostgres({ dataDir, version, log: () => {} })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
