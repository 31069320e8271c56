import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import { rowsAs } from '#platform/postgres/rows'

export type Rewrap = (businessId: string) => Promise<number>

interface SealedColumn {
  readonly table: Sql
  readonly id: Sql
  readonly column: Sql
  readonly bindingOf: (businessId: string, id: string) => SealBinding
}

interface Sealed {
  readonly id: string
  readonly sealed: string
}

interface Rewrapped extends Sealed {
  readonly before: string
}

const rewrappedTexts = rowsAs<Rewrapped>('given', {
  id: ['text', (text) => text.id],
  before: ['text', (text) => text.before],
  sealed: ['text', (text) => text.sealed],
})

const BATCH = 500

export function rewrapColumn(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  { table, id, column, bindingOf }: SealedColumn,
  batch = BATCH,
): Rewrap {
  return async (businessId) => {
    let changed = 0
    for (let afterId: string | undefined = ''; afterId !== undefined;) {
      const read: Sealed[] = await db.read<Sealed>(
        businessId,
        sql`select ${id} as id, ${column} as sealed from ${table}
             where business_id = ${businessId} and ${column} is not null and ${id} > ${afterId}
             order by ${id} limit ${batch}`,
      )
      const rewrapped = read
        .map((row) => ({
          id: row.id,
          before: row.sealed,
          sealed: keyring.rewrap(row.sealed, bindingOf(businessId, row.id)),
        }))
        .filter(({ before, sealed }) => before !== sealed)
      // Compares with the value read, so that a text erased in the meantime stays erased.
      if (rewrapped.length > 0) {
        changed += await db.transact(businessId, (tx) =>
          tx.execute(sql`
            update ${table} t set ${column} = given.sealed
              from ${rewrappedTexts(rewrapped)}
             where t.business_id = ${businessId} and t.${id} = given.id and t.${column} = given.before`),
        )
      }
      afterId = read.length < batch ? undefined : read.at(-1)?.id
    }
    return changed
  }
}
