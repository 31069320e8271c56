/**
 * Fills a tenant by SQL: customers with names and e-mail addresses of many different words, orders over two years with their
 * transactions, events and disputes, and what named-objects.ts fills. Rows have the columns of one order that was created and
 * paid over HTTP, so that migrations need no change here.
 */
import type pg from 'pg'
import { newId } from '#kernel/ids'
import { PAYMENTS, type Client } from '../../scenarios/harness/client.ts'
import {
  CARDS,
  copyRows,
  createNamed,
  fillNamed,
  idOf,
  NAMED_TABLES,
  type Named,
  PLANS,
  type TenantSize,
  WALLETS,
  WORDS,
} from './named-objects.ts'

/** Rare values stand once in this many rows. */
const RARE = 100_000

/** How many different last four digits the cards of a tenant have: a page of results is full in small tenants, too. */
export const lastFourCount = ({ orders }: TenantSize) => Math.min(9973, orders / 100)

const TABLES = [
  'customers',
  'customer_terms',
  'customer_word_keys',
  'orders',
  'transactions',
  'events',
  'disputes',
  ...NAMED_TABLES,
] as const

/** Indexes are built after the rows, which takes a third of the time. The caller analyzes. */
export async function fillTenants(
  database: pg.Client,
  tenants: readonly { readonly client: Client; readonly size: TenantSize }[],
): Promise<void> {
  const templates = []
  for (const { client, size } of tenants) templates.push({ template: await createTemplate(client), size })
  await database.query(`set maintenance_work_mem = '512MB'`)
  await database.query(`set session_replication_role = 'replica'`)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i
      where i.indrelid::regclass::text = any($1) and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [TABLES],
  )
  for (const { name } of indexes) await database.query(`drop index ${name}`)
  for (const { template, size } of templates) await fillTenant(database, template, size)
  for (const { definition } of indexes) await database.query(definition)
}

interface Template {
  readonly businessId: string
  readonly customerUuid: string
  readonly orderNumber: string
  readonly transactionUuid: string
  readonly named: Named
}

async function createTemplate(client: Client): Promise<Template> {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const paid = await client.pay(order.number, token, { reference_id: newId('bench') })
  const { uuid } = paid.data.transaction as { uuid: string }
  return {
    businessId: client.sandbox.business_id,
    customerUuid: customer.uuid,
    orderNumber: order.number,
    transactionUuid: uuid,
    named: await createNamed(client, customer.uuid),
  }
}

