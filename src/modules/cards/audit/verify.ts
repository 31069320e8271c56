import sql, { type Sql } from 'sql-template-tag'
import { CURRENCIES, minorDigits } from '#kernel/currencies'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { objectsWithoutTerms } from '#platform/search/term-index'
import { CARD_EXPIRY, HOLD_EXPIRY, HOOK_TIMEOUT } from '../job-names.ts'
import { CARD_TITLES } from '../storage/search.repository.ts'

const USED_BY_HOLD = sql`held_minor + captured_minor - forced_minor - refunded_minor`

export const RULES: Rules = {
  card_has_usage: cardsWithoutUsage,
  card_usage_is_sum: usageNotEqualToSum,
  card_limit_not_exceeded: exceededLimits,
  card_transaction_limit_not_exceeded: exceededTransactionLimits,
  card_authorization_sums: authorizationsNotMatchingOperations,
  card_authorization_state: authorizationsInWrongState,
  card_hold_agrees_with_wallet: holdsNotMatchingWallets,
  cards_have_their_terms: (businessId) => objectsWithoutTerms(CARD_TITLES, businessId),
  due_work_has_a_head: dueWithoutRun,
}

export function verifyCards(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

function cardsWithoutUsage(businessId: string): Sql {
  return sql`
    select c.id as object, 'the card has no row in card_usage' as detail
      from cards c
     where c.business_id = ${businessId}
       and not exists (select 1 from card_usage u where u.business_id = ${businessId} and u.card_id = c.id)`
}

function usageEntries(businessId: string): Sql {
  return sql`
    select card_id, created_at as at, ${USED_BY_HOLD} as minor,
           case when state in ('declined', 'reversed') then 0 else 1 end as count
      from card_authorizations
     where business_id = ${businessId}
    union all
    select card_id, created_at, forced_minor, 0
      from card_operations
     where business_id = ${businessId} and forced_minor > 0`
}

function usageNotEqualToSum(businessId: string): Sql {
  const counters = sql`u.lifetime_minor, u.lifetime_count, u.monthly_minor, u.monthly_count, u.daily_minor, u.daily_count`
  return sql`
    select u.card_id as object, 'stands at ' || row(${counters})::text || ', sums to '
           || row(s.lifetime_minor, s.lifetime_count, s.monthly_minor, s.monthly_count, s.daily_minor, s.daily_count)::text
           as detail
      from card_usage u
     cross join lateral (
           select coalesce(sum(e.minor), 0) as lifetime_minor, coalesce(sum(e.count), 0)::int as lifetime_count,
                  coalesce(sum(e.minor) filter (where e.at >= u.monthly_start), 0) as monthly_minor,
                  coalesce(sum(e.count) filter (where e.at >= u.monthly_start), 0)::int as monthly_count,
                  coalesce(sum(e.minor) filter (where e.at >= u.daily_start), 0) as daily_minor,
                  coalesce(sum(e.count) filter (where e.at >= u.daily_start), 0)::int as daily_count
             from (${usageEntries(businessId)}) e
            where e.card_id = u.card_id) s
     where u.business_id = ${businessId}
       and row(${counters}) is distinct from
           row(s.lifetime_minor, s.lifetime_count, s.monthly_minor, s.monthly_count, s.daily_minor, s.daily_count)`
}

/**
 * The last approval since the limit was set fitted into its window. Since then the window's holds and captures can only
 * have shrunk, forced captures aside, so they must still fit. A limit without an approval since then proves nothing.
 */
function exceededLimits(businessId: string): Sql {
  return sql`
    select l.id as object, w.used::text || ' of ' || l.amount_minor::text || ' in minor units' as detail
      from card_limits l
      join cards c on c.business_id = l.business_id and c.id = l.card_id
      join card_usage u on u.business_id = l.business_id and u.card_id = l.card_id
     cross join lateral (
           select case l.period when 'Daily' then u.daily_start when 'Monthly' then u.monthly_start
                                else c.created_at end as start) s
     cross join lateral (
           select sum(${USED_BY_HOLD}) as used, max(a.created_at) filter (where a.state <> 'declined') as last_approved
             from card_authorizations a
            where a.business_id = ${businessId} and a.card_id = l.card_id and a.created_at >= s.start) w
     where l.business_id = ${businessId} and l.status = 'Active' and l.period <> 'Transaction'
       and w.last_approved > greatest(l.effective_since, c.zone_since) and w.used > l.amount_minor`
}

function exceededTransactionLimits(businessId: string): Sql {
  return sql`
    select a.uuid as object, a.amount_minor::text || ' of ' || l.amount_minor::text || ' in minor units' as detail
      from card_authorizations a
      join card_limits l on l.business_id = a.business_id and l.card_id = a.card_id
     where a.business_id = ${businessId} and l.period = 'Transaction' and l.status = 'Active'
       and a.state <> 'declined' and a.created_at > l.effective_since and a.amount_minor > l.amount_minor`
}

function authorizationsNotMatchingOperations(businessId: string): Sql {
  return sql`
    select a.uuid as object, 'its amounts differ from the sums of its operations' as detail
      from card_authorizations a
      left join lateral (
           select coalesce(sum(o.amount_minor) filter (where o.kind = 'capture'), 0) as captured,
                  coalesce(sum(o.amount_minor) filter (where o.kind = 'refund'), 0) as refunded,
                  coalesce(sum(o.amount_minor) filter (where o.kind in ('reversal', 'expiry')), 0) as released,
                  coalesce(sum(o.forced_minor), 0) as forced
             from card_operations o
            where o.business_id = ${businessId} and o.authorization_uuid = a.uuid) o on true
     where a.business_id = ${businessId}
       and (a.captured_minor <> o.captured or a.refunded_minor <> o.refunded or a.forced_minor <> o.forced
            or a.held_minor + a.captured_minor - a.forced_minor + o.released > a.amount_minor)`
}

function authorizationsInWrongState(businessId: string): Sql {
  return sql`
    select a.uuid as object, 'its amounts contradict the state ' || a.state as detail
      from card_authorizations a
     where a.business_id = ${businessId}
       and not case a.state
             when 'pending' then a.held_minor > 0
             when 'captured' then a.held_minor = 0 and a.captured_minor > a.refunded_minor
             when 'refunded' then a.held_minor = 0 and a.captured_minor > 0 and a.captured_minor = a.refunded_minor
             else a.held_minor = 0 and a.captured_minor = 0 end`
}

/** Stands in for a foreign key to the wallets module, and so reads that module's table. */
function holdsNotMatchingWallets(businessId: string): Sql {
  const digits = Object.fromEntries(CURRENCIES.map((currency) => [currency, minorDigits(currency)]))
  return sql`
    select coalesce(a.uuid, h.id) as object,
           concat('the card has ', case when a.uuid is null then 'nothing' else row(a.held, a.captured, a.refunded)::text end,
                  ', its wallet ', case when h.id is null then 'nothing' else row(h.held, h.captured, h.refunded)::text end)
           as detail
      from (select a.uuid, a.state, c.funding_wallet_id, trim_scale(a.held_minor / u.unit) as held,
                   trim_scale(a.captured_minor / u.unit) as captured, trim_scale(a.refunded_minor / u.unit) as refunded
              from card_authorizations a
              join cards c on c.business_id = ${businessId} and c.id = a.card_id
              join (select key as currency, 10::numeric ^ value::int as unit
                      from json_each_text(${JSON.stringify(digits)}::json)) u on u.currency = c.settlement_currency
             where a.business_id = ${businessId} and c.funding_wallet_id is not null) a
      full join (select id, wallet_id, held, captured, refunded from wallet_holds
                  where business_id = ${businessId}) h on h.id = a.uuid and h.wallet_id = a.funding_wallet_id
     where case when h.id is null then a.state <> 'declined'
                when a.uuid is null then true
                else row(a.held, a.captured, a.refunded) <> row(h.held, h.captured, h.refunded) end`
}

function dueWithoutRun(businessId: string): Sql {
  return dueWithoutNextRun(businessId, [
    {
      name: HOLD_EXPIRY,
      rows: sql`
        select uuid as object, expires_at as due_at from card_authorizations
         where business_id = ${businessId} and held_minor > 0 and hook_due_at is null`,
    },
    {
      name: HOOK_TIMEOUT,
      clock: 'real',
      rows: sql`
        select uuid as object, hook_due_at as due_at from card_authorizations
         where business_id = ${businessId} and hook_due_at is not null`,
    },
    {
      name: CARD_EXPIRY,
      rows: sql`
        select id as object, expires_at as due_at from cards
         where business_id = ${businessId} and status not in ('Terminated', 'Expired')`,
    },
  ])
}
