import type pg from 'pg'

/** Makes a transaction of the simulator into one of a real acquirer's account, as if its outcome had come from there. */
export async function moveToAccount(
  admin: pg.Client,
  businessId: string,
  accountId: string,
  id: string,
): Promise<void> {
  await admin.query('update transactions set acquirer_account_id = $1 where id = $2', [accountId, id])
  await nameAtAcquirer(admin, businessId, [id])
}

export async function nameAtAcquirer(
  admin: pg.Client,
  businessId: string,
  ids: readonly string[],
): Promise<void> {
  await admin.query(
    `insert into acquirer_transactions (business_id, transaction_id, account_id, gateway_transaction_id, rrn, moved_at)
     select business_id, id, acquirer_account_id, nullif(answer ->> 'gatewayTransactionId', ''),
            nullif(answer ->> 'rrn', ''), case when type <> 'Authorization' then succeeded_at end
       from transactions where business_id = $1 and id = any($2)`,
    [businessId, ids],
  )
}
