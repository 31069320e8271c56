import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { migrate } from '#platform/postgres/migrations/migrate'
import { fastestDirectory } from './fastest-directory.ts'
import { postgres15 } from './postgres15.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    templateDatabase: string
    plainTemplateDatabase: string
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
  const plainTemplateDatabase = citusNodes.length === 0 ? templateDatabase : `${templateDatabase}_plain`
  const templates = new Map([
    [plainTemplateDatabase, []],
    [templateDatabase, citusNodes],
  ])
  for (const [template, nodes] of templates) {
    await createOnServers(server.url, nodes, template)
    await migrate(withDatabase(server.url, template))
    await closeOnServers(server.url, nodes, template)
  }
  project.provide('postgresUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
  project.provide('plainTemplateDatabase', plainTemplateDatabase)
  project.provide('citusNodes', citusNodes)
  return async () => {
    for (const [template, nodes] of templates) await dropOnServers(server.url, nodes, template)
    await server.stop()
  }
}

/** Each process of tests has services of its own, with 18 connections each. */
const MAX_CONNECTIONS = '400'

async function testServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const external = process.env['CITUS_URL'] ?? process.env['TEST_DATABASE_URL']
  if (external !== undefined) return { url: external, stop: async () => {} }
  const { startEmbeddedPostgres } = await import('#platform/embedded-postgres/embedded-postgres')
  const dataDir = await mkdtemp(join(await fastestDirectory(), 'quittance-test-'))
  const isOldest = process.env['TEST_POSTGRES_VERSION'] === '15'
  const server = await startEmbeddedPostgres({
    dataDir,
    ...(isOldest && { postgres: await postgres15() }),
    log: () => {},
    settings: { max_connections: MAX_CONNECTIONS },
  })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface CitusNode {
  readonly host: string
  readonly port: number
  readonly isCoordinator: boolean
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

export async function findCitusNodes(url: string): Promise<CitusNode[]> {
  return onServer(url, async (client) => {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
    if (rowCount === 0 && process.env['CITUS_URL'] === undefined) return []
    const { rows } = await client.query<CitusNode>(
      `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node where noderole = 'primary' order by groupid`,
    )
    return rows
  })
}

export async function createOnServers(
  url: string,
  nodes: readonly CitusNode[],
  name: string,
  template?: string,
): Promise<void> {
  const copy = template === undefined ? '' : ` template ${template} strategy file_copy`
  const statement = `create database ${name}${copy}`
  for (const server of serversOf(url, nodes)) {
    await onServer(server, (client) => retried(client, statement))
    if (template === undefined && nodes.length > 0) {
      await onServer(withDatabase(server, name), (client) => client.query('create extension citus'))
    }
  }
  if (template === undefined && nodes.length > 0) await addNodes(withDatabase(url, name), nodes)
}

export async function dropOnServers(url: string, nodes: readonly CitusNode[], name: string): Promise<void> {
  for (const server of serversOf(url, nodes)) {
    await onServer(server, (client) => retried(client, `drop database if exists ${name} with (force)`))
  }
}

function serversOf(url: string, nodes: readonly CitusNode[]): string[] {
  return nodes.length === 0 ? [url] : nodes.map(({ host, port }) => urlOnHost(url, host, port))
}

/** Few shards, because a database is made for each test file: every table has so many. */
async function addNodes(url: string, nodes: readonly CitusNode[]): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`alter database ${client.database} set citus.shard_count to 4`)
    for (const { host, port, isCoordinator } of nodes) {
      const call = isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'
      await client.query(`select ${call}($1, $2)`, [host, port])
    }
  })
}

/** Citus keeps a daemon in each database, and a database in use is no template. */
export async function closeOnServers(url: string, nodes: readonly CitusNode[], name: string): Promise<void> {
  for (const server of serversOf(url, nodes)) {
    await onServer(server, async (client) => {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })
  }
}

/** Retries, because PostgreSQL refuses to copy a template that is being copied, and the daemon of Citus comes back. */
async function retried(client: pg.Client, statement: string): Promise<void> {
  const OBJECT_IN_USE = '55006'
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(statement)
      return
    } catch (error) {
      if (attempt >= 50 || !(error instanceof pg.DatabaseError && error.code === OBJECT_IN_USE)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