async function fillTenant(database: pg.Client, template: Template, size: TenantSize): Promise<void> {
  const { orders, customers } = size
  const { businessId, customerUuid, orderNumber, transactionUuid } = template
  const at = `now() - interval '2 years' + n * (interval '2 years' / ${orders})`
  const ofTenant = `business_id = '${businessId}'`
  await copyRows(database, 'customers', `${ofTenant} and uuid = '${customerUuid}'`, nameSeries(customers), {
    uuid: idOf('cus', 'n'),
    reference_number: `'c-' || n`,
    name: 'full_name',
    email: 'address',
    dial_code: `'+852'`,
    phone: `(90000000 + n)::text`,
    default_token: 'null',
    created_at: `now() - interval '2 years' + n * (interval '2 years' / ${customers})`,
  })
  await database.query(
    `insert into customer_terms
     select c.business_id, t.term, c.uuid from customers c,
            quittance_customer_terms(c.name, c.company_name, c.email, c.dial_code, c.phone) t (term)
      where c.${ofTenant} and c.uuid <> '${customerUuid}'`,
  )
  await database.query(
    `insert into customer_word_keys
     select '${businessId}', k.key, w.word
       from (select distinct w.word from customers c, quittance_customer_words(c.name, c.company_name, c.email) w (word)
              where c.${ofTenant}) w, quittance_typo_keys(w.word) k (key)
     on conflict do nothing`,
  )
  const state = `case when n % ${RARE} = 7 then 'voided' when n % 20 = 3 then 'open' when n % 33 = 5 then 'refunded'
                      else 'completed' end`
  const cents = `1000 + (n * 7919 % 9000000)`
  await copyRows(
    database,
    'orders',
    `${ofTenant} and id = '${orderNumber}'`,
    `generate_series(1::bigint, ${orders}) n`,
    {
      id: idOf('ord', 'n'),
      reference_number: `'o-' || n`,
      customer_uuid: idOf('cus', `1 + n * 7919 % ${customers}`),
      initial_total_minor: cents,
      paid_total_minor: `case when n % 20 = 3 then 0 else ${cents} end`,
      state,
      created_at: at,
      updated_at: at,
    },
  )
  const declined = (reason: string) =>
    `'{"gatewayTransactionId":"","rrn":"","authCode":"","batchNumber":"","responseCode":"51","responseMessage":"Declined",' ||
     '"hard":false,"failure":"declined","declineCode":"${reason}"}'`
  const replaced = {
    order_id: idOf('ord', 'n'),
    amount_minor: cents,
    instrument: `replace(t.instrument::text, '4242"', lpad((n % ${lastFourCount(size)})::text, 4, '0') || '"')::json`,
    created_at: at,
    updated_at: at,
  }
  const ofPayment = `${ofTenant} and id = '${transactionUuid}'`
  await copyRows(database, 'transactions', ofPayment, `generate_series(1::bigint, ${orders}) n`, {
    ...replaced,
    id: idOf('txn', 'n'),
    reference_id: `'p-' || n`,
    state: `case when n % ${RARE} in (7, 8) then case n % ${RARE} when 7 then 'voided' else 'failed' end
                 when n % 20 = 3 then 'failed' else 'succeeded' end`,
    answer: `(case when n % ${RARE} = 8 then ${declined('stolen_card')}
                   when n % 20 = 3 then ${declined('insufficient_funds')} else t.answer::text end)::json`,
  })
  await copyRows(database, 'transactions', ofPayment, `generate_series(5::bigint, ${orders}, 33) n`, {
    ...replaced,
    id: idOf('txn', `${orders} + n`),
    reference_id: 'null',
    original_id: idOf('txn', 'n'),
    type: `'Refund'`,
    amount_minor: `-(${cents})`,
    settles_at: 'null',
  })
  for (const [index, type] of ['order.created', 'order.paid'].entries()) {
    await copyRows(
      database,
      'events',
      `${ofTenant} and object_id = '${orderNumber}'`,
      `generate_series(1::bigint, ${orders}) n`,
      {
        id: idOf('evt', `n * 2 + ${index}`),
        object_id: idOf('ord', 'n'),
        sequence: String(index + 1),
        type: `'${type}'`,
        timestamp: at,
        data: `'{}'`,
        bundle_id: 'null',
        place: 'null',
      },
    )
  }
  await database.query(
    `insert into disputes (business_id, id, account_id, reference, payment_reference, order_id, transaction_id, amount_minor,
                           currency, reason, state, created_at, updated_at)
     select '${businessId}', ${idOf('dsp', 'n')}, 'acq_bench', 'dp_' || n, 'pi_' || n, ${idOf('ord', 'n')}, ${idOf('txn', 'n')},
            ${cents}, 'HKD', case when n % 300 = 0 then 'fraudulent' else 'product_not_received' end,
            case when n % ${RARE} = 0 then 'needs_response' when n % 200 = 0 then 'lost' else 'won' end, ${at}, ${at}
       from generate_series(100::bigint, ${orders}, 100) n`,
  )
  await fillNamed(database, businessId, template.named, size)
}

const SURNAMES = 'Chan Wong Lee Lam Cheung Ng Ho Leung Smith Jones Brown Garcia Müller Rossi Novak Kowalski'
/** Full names of which each is given once, and e-mail addresses of which a third have a word of their own. */
function nameSeries(customers: number): string {
  return `(select n, full_name,
                  case when n % 3 = 0 then translate(left(md5(n::text), 9), '0123456789', 'ghijklmnop')
                       else replace(lower(full_name), ' ', '.') || n end || '@mail' || n % 20 || '.example' as address
             from (select n, ${WORDS.first} || ' ' || ${WORDS.middle} || ' ' || f[(1 + n % 16)::int] as full_name
                     from generate_series(1::bigint, ${customers}) n, (select '{${SURNAMES.replaceAll(' ', ',')}}'::text[] f) surnames,
                          ${WORDS.syllables}) names) n`
}

export const PATHS = {
  orders: `${PAYMENTS}/orders`,
  transactions: `${PAYMENTS}/transactions`,
  customers: `${PAYMENTS}/customers`,
  search: '/svc/search/api/v1/openapi/search',
  events: '/svc/event/api/v1/openapi/events',
  disputes: `${PAYMENTS}/disputes`,
  plans: PLANS,
  cards: CARDS,
  wallets: WALLETS,
}
