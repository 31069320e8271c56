import type { Environment } from '#platform/caller'
import type { Database } from '#platform/database'
import { forgottenEverywhere } from './brief-memory.ts'
import { CannotDo } from './cannot-do.ts'
import { deleteSigningKey } from './repository.ts'

/**
 * Takes a signing key away on behalf of an app that cannot sign the request that would: its private key is lost, or is
 * somebody else's. Answers once every process goes by it. Throws `CannotDo`.
 */
export async function removeSigningKey(
  db: Database,
  app: { readonly appId: string; readonly environment: Environment },
): Promise<void> {
  if (!(await deleteSigningKey(db.shared, app))) {
    throw new CannotDo(`There is no signing key of app ${app.appId} in ${app.environment}.`)
  }
  await forgottenEverywhere()
}
