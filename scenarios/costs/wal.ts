import type pg from 'pg'

interface RowCounts {
  inserted: number
  /** Includes those of `hot`. */
  updated: number
  hot: number
  deleted: number
}

interface WalCosts {
  readonly bytes: number
  readonly rows: Readonly<Record<string, RowCounts>>
  readonly bytesOfTables: Readonly<Record<string, number>>
}

interface Row extends RowCounts {
  readonly name: string | null
  readonly bytes: number
}

/** Reads the log itself, because the statistics of a session arrive up to ten seconds later. */
export async function readWal(admin: pg.Client, from: string, to: string): Promise<WalCosts> {
  const total = await admin.query<{ bytes: number }>(
    `select coalesce(sum(record_length), 0)::float8 as bytes from pg_get_wal_records_info($1, $2)
      where resource_manager not in ('XLOG', 'Standby')`,
    [from, to],
  )
  const { rows } = await admin.query<Row>(
    `with blocks as (
       select relfilenode, start_lsn, resource_manager || ' ' || replace(record_type, '+INIT', '') as type, record_length
         from pg_get_wal_block_info($1, $2, false)
        where resource_manager not in ('XLOG', 'Standby') and block_id = 0),
     stored as (
       select c.relfilenode, c.relkind, coalesce(toasted.oid, i.indrelid, owner.oid, c.oid) as oid
         from pg_class c
         left join pg_index i on i.indexrelid = c.oid
         left join pg_class owner on owner.reltoastrelid = c.oid
         left join pg_class toasted on toasted.reltoastrelid = i.indrelid)
     select coalesce(parent.relname, t.relname)::text as name, sum(b.record_length)::float8 as bytes,
            count(*) filter (where s.relkind = 'r' and b.type = 'Heap INSERT')::int as inserted,
            count(*) filter (where s.relkind = 'r' and b.type in ('Heap UPDATE', 'Heap HOT_UPDATE'))::int as updated,
            count(*) filter (where s.relkind = 'r' and b.type = 'Heap HOT_UPDATE')::int as hot,
            count(*) filter (where s.relkind = 'r' and b.type = 'Heap DELETE')::int as deleted
       from blocks b
       left join stored s using (relfilenode)
       left join pg_class t on t.oid = s.oid
       left join pg_inherits p on p.inhrelid = t.oid
       left join pg_class parent on parent.oid = p.inhparent
      where t.relnamespace is distinct from 'pg_catalog'::regnamespace and t.relname is distinct from 'processes'
      group by 1 order by 2 desc`,
    [from, to],
  )
  return {
    bytes: total.rows[0]?.bytes ?? 0,
    rows: Object.fromEntries(
      rows
        .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
        .map(({ name, inserted, updated, hot, deleted }) => [
          String(name),
          { inserted, updated, hot, deleted },
        ]),
    ),
    bytesOfTables: Object.fromEntries(rows.map(({ name, bytes }) => [String(name), bytes])),
  }
}

export async function walPosition(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
  return rows[0]?.lsn ?? ''
}
