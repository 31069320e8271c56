import { cleanUp } from '#platform/testing/clean-up'
import { createMigratedDatabase } from '#platform/testing/database'
import { CheckingClient } from './checking-client.ts'
import type { Client } from './client.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

/** Starts a service process with a database for one test file, and a client of its sandbox. Call it at the top of the file. */
export async function startScenario(
  options: ServiceOptions = {},
): Promise<{ service: Service; client: Client; databaseUrl: string }> {
  const databaseUrl = await createMigratedDatabase()
  const service = await startService({
    ...options,
    env: { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const client = new CheckingClient(service.sandbox)
  cleanUp(async () => {
    try {
      // A scenario may have stopped the service.
      if (service.process.exitCode === null) await client.readEvents()
    } finally {
      await service.stop()
    }
  })
  return { service, client, databaseUrl }
}
