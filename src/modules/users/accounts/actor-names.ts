import type { UsersDependencies } from '../dependencies.ts'
import { findNames } from '../storage/user.repository.ts'

/** The names that users and the API keys of a tenant have now, by their ids. A key without a name has none. */
export async function actorNames(
  { db, businesses }: Pick<UsersDependencies, 'db' | 'businesses'>,
  businessId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const [people, keys] = await Promise.all([findNames(db.shared, ids), businesses.keyNames(businessId, ids)])
  return new Map([...people, ...keys])
}
