/** Fills a tenant with plans and cards whose names have many different words, and with wallets: one for every ten customers. */
import type pg from 'pg'
import { newId } from '#kernel/ids'
import { type Client, PAYMENTS } from '../../scenarios/harness/client.ts'

export interface TenantSize {
  readonly orders: number
  readonly customers: number
}

export const PLANS = `${PAYMENTS}/recurring_payments/plan`
export const CARDS = '/svc/ts/api/v1/openapi/cards'
export const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'

export const NAMED_TABLES = [
  'recurring_plans',
  'recurring_plan_terms',
  'recurring_plan_word_keys',
  'recurring_cycles',
  'recurring_cycle_items',
  'cards',
  'card_terms',
  'card_word_keys',
  'card_usage',
  'wallets',
] as const

/** Words of number `n`, from the syllables `s`. */
export const WORDS = {
  syllables: `(select '{ka,li,mo,ra,ta,shi,nel,bor,vin,dra,qua,pel,zu,fen,gor,hal}'::text[] s) syllables`,
  first: 'initcap(s[(1 + n * 7 % 16)::int] || s[(1 + n / 16 * 7 % 16)::int] || s[(1 + n / 256 % 16)::int])',
  middle:
    'initcap(s[(1 + (n * 5 + n / 4096) % 16)::int] || s[(1 + (n / 16 * 5 + n / 65536) % 16)::int] || s[(1 + n / 256 % 16)::int])',
}

export const idOf = (prefix: string, number: string) => `'${prefix}_0' || lpad((${number})::text, 25, '0')`

export interface Named {
  readonly planId: string
  readonly cardId: string
}

export async function createNamed(client: Client, customerUuid: string): Promise<Named> {
  const item = await client.createItem(250)
  const plan = await client.createPlan({
    customer_uuid: customerUuid,
    start_date: Temporal.Now.instant().add({ hours: 24 }).toString(),
    recurring_cycles: [
      {
        recurring_billing_config: 'FREQ=MONTHLY',
        billing_count: null,
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  const { card } = await client.ok('POST', CARDS, {
    card: { reference_id: newId('bench'), type: 'virtual', settlement_currency: 'HKD', mode: 'B2C' },
  })
  return { planId: plan.id, cardId: card.id }
}

/** Copies a row for each row of the series, whose expressions replace columns. */
export async function copyRows(
  database: pg.Client,
  table: string,
  where: string,
  series: string,
  replaced: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => replaced[name] ?? `t.${name}`)
  await database.query(
    `insert into ${table} (${names.join(', ')})
     select ${values.join(', ')} from ${series} cross join (select * from ${table} where ${where} limit 1) t`,
  )
}

export async function fillNamed(
  database: pg.Client,
  businessId: string,
  { planId, cardId }: Named,
  { customers }: TenantSize,
): Promise<void> {
  const count = Math.ceil(customers / 10)
  const ofTenant = `business_id = '${businessId}'`
  const series = `(select n, ${WORDS.first} || ' ' || ${WORDS.middle} as words
                     from generate_series(1::bigint, ${count}) n, ${WORDS.syllables}) n`
  const copy = (table: string, where: string, replaced: Readonly<Record<string, string>>) =>
    copyRows(database, table, `${ofTenant} and ${where}`, series, replaced)
  const at = `now() - interval '2 years' + n * (interval '2 years' / ${count})`
  const plan = idOf('pln', 'n')
  const names = (kinds: string) =>
    `('{${kinds}}'::text[])[(1 + n % 6)::int] || ' ' || words || case n % 3 when 0 then ' yearly' else ' monthly' end`
  await copy('recurring_plans', `id = '${planId}'`, {
    id: plan,
    name: names('Gold,Silver,Bronze,Family,Student,Corporate'),
    reference_number: `'pl-' || n`,
    customer_uuid: idOf('cus', 'n'),
    due_at: `timestamptz '2100-01-01'`,
    next_execute_at: `timestamptz '2100-01-01'`,
    created_at: at,
  })
  await copy('recurring_cycles', `plan_id = '${planId}'`, { plan_id: plan, id: idOf('rcy', 'n') })
  await copy('recurring_cycle_items', `plan_id = '${planId}'`, { plan_id: plan })
  const card = idOf('crd', 'n')
  await copy('cards', `id = '${cardId}'`, {
    id: card,
    reference_id: `'cr-' || n`,
    title: names('Marketing,Engineering,Sales,Travel,Fuel,Office'),
    p_user_id: `'u-' || n`,
    last_4: `lpad((n % 9973)::text, 4, '0')`,
    status: `'Active'`,
    created_at: at,
  })
  await copy('card_usage', `card_id = '${cardId}'`, { card_id: card })
  await fillWords(database, businessId, { terms: 'recurring_plan', table: 'recurring_plans', name: 'name' })
  await fillWords(database, businessId, { terms: 'card', table: 'cards', name: 'title' })
  await database.query(
    `insert into wallets (business_id, id, p_user_id, number, created_at)
     select '${businessId}', ${idOf('wal', 'n')}, 'u-' || n, n, ${at} from generate_series(1::bigint, ${count}) n`,
  )
}

async function fillWords(
  database: pg.Client,
  businessId: string,
  { terms, table, name }: { readonly terms: string; readonly table: string; readonly name: string },
): Promise<void> {
  await database.query(
    `insert into ${terms}_terms
     select o.business_id, t.term, o.id from ${table} o, quittance_name_terms(o.${name}) t (term)
      where o.business_id = '${businessId}' on conflict do nothing`,
  )
  await database.query(
    `insert into ${terms}_word_keys
     select '${businessId}', k.key, w.word
       from (select distinct w.word from ${table} o, quittance_text_words(o.${name}) w (word)
              where o.business_id = '${businessId}') w, quittance_typo_keys(w.word) k (key)
     on conflict do nothing`,
  )
}
