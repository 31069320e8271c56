import { withDatabase } from './database.ts'
import { pgbench } from './pgbench.ts'
import type { BenchService } from './service.ts'

const PLANS_PER_BATCH = 200
const CLIENTS = 3
/** The same as in `src/platform/events`. */
const DOCUMENTS_PER_BUNDLE = 64
const BUNDLES_PER_TYPE = Math.ceil(PLANS_PER_BATCH / DOCUMENTS_PER_BUNDLE)

/**
 * Plans per second that PostgreSQL can bill without the service: pgbench writes the rows of 200 plans in two commits,
 * with three clients. The tenant's plans must have been billed once.
 */
export async function billingSqlRate(service: BenchService, seconds: number): Promise<number> {
  const businessId = service.client.sandbox.business_id
  const plans = await createCopySources(service, businessId)
  const span = Math.floor(plans / CLIENTS)
  if (span <= PLANS_PER_BATCH) throw new Error('there are too few plans for three clients')
  const script = pgbenchScript(businessId, span)
  const batches = await pgbench({ url: service.postgresUrl, script, clients: CLIENTS, seconds })
  return batches * PLANS_PER_BATCH
}

/** Numbers the plans and stores the rows of one plan, which the script copies. Returns the number of plans. */
async function createCopySources(service: BenchService, businessId: string): Promise<number> {
  return withDatabase(service.postgresUrl, async (database) => {
    await database.query(
      'drop table if exists bench_plans, bench_events, bench_bundles, bench_orders, bench_transactions',
    )
    await database.query(
      `create table bench_plans as
       select row_number() over (order by id)::int as number, id from recurring_plans
        where business_id = '${businessId}' and current_order_id is not null`,
    )
    await database.query('alter table bench_plans add primary key (number)')
    await database.query(
      `create table bench_orders as
       select o.* from orders o join recurring_plans p on p.business_id = o.business_id and p.current_order_id = o.id
        where p.business_id = '${businessId}' and p.id = (select id from bench_plans where number = 1)`,
    )
    await database.query(
      `create table bench_transactions as
       select t.* from transactions t join bench_orders o on t.business_id = o.business_id and t.order_id = o.id`,
    )
    await database.query(
      `create table bench_events as
       select e.* from events e join bench_plans p on p.number = 1
        where e.business_id = '${businessId}'
          and (e.object_id = p.id and e.type = 'cycle.activated' or e.object_id = (select id from bench_orders))`,
    )
    await database.query(
      `create table bench_bundles as
       select e.type, b.documents, b.count from bench_events e join event_bundles b
           on b.business_id = '${businessId}' and b.id = e.bundle_id`,
    )
    const { rows } = await database.query<{ plans: number }>('select count(*)::int as plans from bench_plans')
    return rows[0]?.plans ?? 0
  })
}

function pgbenchScript(businessId: string, span: number): string {
  const tenant = `'${businessId}'`
  const made = `from generate_series(1, ${PLANS_PER_BATCH}) n`
  const chosen = `number between :first and :first + ${PLANS_PER_BATCH - 1}`
  const plans = `array(select id from bench_plans where ${chosen})`
  const ids = (name: string) => `array(select '${name}' || :batch || '_' || n ${made})`
  const events = (which: string) => `
    insert into event_bundles (business_id, id, documents, count)
    select ${tenant}, 'evb_' || :batch || '_' || b.type || n, b.documents, b.count
      from bench_bundles b, generate_series(0, ${BUNDLES_PER_TYPE - 1}) n where b.type in (${which});
    insert into events (business_id, id, object_id, sequence, type, timestamp, bundle_id, place)
    select ${tenant}, 'evt_' || :batch || '_' || e.id || n,
           case when e.type like 'cycle.%' then 'pln_' else 'ord_' end || :batch || '_' || n,
           e.sequence, e.type, now(), 'evb_' || :batch || '_' || e.type || (n - 1) / ${DOCUMENTS_PER_BUNDLE},
           (n - 1) % ${DOCUMENTS_PER_BUNDLE}
      from bench_events e, generate_series(1, ${PLANS_PER_BATCH}) n where e.type in (${which});`
  return `
    \\set batch random(1, 1000000000000000)
    \\set first :client_id * ${span} + random(1, ${span - PLANS_PER_BATCH})
    begin;
    select * from recurring_plans where business_id = ${tenant} and id = any(${plans}) order by id for no key update;
    insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor,
                        initial_tips_minor, state, customer_uuid, line_items, created_at, updated_at)
    select ${tenant}, 'ord_' || :batch || '_' || n, o.source, o.type, 'ref_' || :batch || '_' || n, o.currency,
           o.initial_total_minor, 0, 'open', o.customer_uuid, o.line_items, now(), now()
      from bench_orders o, generate_series(1, ${PLANS_PER_BATCH}) n;
    insert into transactions (business_id, id, order_id, type, state, currency, amount_minor, payment_method, token,
                              instrument, acquirer_account_id, acquirer_name, merchant_id, answer, receipt_number,
                              created_at, updated_at)
    select ${tenant}, 'txn_' || :batch || '_' || n, 'ord_' || :batch || '_' || n, t.type, 'initiated', t.currency,
           t.amount_minor, t.payment_method, t.token, t.instrument, t.acquirer_account_id, t.acquirer_name, t.merchant_id, '{}',
           t.receipt_number, now(), now()
      from bench_transactions t, generate_series(1, ${PLANS_PER_BATCH}) n;
    insert into acquirer_operations (business_id, key, kind, order_id, transaction_id, status, payer_present,
                                     started_at, due_at)
    select ${tenant}, 'txn_' || :batch || '_' || n, 'sale', 'ord_' || :batch || '_' || n, 'txn_' || :batch || '_' || n,
           'sent', false, now(), now() + interval '1 hour' ${made};
    update orders set reserved_minor = initial_total_minor
     where business_id = ${tenant} and id = any(${ids('ord_')});
    insert into recurring_orders (business_id, order_id, plan_id, cycle_position, suffix, period_start, state, attempts,
                                  attempt_transaction, attempted_at, created_at)
    select ${tenant}, 'ord_' || :batch || '_' || number - :first + 1, id, 0, 1, now(), 'open', 1, 'txn_', now(), now()
      from bench_plans where ${chosen};
    update recurring_plans set last_suffix = last_suffix + 1, due_at = due_at + interval '1 month', updated_at = now()
     where business_id = ${tenant} and id = any(${plans});
    update recurring_cycles set orders_created = orders_created + 1, next_period = next_period + 1, updated_at = now()
     where business_id = ${tenant} and plan_id = any(${plans});
    ${events(`'order.created', 'cycle.activated'`)}
    commit;
    begin;
    select * from orders where business_id = ${tenant} and id = any(${ids('ord_')}) order by id for update;
    update transactions
       set state = 'succeeded', answer = (select answer from bench_transactions), succeeded_at = now(), updated_at = now()
     where business_id = ${tenant} and id = any(${ids('txn_')});
    update orders set state = 'completed', reserved_minor = 0, paid_total_minor = initial_total_minor, updated_at = now()
     where business_id = ${tenant} and id = any(${ids('ord_')});
    delete from acquirer_operations where business_id = ${tenant} and key = any(${ids('txn_')});
    update recurring_orders set state = 'paid', attempt_transaction = null
     where business_id = ${tenant} and order_id = any(${ids('ord_')});
    ${events(`'transaction.succeeded', 'order.paid'`)}
    commit;
  `
}
