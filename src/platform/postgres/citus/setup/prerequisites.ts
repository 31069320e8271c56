import type pg from 'pg'
import { FIRST_TABLE } from '#platform/postgres/citus/setup/distribute'
import { UnfitDatabase } from '#platform/postgres/migrations/unfit-database'
import { SHARED_ROLE } from '#platform/postgres/citus/shard-session'
import { SERVICE_ROLE } from '#platform/postgres/session'

type Connection = Pick<pg.Client, 'query'>

export interface Citus {
  readonly isDistributed: boolean
}

/** Returns undefined on a PostgreSQL without Citus. Throws `UnfitDatabase` if Citus cannot be used as it is. */
export async function findCitus(connection: Connection): Promise<Citus | undefined> {
  const { rows: extensions } = await connection.query(`select from pg_extension where extname = 'citus'`)
  if (extensions.length === 0) return undefined
  const { rows } = await connection.query<{
    empty: boolean
    coordinator: boolean
    named: boolean
    nodes: boolean
    distributed: boolean
  }>(
    `select not exists (select from pg_dist_node) as empty, citus_is_coordinator() as coordinator,
            exists (select from pg_dist_node where groupid = 0) as named,
            exists (select from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary') as nodes,
            exists (select from pg_dist_partition where logicalrelid = to_regclass($1)) as distributed`,
    [FIRST_TABLE],
  )
  const {
    empty = true,
    coordinator = false,
    named = false,
    nodes = false,
    distributed = false,
  } = rows[0] ?? {}
  // Without nodes Citus does not know which node is the coordinator, either.
  if (empty) {
    throw new UnfitDatabase(
      'Citus knows no nodes: on the coordinator, run "select citus_set_coordinator_host(\'its name\', its port)" and, for each worker, "select citus_add_node(\'its name\', its port)". If that was done, DATABASE_URL leads to another server.',
    )
  }
  if (!coordinator)
    throw new UnfitDatabase('DATABASE_URL leads to a worker of Citus: it must lead to the coordinator.')
  if (!named) {
    throw new UnfitDatabase(
      'The workers of Citus do not know their coordinator: run "select citus_set_coordinator_host(\'its name\', its port)".',
    )
  }
  if (!nodes)
    throw new UnfitDatabase(
      'No node of Citus takes shards: run "select citus_add_node(\'its name\', its port)".',
    )
  return { isDistributed: distributed }
}

interface NodeResult {
  readonly node: string
  readonly success: boolean
  readonly result: string
}

/**
 * Called before the first migration writes anything. A migration that made a role would lock itself out of the connections on
 * which Citus makes functions. Citus also refuses to make a role for a user who is no superuser.
 */
export async function checkPrerequisites(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ user: string; isSuperuser: boolean }>(
    `select rolname::text as "user", rolsuper as "isSuperuser" from pg_roles where rolname = current_user`,
  )
  const { user = '', isSuperuser = false } = rows[0] ?? {}
  if (isSuperuser) await runMissingStatements(connection)
  const problems = [
    ...(await missingOnNodes(connection)),
    ...(await unreachableNodes(connection, user)),
    ...(await unreachableNodes(connection, SHARED_ROLE)),
  ]
  if (problems.length > 0)
    throw new UnfitDatabase(`Citus is not set up (docs/operating/citus.md). ${problems.join(' ')}`)
}

const IS_MISSING = (member: string, role: string) =>
  `not exists (select from pg_roles m, pg_roles r
                where m.rolname = ${member} and r.rolname = '${role}' and pg_has_role(m.oid, r.oid, 'member'))`

const MISSING_STATEMENTS = `
  select concat_ws('; ',
    case when to_regrole('${SERVICE_ROLE}') is null then 'create role ${SERVICE_ROLE}' end,
    case when to_regrole('${SHARED_ROLE}') is null then 'create role ${SHARED_ROLE} login' end,
    case when ${IS_MISSING(`'${SHARED_ROLE}'`, SERVICE_ROLE)} then 'grant ${SERVICE_ROLE} to ${SHARED_ROLE}' end,
    case when ${IS_MISSING('current_user', SERVICE_ROLE)} or ${IS_MISSING('current_user', SHARED_ROLE)}
         then format('grant ${SERVICE_ROLE}, ${SHARED_ROLE} to %I', current_user) end,
    (select format('alter role %I createrole', rolname) from pg_roles
      where rolname = current_user and not (rolcreaterole or rolsuper)),
    (select format('alter database %I owner to %I', datname, current_user) from pg_database
      where datname = current_database() and not pg_has_role(datdba, 'member'))) as statements`

async function runMissingStatements(connection: Connection): Promise<void> {
  await connection.query(`select pg_advisory_lock(hashtext('quittance_roles'))`)
  const { rows } = await connection.query<{ statements: string }>(MISSING_STATEMENTS)
  for (const statement of (rows[0]?.statements ?? '').split('; ')) await connection.query(statement)
  await connection.query(`select pg_advisory_unlock(hashtext('quittance_roles'))`)
}

/** Each node gets statements of its own. Citus would pass them on to other nodes, and a worker would refuse them. */
const FOR_THIS_NODE = [
  'enable_ddl_propagation',
  'enable_create_role_propagation',
  'enable_alter_role_propagation',
]
  .map((setting) => `set citus.${setting} to off; `)
  .join('')

async function missingOnNodes(connection: Connection): Promise<string[]> {
  const answers = await askNodes(connection, MISSING_STATEMENTS)
  return answers.flatMap(({ node, success, result }) =>
    success && result !== '' ? [`A superuser must run on ${node}: ${FOR_THIS_NODE}${result}.`] : [],
  )
}

async function unreachableNodes(connection: Connection, user: string): Promise<string[]> {
  const { rows } = await connection.query(
    'select from pg_roles where rolname = $1 and pg_has_role(oid, $2)',
    [user, 'member'],
  )
  if (rows.length === 0) return []
  await connection.query(`select set_config('role', $1, false)`, [user])
  const answers = await askNodes(
    connection,
    `select string_agg(nodename || ':' || nodeport, ', ')
       from run_command_on_all_nodes('select 1') join pg_dist_node using (nodeid) where not success`,
  )
  await connection.query('reset role')
  return answers.flatMap(({ node, success, result }) => {
    if (success && result === '') return []
    const [from, to] = success ? [node, result] : ['The coordinator', node]
    return [`${from} cannot log in to ${to} as ${user}: see pg_hba.conf there, and pg_dist_authinfo.`]
  })
}

async function askNodes(connection: Connection, statement: string): Promise<NodeResult[]> {
  const { rows } = await connection.query<NodeResult>(
    `select nodename || ':' || nodeport as node, success, coalesce(result, '') as result
       from run_command_on_all_nodes($1) join pg_dist_node using (nodeid) order by groupid`,
    [statement],
  )
  return rows
}
