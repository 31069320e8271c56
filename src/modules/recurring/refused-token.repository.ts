import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { PaymentToken } from '#modules/customers'
import type { Tx } from '#platform/database'
import { isOneOf } from '#platform/rows'

/** A token whose card is lost, stolen, closed or not permitted: no attempt sends it to the acquirer again. */
export interface RefusedToken {
  readonly token: string
  /** What the acquirer said. */
  readonly responseCode: string
  readonly message: string
}

/** Which of the customers' tokens are refused, by token. */
export async function findRefusedTokens(
  tx: Tx,
  tokensOfCustomers: ReadonlyMap<string, PaymentToken>,
): Promise<Map<string, RefusedToken>> {
  const tokens = [...tokensOfCustomers.values()].map(({ token }) => token)
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

export async function insertRefusedTokens(
  tx: Tx,
  refused: readonly (RefusedToken & { readonly at: Instant })[],
): Promise<void> {
  if (refused.length === 0) return
  const rows = refused.map(({ token, responseCode, message, at }) => ({
    token,
    response_code: responseCode,
    message,
    refused_at: toRfc3339(at),
  }))
  await tx.execute(sql`
    insert into recurring_refused_tokens (business_id, token, response_code, message, refused_at)
    select ${tx.businessId}, r.token, r.response_code, r.message, r.refused_at
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (
             token text, response_code text, message text, refused_at timestamptz)
     order by r.token
    on conflict (business_id, token) do nothing`)
}
