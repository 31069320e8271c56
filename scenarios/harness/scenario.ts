import { afterAll } from 'vitest'
import { createEmptyDatabase } from '#platform/testing/database'
import { CheckingClient } from './checking-client.ts'
import type { Client } from './client.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

/**
 * A service of this test file's own, as a process, on a database of its own, with a client of its
 * sandbox. Call it at the top of the file.
 */
export async function startScenario(
  options: ServiceOptions = {},
): Promise<{ service: Service; client: Client; databaseUrl: string }> {
  const databaseUrl = await createEmptyDatabase()
  const service = await startService({
    ...options,
    env: { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', ...options.env },
  })
  const client = new CheckingClient(service.sandbox)
  afterAll(async () => {
    try {
      // One scenario stops its service itself.
      if (service.process.exitCode === null) await client.readEvents()
    } finally {
      await service.stop()
    }
  })
  return { service, client, databaseUrl }
}
