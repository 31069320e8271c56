import sql from 'sql-template-tag'
import type { SharedStatements } from '#platform/postgres/database'

const NAME = 'sign_in'

export async function findOrStoreSecret(shared: SharedStatements, fresh: string): Promise<string> {
  const stored = await findSecret(shared)
  if (stored !== undefined) return stored
  await shared.query(sql`
    insert into user_secrets (name, sealed) values (${NAME}, ${fresh}) on conflict (name) do nothing`)
  const winner = await findSecret(shared)
  if (winner === undefined) throw new Error('the secret of sign-ins was deleted')
  return winner
}

export async function replaceSecret(
  shared: SharedStatements,
  rewrap: (sealed: string) => string,
): Promise<number> {
  const before = await findSecret(shared)
  if (before === undefined) return 0
  const after = rewrap(before)
  if (after === before) return 0
  const rows = await shared.query(sql`
    update user_secrets set sealed = ${after} where name = ${NAME} and sealed = ${before} returning name`)
  return rows.length
}

async function findSecret(shared: SharedStatements): Promise<string | undefined> {
  const [row] = await shared.query<{ sealed: string }>(
    sql`select sealed from user_secrets where name = ${NAME}`,
  )
  return row?.sealed
}
