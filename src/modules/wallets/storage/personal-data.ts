import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'
import { withoutTexts } from '#platform/personal-data/rewrite'
import { isOneOf } from '#platform/postgres/rows'

const walletIds = (businessId: string, { names }: Pick<Subject, 'names'>): Sql =>
  sql`select id from wallets where business_id = ${businessId} and ${isOneOf(sql`p_user_id`, names)}`

export const WALLETS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'wallets',
      key: sql`t.id`,
      where: (_, { names }) => isOneOf(sql`t.p_user_id`, names),
      rewritten: { p_user_id: ['text', withoutTexts] },
    }),
    personalRows({
      table: 'wallet_fee_rules',
      key: sql`t.user_id`,
      where: (_, { names }) => isOneOf(sql`t.user_id`, names),
      rewritten: { user_id: ['text', withoutTexts] },
    }),
    personalRows({
      table: 'wallet_transactions',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.wallet_id in (${walletIds(businessId, subject)})`,
    }),
  ],
  objects: (businessId, subject) => sql`
    ${walletIds(businessId, subject)}
    union all
    select id from wallet_transactions where business_id = ${businessId} and wallet_id in (${walletIds(businessId, subject)})`,
  blockers: {
    wallet_balances: (businessId, subject) => sql`
      select owner as id from wallet_accounts
       where business_id = ${businessId} and owner in (${walletIds(businessId, subject)})
         and kind in ('available', 'held') and balance <> 0`,
  },
}
