import type pg from 'pg'
import { readDdlComments } from './ddl-comments.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** The default, or `generated …`; null if there is none. */
  readonly filled: string | null
  readonly comment: string | null
}

export interface Constraint {
  readonly name: string
  readonly kind: 'p' | 'u' | 'f' | 'c' | 'x'
  readonly definition: string
  readonly columns: readonly string[]
  readonly refersTo: string | null
}

export interface Table {
  readonly name: string
  readonly comment: string | null
  readonly partitioned: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  /** Without those of primary keys and unique constraints. */
  readonly indexes: readonly { readonly name: string; readonly definition: string }[]
}

/** Tables that no migration makes. */
const OTHER_TABLES: ReadonlyMap<string, string> = new Map([
  ['migration_gate', 'Locked by the process that migrates, so that others wait. It has no columns.'],
  ['schema_migrations', 'The migrations that the database ran, as node-pg-migrate keeps them.'],
])

/**
 * All tables of the schema `public`, by name; partitions count as their table. What they mean stands in the comments of `migrations`,
 * unless the database has a comment of its own.
 */
export async function readSchema(client: pg.Client, migrations: readonly string[]): Promise<Table[]> {
  const comments = readDdlComments(migrations)
  return (await readCatalog(client)).map((table) => ({
    ...table,
    comment: table.comment ?? comments.tables.get(table.name) ?? OTHER_TABLES.get(table.name) ?? null,
    columns: table.columns.map((column) => ({
      ...column,
      comment: column.comment ?? comments.columns.get(`${table.name}.${column.name}`) ?? null,
    })),
  }))
}

async function readCatalog(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ tables: string }>(`
    select json_agg(t order by t.name collate "C")::text as tables from (
    select c.relname as name, obj_description(c.oid, 'pg_class') as comment, pg_get_partkeydef(c.oid) as partitioned,
           (select coalesce(json_agg(json_build_object(
                     'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
                     'filled', case a.attgenerated when '' then '' else 'generated ' end || pg_get_expr(d.adbin, d.adrelid),
                     'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
              from pg_attribute a
              left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           (select coalesce(json_agg(json_build_object(
                     'name', k.conname, 'kind', k.contype, 'definition', pg_get_constraintdef(k.oid, true),
                     'refersTo', r.relname,
                     'columns', (select coalesce(json_agg(a.attname order by n.nth), '[]')
                                  from unnest(k.conkey) with ordinality n (attnum, nth)
                                   join pg_attribute a on a.attrelid = c.oid and a.attnum = n.attnum))
                     order by array_position(array['p', 'u', 'f', 'c', 'x']::"char"[], k.contype), k.conname), '[]')
              from pg_constraint k left join pg_class r on r.oid = k.confrelid
             where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')) as constraints,
           (select coalesce(json_agg(json_build_object('name', i.relname, 'definition', pg_get_indexdef(i.oid))
                     order by i.relname), '[]')
              from pg_index x join pg_class i on i.oid = x.indexrelid
             where x.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.oid)) as indexes
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition) t`)
  return JSON.parse(rows[0]?.tables ?? '[]') as Table[]
}
