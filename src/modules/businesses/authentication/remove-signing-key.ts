import type { Database } from '#platform/postgres/database'
import type { App } from '../model/business.ts'
import { untilCachesExpire } from './lookup-cache.ts'
import { CommandError } from '../command-error.ts'
import { deleteSigningKey } from '../storage/repository.ts'

export async function removeSigningKey(db: Database, app: App): Promise<void> {
  if (!(await deleteSigningKey(db.shared, app))) {
    throw new CommandError(`App ${app.appId} has no signing key in ${app.environment}.`)
  }
  await untilCachesExpire()
}
