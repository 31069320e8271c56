/** Creates and pays orders. The limit is pgbench, writing the same rows in three commits. */
import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import { pgbench } from './support/pgbench.ts'
import { median, report } from './support/report.ts'
import type { BenchService } from './support/service.ts'

const CONCURRENCY = 32
const PGBENCH_CLIENTS = 16
/** The service and pgbench take turns, so that other load on the machine slows both. */
const ROUNDS = 3
const PAYMENTS = '/svc/payment/api/v1/openapi'

export async function benchOrderPay(service: BenchService, seconds: number): Promise<boolean> {
  const { client } = service
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  await payOrders(service, customer.uuid, token, 2)
  // The last order is copied below. Paid alone, it shares no bundle of events with others.
  await payOrders(service, customer.uuid, token, 0.2, 1)
  await vacuumAndCheckpoint(service.postgresUrl)
  const script = pgbenchScript(client.sandbox.business_id, await paidOrder(service))
  const ours: number[] = []
  const limits: number[] = []
  const secondsPerRound = Math.ceil(seconds / ROUNDS) + 1
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await payOrders(service, customer.uuid, token, secondsPerRound))
    const limit = { url: service.postgresUrl, script, clients: PGBENCH_CLIENTS, seconds: secondsPerRound }
    limits.push(await pgbench(limit))
  }
  return report({
    name: 'order create + pay',
    unit: 'orders/s',
    ours: median(ours),
    limit: median(limits),
    limitName: 'pgbench, the same rows in three commits',
    aim: 0.3,
  })
}

export async function payOrders(
  service: BenchService,
  customerUuid: string,
  token: string,
  seconds: number,
  callers = CONCURRENCY,
): Promise<number> {
  const { base_url: baseUrl, api_key: apiKey } = service.client.sandbox
  const pool = new Pool(baseUrl, { connections: CONCURRENCY })
  const post = async (path: string, body: object) => {
    const response = await pool.request({
      method: 'POST',
      path: `${PAYMENTS}${path}`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${path} got ${response.statusCode}: ${text}`)
  }
  let paid = 0
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + seconds * 1_000
  const caller = async () => {
    while (performance.now() < endsAtMs) {
      const reference = randomUUID()
      await post('/orders', {
        order: {
          reference_number: reference,
          currency: 'HKD',
          initial_total: 150.5,
          customer_uuid: customerUuid,
        },
      })
      await post('/orders/pay', {
        order: { reference_number: reference },
        transaction: { type: 'Sales', payment_token: token },
      })
      paid++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const elapsed = (performance.now() - startedAtMs) / 1_000
  await pool.close()
  return paid / elapsed
}

interface PaidOrder {
  readonly customer_uuid: string
  readonly token: string
  readonly instrument: string
  readonly answer: string
  /** JSON of order.created. */
  readonly created: string
  /** The bundle of transaction.succeeded and order.paid, in base64. */
  readonly bundle: string
}

async function paidOrder(service: BenchService): Promise<PaidOrder> {
  return withDatabase(service.postgresUrl, async (database) => {
    const { rows } = await database.query<PaidOrder>(
      `select o.customer_uuid, t.token, t.instrument::text, t.answer::text,
              (select e.data::text from events e
                where e.business_id = o.business_id and e.object_id = o.id and e.sequence = 1) as created,
              (select encode(b.documents, 'base64') from events e
                 join event_bundles b on b.business_id = e.business_id and b.id = e.bundle_id
                where e.business_id = o.business_id and e.object_id = o.id and e.sequence = 2) as bundle
         from orders o join transactions t on t.business_id = o.business_id and t.order_id = o.id
        where o.business_id = $1 and o.state = 'completed' and o.reference_number ~ '^[0-9a-f-]{36}$'
        order by o.created_at desc limit 1`,
      [service.client.sandbox.business_id],
    )
    const [paid] = rows
    if (paid === undefined) throw new Error('there is no paid order to copy')
    return paid
  })
}

/**
 * A pgbench script that writes the rows of one order and its payment. It copies real documents, because invented ones
 * would compress to almost nothing.
 */
function pgbenchScript(businessId: string, paid: PaidOrder): string {
  const event = (type: string, sequence: number, document: string) => `
    insert into events (business_id, id, object_id, sequence, type, timestamp, data, bundle_id, place)
    values ('${businessId}', 'evt_' || gen_random_uuid(), 'bench_' || :order, ${sequence}, '${type}', now(), ${document});`
  return `
    \\set order random(1, 1000000000000000)
    begin;
    insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor,
                        initial_tips_minor, state, customer_uuid, created_at, updated_at)
    values ('${businessId}', 'bench_' || :order, 'api', 'one_off', 'bench_' || :order, 'HKD', 15050, 0, 'open',
            '${paid.customer_uuid}', now(), now());
    ${event('order.created', 1, `${jsonConstant(paid.created)}, null, null`)}
    commit;
    begin;
    select id, state from orders where business_id = '${businessId}' and id = 'bench_' || :order for update;
    insert into transactions (business_id, id, order_id, type, state, currency, amount_minor, payment_method, token,
                              instrument, acquirer_account_id, acquirer_name, merchant_id, answer, receipt_number, created_at, updated_at)
    values ('${businessId}', 'bench_txn_' || :order, 'bench_' || :order, 'Sales', 'initiated', 'HKD', 15050,
            'payment_token', '${paid.token}', ${jsonConstant(paid.instrument)}, 'simulator', 'simulator', 'SIMULATOR', '{}', 100000,
            now(), now());
    insert into acquirer_operations (business_id, key, kind, order_id, transaction_id, status, payer_present,
                                     started_at, due_at)
    values ('${businessId}', 'bench_txn_' || :order, 'sale', 'bench_' || :order, 'bench_txn_' || :order, 'sent', true,
            now(), now() + interval '1 hour');
    update orders set reserved_minor = 15050 where business_id = '${businessId}' and id = 'bench_' || :order;
    commit;
    begin;
    select id, state from orders where business_id = '${businessId}' and id = 'bench_' || :order for update;
    update transactions set state = 'succeeded', answer = ${jsonConstant(paid.answer)}, succeeded_at = now(),
                            settles_at = now() + interval '1 hour', updated_at = now()
     where business_id = '${businessId}' and id = 'bench_txn_' || :order;
    update orders set state = 'completed', reserved_minor = 0, paid_total_minor = 15050, updated_at = now()
     where business_id = '${businessId}' and id = 'bench_' || :order;
    delete from acquirer_operations where business_id = '${businessId}' and key = 'bench_txn_' || :order;
    insert into event_bundles (business_id, id, documents, count)
    values ('${businessId}', 'evb_' || :order, decode('${paid.bundle.replaceAll('\n', '')}', 'base64'), 2);
    ${event('transaction.succeeded', 2, `null, 'evb_' || :order, 0`)}
    ${event('order.paid', 3, `null, 'evb_' || :order, 1`)}
    commit;
  `
}

/** A JSON constant. It is encoded because pgbench would read a name after a colon as a variable. */
function jsonConstant(text: string): string {
  return `convert_from(decode('${Buffer.from(text).toString('base64')}', 'base64'), 'utf8')::json`
}
