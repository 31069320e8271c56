import type { Database } from '#platform/postgres/database'
import type { App } from '../profiles/business.ts'
import { forgottenEverywhere } from './brief-memory.ts'
import { CannotDo } from '../api/cannot-do.ts'
import { deleteSigningKey } from '../storage/repository.ts'

/**
 * Takes a signing key away on behalf of an app that cannot sign the request that would: its private key is lost, or is
 * somebody else's. Answers once every process goes by it. Throws `CannotDo`.
 */
export async function removeSigningKey(db: Database, app: App): Promise<void> {
  if (!(await deleteSigningKey(db.shared, app))) {
    throw new CannotDo(`There is no signing key of app ${app.appId} in ${app.environment}.`)
  }
  await forgottenEverywhere()
}
