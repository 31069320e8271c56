import { isCitus, openCluster } from '#platform/postgres/citus/open-cluster'
import type { Database } from '#platform/postgres/database'
import { checked, type DatabaseCheck, type DatabaseOptions } from '#platform/postgres/database-options'
import { openHosts } from '#platform/postgres/hosts/hosts'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { ReplicatedDatabase } from '#platform/postgres/replicas/replicated-database'

export async function openDatabase(
  options: DatabaseOptions,
  check: DatabaseCheck = async () => {},
): Promise<Database> {
  if (await isCitus(options.url)) return openCluster(options, check)
  const hosts = openHosts(options.url, options.onNewPrimary)
  const primary = new PlainDatabase({ ...options, hosts })
  const { replicas } = options
  return checked(replicas === undefined ? primary : new ReplicatedDatabase(primary, replicas), check)
}
