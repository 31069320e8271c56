import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { PaymentToken } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'

/** A token that no attempt sends again, because its card is lost, stolen, closed or not permitted. */
export interface RefusedToken {
  readonly token: string
  readonly responseCode: string
  readonly message: string
}

export async function findRefusedTokens(
  tx: Tx,
  tokensByCustomer: ReadonlyMap<string, PaymentToken>,
): Promise<Map<string, RefusedToken>> {
  const tokens = [...tokensByCustomer.values()].map(({ token }) => token)
  if (tokens.length === 0) return new Map()
  const rows = await tx.query<{ token: string; response_code: string; message: string }>(sql`
    select token, response_code, message from recurring_refused_tokens
     where business_id = ${tx.businessId} and ${isOneOf(sql`token`, tokens)}`)
  return new Map(
    rows.map((row) => [
      row.token,
      { token: row.token, responseCode: row.response_code, message: row.message },
    ]),
  )
}

interface NewRefusedToken extends RefusedToken {
  readonly at: Instant
}

const newRefusedTokens = rowsAs<NewRefusedToken>('r', {
  token: ['text', (r) => r.token],
  response_code: ['text', (r) => r.responseCode],
  message: ['text', (r) => r.message],
  refused_at: ['timestamptz', (r) => toRfc3339(r.at)],
})

export async function insertRefusedTokens(tx: Tx, refused: readonly NewRefusedToken[]): Promise<void> {
  if (refused.length === 0) return
  await tx.execute(sql`
    insert into recurring_refused_tokens (business_id, token, response_code, message, refused_at)
    select ${tx.businessId}, r.* from ${newRefusedTokens(refused)}
     order by r.token
    on conflict (business_id, token) do nothing`)
}
