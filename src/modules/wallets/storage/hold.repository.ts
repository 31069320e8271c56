import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { type Decimal, decimalToString } from '#kernel/decimal'
import type { Tx } from '#platform/postgres/database'

/** Money that a card authorization holds in a wallet. The card's lock serializes the changes of a hold. */
export interface Hold {
  readonly id: string
  readonly walletId: string
  /** The wallet's currency, such as USDT, not the card's. */
  readonly currency: string
}

export async function insertHold(tx: Tx, hold: Hold, held: Decimal): Promise<void> {
  await tx.execute(sql`
    insert into wallet_holds (business_id, id, wallet_id, currency, held, created_at)
    values (${tx.businessId}, ${hold.id}, ${hold.walletId}, ${hold.currency},
            ${decimalToString(held)}::numeric, ${toRfc3339(tx.now)})`)
}

export async function lockHold(tx: Tx, id: string): Promise<Hold | null> {
  const [row] = await tx.query<{ id: string; wallet_id: string; currency: string }>(sql`
    select id, wallet_id, currency from wallet_holds
     where business_id = ${tx.businessId} and id = ${id}
       for no key update`)
  return row === undefined ? null : { id: row.id, walletId: row.wallet_id, currency: row.currency }
}

export async function moveHold(
  tx: Tx,
  id: string,
  change: { readonly held: string; readonly captured: string; readonly refunded: string },
): Promise<void> {
  await tx.execute(sql`
    update wallet_holds
       set held = held + ${change.held}::numeric, captured = captured + ${change.captured}::numeric,
           refunded = refunded + ${change.refunded}::numeric
     where business_id = ${tx.businessId} and id = ${id}`)
}
