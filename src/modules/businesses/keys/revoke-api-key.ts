import type { Database } from '#platform/postgres/database'
import { forgottenEverywhere } from '../authentication/brief-memory.ts'
import { CannotDo } from '../api/cannot-do.ts'
import { revokeApiKey as revoke } from '../storage/repository.ts'

/** Revokes a key, and answers once every process refuses it. Throws `CannotDo`. */
export async function revokeApiKey(db: Database, keyId: string): Promise<void> {
  if (!(await revoke(db.shared, keyId))) throw new CannotDo(`There is no key ${keyId}.`)
  await forgottenEverywhere()
}
