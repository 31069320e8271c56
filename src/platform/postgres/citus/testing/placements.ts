/**
 * Refuses, without a running Citus, the statements of tenants that Citus would refuse because of the placement of their tables
 * (docs/decisions/0076-tenants-live-on-nodes).
 */
import { loadModule, parseSync } from 'libpg-query'
import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { memoize } from '#kernel/memoize'
import type { Database, Tx } from '#platform/postgres/database'
import type { TransactOptions } from '#platform/postgres/tenant-session'
import { OWNER_FUNCTIONS } from '#platform/postgres/citus/shard-views'

/**
 * - `tables`: Where each table is, by its name.
 * - `functions`: Those that name a table and are not copied to the shards.
 */
export interface Placements {
  readonly tables: ReadonlyMap<string, string>
  readonly functions: ReadonlySet<string>
}

export async function readPlacements(admin: Pick<pg.Client, 'query'>): Promise<Placements> {
  await loadModule()
  const { rows: tables } = await admin.query<{ name: string; placement: string }>(
    'select name, placement from placements',
  )
  const { rows: functions } = await admin.query<{ name: string }>(
    `select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and proname <> all($1)
        and prosrc ~ (select '\\m(' || string_agg(p.name, '|') || ')\\M' from placements p)`,
    [OWNER_FUNCTIONS],
  )
  return {
    tables: new Map(tables.map(({ name, placement }) => [name, placement])),
    functions: new Set(functions.map(({ name }) => name)),
  }
}

const refused = new Set<string>()

export function takeRefused(): string[] {
  const taken = [...refused]
  refused.clear()
  return taken
}

/** The database, whose tenants' statements fail as they would on Citus. */
export function checkingPlacements(db: Database, placements: Placements): Database {
  const refusals = {
    tenant: memoize((text: string) => refusalOf(text, placements, false) ?? null),
    shared: memoize((text: string) => refusalOf(text, placements, true) ?? null),
  }
  const check = ({ text }: Sql, access: keyof typeof refusals = 'tenant'): void => {
    const refusal = refusals[access](text)
    if (refusal === null) return
    const message = `Citus would refuse this statement of a tenant: ${refusal}.\n${text}`
    refused.add(message)
    throw new Error(message)
  }
  const checkedTx = (tx: Tx, { usesSharedTables, isUnbounded }: TransactOptions): Tx => {
    const access = usesSharedTables === true || isUnbounded === true ? 'shared' : 'tenant'
    return {
      businessId: tx.businessId,
      now: tx.now,
      clockOffsetMs: tx.clockOffsetMs,
      query: async (statement) => {
        check(statement, access)
        return tx.query(statement)
      },
      execute: async (statement) => {
        check(statement, access)
        return tx.execute(statement)
      },
      defer: (sent) => tx.defer(sent),
    }
  }
  const [transact, read, autocommit] = [db.transact.bind(db), db.read.bind(db), db.autocommit.bind(db)]
  const checked: Pick<Database, 'transact' | 'read' | 'autocommit'> = {
    transact: (businessId, work, options = {}) =>
      transact(businessId, (tx) => work(checkedTx(tx, options)), options),
    read: async (businessId, statement) => {
      check(statement)
      return read(businessId, statement)
    },
    autocommit: async (businessId, statement) => {
      check(statement)
      return autocommit(businessId, statement)
    },
  }
  // A test's spy is a property of the database itself, and calls the checked methods.
  return new Proxy(db, {
    get: (target, name) => {
      if (name in checked && !Object.hasOwn(target, name)) return checked[name as keyof typeof checked]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/**
 * Why Citus refuses the statement on the node of a tenant; undefined if it does not.
 * @param usesSharedTables whether Citus may use the role of the transaction on other nodes (`sessionOf`)
 */
function refusalOf(
  text: string,
  { tables, functions }: Placements,
  usesSharedTables: boolean,
): string | undefined {
  const { names, written, called, withs } = namesIn(parseSync(text))
  const ownFunction = called.find((name) => functions.has(name))
  if (ownFunction !== undefined) return `the function ${ownFunction} names tables and is not copied to shards`
  for (const { schema, name } of names) {
    const placement = withs.has(name) && schema === undefined ? undefined : tables.get(name)
    if (placement === undefined) continue
    if (schema === 'public') return `public.${name} is not the table of the tenant's shard`
    if (placement === 'local') return `${name} is on the coordinator alone`
    if (usesSharedTables || placement === 'tenant') continue
    if (placement === 'coordinator') return `${name} is on the coordinator: say usesSharedTables`
    if (written.has(name)) return `${name} is written on all nodes: say usesSharedTables`
  }
  return undefined
}

interface Names {
  readonly names: { readonly schema: string | undefined; readonly name: string }[]
  readonly written: Set<string>
  readonly called: string[]
  readonly withs: Set<string>
}

type Node = Readonly<Record<string, unknown>>

const WRITING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

function namesIn(parsed: unknown): Names {
  const found: Names = { names: [], written: new Set(), called: [], withs: new Set() }
  visit('', parsed, found)
  return found
}

/** A member of the parse tree is named by the type of the node that it holds, or by its part in the node around it. */
function visit(member: string, value: unknown, found: Names): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach((one) => visit(member, one, found))
  const node = value as Node
  if (typeof node['relname'] === 'string') {
    found.names.push({ schema: node['schemaname'] as string | undefined, name: node['relname'] })
  }
  if (typeof node['ctename'] === 'string') found.withs.add(node['ctename'])
  if (member === 'FuncCall') found.called.push(lastNameOf(node['funcname']))
  if (WRITING.has(member)) found.written.add((node['relation'] as { relname: string }).relname)
  if (member === 'SelectStmt' && node['lockingClause'] !== undefined) {
    for (const name of lockedBy(node)) found.written.add(name)
  }
  for (const [name, part] of Object.entries(node)) visit(name, part, found)
}

function lastNameOf(names: unknown): string {
  const [last] = [...JSON.stringify(names).matchAll(/"sval":"([^"]*)"/g)].slice(-1)
  return last?.[1] ?? ''
}

interface Table {
  readonly relname: string
  readonly alias?: { readonly aliasname: string }
}

/** All tables that the statement reads from, or those of `for update of`. */
function lockedBy(select: Node): string[] {
  const tables: Table[] = []
  collectTables(select['fromClause'], tables)
  const clauses = select['lockingClause'] as { LockingClause: { lockedRels?: { RangeVar: Table }[] } }[]
  const locked = clauses.flatMap(({ LockingClause: { lockedRels = [] } }) =>
    lockedRels.map((one) => one.RangeVar.relname),
  )
  return tables
    .filter(({ relname, alias }) => locked.length === 0 || locked.includes(alias?.aliasname ?? relname))
    .map(({ relname }) => relname)
}

function collectTables(value: unknown, tables: Table[]): void {
  if (Array.isArray(value)) return value.forEach((one) => collectTables(one, tables))
  const { RangeVar: table, JoinExpr: join } = (value ?? {}) as { RangeVar?: Table; JoinExpr?: Node }
  if (table !== undefined) tables.push(table)
  if (join !== undefined) collectTables([join['larg'], join['rarg']], tables)
}
