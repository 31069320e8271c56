import type { Database } from '#platform/postgres/database'
import { untilCachesExpire } from '../authentication/lookup-cache.ts'
import { CommandError } from '../command-error.ts'
import { markKeyRevoked } from '../storage/repository.ts'

export async function revokeApiKey(db: Database, keyId: string): Promise<void> {
  if (!(await markKeyRevoked(db.shared, keyId))) throw new CommandError(`No API key has the id ${keyId}.`)
  await untilCachesExpire()
}
