import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { writableUrl } from '#platform/postgres/hosts/hosts'
import { TenantNodes } from '#platform/postgres/citus/tenant-nodes'
import { Database, type DatabaseOptions } from '#platform/postgres/database'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { SHARED_ROLE } from '#platform/postgres/session'

/** Opens a migrated database: one PostgreSQL, or the coordinator and the nodes of Citus. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (!(await isCitus(options.url))) return new Database(options)
  const url = await writableUrl(options.url)
  return new Database({
    ...options,
    role: SHARED_ROLE,
    tenants: (coordinator) =>
      new TenantNodes(coordinator, ({ name, port }) => new Database({ ...options, url: urlOnHost(url, name, port), isNode: true })),
  })
}

function isCitus(url: string): Promise<boolean> {
  return withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query(`select from pg_extension where extname = 'citus'`)
    return rows.length > 0
  })
}
