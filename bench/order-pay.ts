/** Order create + pay, beside pgbench with one script of three commits that writes the same rows. */
import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { pgbench } from './support/pgbench.ts'
import { settleTables } from './support/plans.ts'
import { report } from './support/report.ts'
import type { BenchService } from './support/service.ts'

const CONCURRENCY = 32
const PGBENCH_CLIENTS = 16
const PAYMENTS = '/svc/payment/api/v1/openapi'

export async function benchOrderPay(service: BenchService, seconds: number): Promise<boolean> {
  const { client } = service
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  await payOrders(service, customer.uuid, token, 2)
  await settleTables(service)
  const ours = await payOrders(service, customer.uuid, token, seconds)
  const limit = await pgbench({
    url: service.postgresUrl,
    script: sameRows(client.sandbox.business_id),
    clients: PGBENCH_CLIENTS,
    seconds,
  })
  return report({
    name: 'order create + pay',
    unit: 'orders/s',
    ours,
    limit,
    limitName: 'pgbench, the same rows in three commits',
    aim: 0.3,
  })
}

/** Orders made and paid a second by callers that each wait for their answers. */
async function payOrders(
  service: BenchService,
  customerUuid: string,
  token: string,
  seconds: number,
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
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text}`)
  }
  let paid = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const caller = async () => {
    while (performance.now() < endsAt) {
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
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  const elapsed = (performance.now() - startedAt) / 1_000
  await pool.close()
  return paid / elapsed
}

/** What one order and its payment write: the rows, indexes and documents of the same size, in three commits. */
function sameRows(businessId: string): string {
  const event = (type: string, sequence: number, bytes: number) => `
    insert into events (business_id, id, object_id, sequence, type, timestamp, data)
    values ('${businessId}', 'evt_' || gen_random_uuid(), 'bench_' || :order, ${sequence}, '${type}', now(),
            json_build_object('order', repeat('x', ${bytes})));`
  return `
    \\set order random(1, 1000000000000000)
    begin;
    insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor,
                        initial_tips_minor, state, line_items, created_at, updated_at)
    values ('${businessId}', 'bench_' || :order, 'api', 'one_off', 'bench_' || :order, 'HKD', 15050, 0, 'open',
            '[]', now(), now());
    ${event('order.created', 1, 800)}
    commit;
    begin;
    select id, state from orders where business_id = '${businessId}' and id = 'bench_' || :order for update;
    insert into transactions (business_id, id, order_id, type, state, currency, amount_minor, payment_method,
                              instrument, acquirer_name, merchant_id, answer, created_at, updated_at)
    values ('${businessId}', 'bench_txn_' || :order, 'bench_' || :order, 'Sales', 'initiated', 'HKD', 15050,
            'payment_token', json_build_object('x', repeat('x', 250)), 'simulator', 'SIMULATOR', '{}', now(), now());
    insert into acquirer_operations (business_id, key, kind, order_id, transaction_id, status, payer_present,
                                     started_at, due_at)
    values ('${businessId}', 'bench_txn_' || :order, 'sale', 'bench_' || :order, 'bench_txn_' || :order, 'sent', true,
            now(), now() + interval '1 hour');
    update orders set reserved_minor = 15050 where business_id = '${businessId}' and id = 'bench_' || :order;
    commit;
    begin;
    select id, state from orders where business_id = '${businessId}' and id = 'bench_' || :order for update;
    update transactions set state = 'succeeded', answer = json_build_object('x', repeat('x', 250)), updated_at = now()
     where business_id = '${businessId}' and id = 'bench_txn_' || :order;
    update orders set state = 'completed', reserved_minor = 0, paid_total_minor = 15050
     where business_id = '${businessId}' and id = 'bench_' || :order;
    delete from acquirer_operations where business_id = '${businessId}' and key = 'bench_txn_' || :order;
    ${event('transaction.succeeded', 2, 2500)}
    ${event('order.paid', 3, 1700)}
    commit;
  `
}
