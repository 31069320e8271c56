import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { type Breach, brokenRules, type Rules, type Verification } from '#platform/verify'
import { valueDeposit } from '../model/fee.ts'
import { NEW_TRANSACTIONS } from '../storage/transaction.repository.ts'

const MAX_WRONG_FEES = 100
const BATCH_SIZE = 1_000

export function verifyWallets(db: Database): Verification {
  return async function* wallets(businessId) {
    yield* brokenRules(db, businessId, RULES)
    yield* await wrongFees(db, businessId)
  }
}

export const RULES: Rules = {
  wallet_posting_sums_to_zero: (business) => sql`
    select posting_id as object, currency || ' sums to ' || sum(amount) as detail
      from wallet_entries where business_id = ${business}
     group by posting_id, currency having sum(amount) <> 0`,

  wallet_balance_is_sum_of_entries: (business) => sql`
    select coalesce(a.owner, e.owner) as object,
           concat_ws(' ', coalesce(a.kind, e.kind), coalesce(a.currency, e.currency), 'balance',
                     coalesce(a.balance, 0), 'entries', coalesce(e.total, 0)) as detail
      from (select owner, kind, currency, balance from wallet_accounts where business_id = ${business}) a
      full join (select owner, kind, currency, sum(amount) as total from wallet_entries
                  where business_id = ${business} group by owner, kind, currency) e
        on a.owner = e.owner and a.kind = e.kind and a.currency = e.currency
     where coalesce(a.balance, 0) <> coalesce(e.total, 0)`,

  wallet_deposit_is_in_ledger_once: (business) => sql`
    select t.id as object, t.state || ', the ledger has ' || coalesce(e.total, 0) as detail
      from wallet_transactions t
      left join (select object_id, owner, currency, sum(amount) as total from wallet_entries
                  where business_id = ${business} and kind = 'available' group by object_id, owner, currency) e
        on e.object_id = t.id and e.owner = t.wallet_id and e.currency = t.currency
     where t.business_id = ${business}
       and coalesce(e.total, 0) * 10::numeric ^ t.decimals <> case when t.state = 'confirmed' then t.units else 0 end`,

  wallet_fee_is_in_ledger_once: (business) => sql`
    select t.id as object, t.state || ', the ledger has ' || coalesce(e.total, 0) as detail
      from wallet_transactions t
      left join (select object_id, sum(amount) as total from wallet_entries
                  where business_id = ${business} and kind = 'fees_due' group by object_id) e on e.object_id = t.id
     where t.business_id = ${business}
       and coalesce(e.total, 0) <> case when t.state = 'confirmed' then t.calculated_fee_minor * 0.01 else 0 end`,

  wallet_transaction_is_as_on_chain: (business) => sql`
    select coalesce(t.id, c.id) as object,
           'published ' || coalesce(c.published_state, 'nothing') || ', is ' || coalesce(t.state, 'absent') as detail
      from (select id, state, units from wallet_transactions where business_id = ${business}) t
      full join (select id, published_state, units from chain_transfers
                  where business_id = ${business} and published_state is not null) c on c.id = t.id
     where t.state is distinct from c.published_state or t.units is distinct from c.units`,

  wallet_hold_is_in_ledger: (business) => sql`
    select h.id as object, 'held ' || h.held || ', the ledger has ' || coalesce(e.total, 0) as detail
      from wallet_holds h
      left join (select object_id, sum(amount) as total from wallet_entries
                  where business_id = ${business} and kind = 'held' group by object_id) e on e.object_id = h.id
     where h.business_id = ${business} and h.held <> coalesce(e.total, 0)`,

  wallet_spending_is_in_ledger: (business) => sql`
    select h.id as object, 'captured ' || h.captured || ', refunded ' || h.refunded || ', the ledger has '
           || coalesce(e.total, 0) as detail
      from wallet_holds h
      left join (select object_id, sum(amount) as total from wallet_entries
                  where business_id = ${business} and kind = 'spent' group by object_id) e on e.object_id = h.id
     where h.business_id = ${business} and h.captured - h.refunded <> coalesce(e.total, 0)`,
}

const VALUED = NEW_TRANSACTIONS.only('id', 'units', 'decimals', 'usdPrice', 'fee', 'usdMinor', 'feeMinor')

async function wrongFees(db: Database, businessId: string): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (let after = ''; breaches.length < MAX_WRONG_FEES;) {
    const rows = await db.read(
      businessId,
      sql`select ${VALUED.columns} from wallet_transactions t
           where business_id = ${businessId} and id > ${after}
           order by id limit ${BATCH_SIZE}`,
    )
    const transactions = rows.map(VALUED.read)
    for (const { id, units, decimals, usdPrice, fee, ...stored } of transactions) {
      const { usdMinor, feeMinor } = valueDeposit(units, decimals, usdPrice, fee)
      if (usdMinor === stored.usdMinor && feeMinor === stored.feeMinor) continue
      const detail = `fee is ${stored.feeMinor}, should be ${feeMinor}`
      breaches.push({ rule: 'wallet_fee_is_right', business_id: businessId, object: id, detail })
    }
    const last = transactions.at(-1)
    if (last === undefined || transactions.length < BATCH_SIZE) return breaches
    after = last.id
  }
  return breaches
}
