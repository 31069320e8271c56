/**
 * Measures the reports of taxes and of open items of a year with a million documents, of which one in fifty is open: the first reading,
 * which sums each day, and later ones. `-- 100000` fills as many. A million need 5 GB.
 */
import { withDatabase, vacuumAndCheckpoint } from './support/database.ts'
import { copyRows, idOf } from './support/named-objects.ts'
import { median } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const REPORTS = '/svc/report/api/v1/openapi/invoices'
const MAX_SECONDS = 2
const TIMES = 5
const OPEN_OF = 50
/** Rows of one statement. */
const STEP = 100_000

/** @returns the numbers of an invoice that is paid and of one that is open */
async function createTemplates({
  client,
}: BenchService): Promise<{ readonly paid: string; readonly open: string }> {
  const address = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: { name: 'Kiln GmbH', address, registrations: [{ country: 'DE' }] },
  })
  await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2020-01-01' },
  })
  const { uuid } = await client.createCustomer()
  await client.ok('PUT', `${BILLING}/customers/${uuid}/billing_details`, { billing_details: { address } })
  const invoice = {
    customer_uuid: uuid,
    currency: 'EUR',
    legal_entity_id: entity.id,
    tax: 'automatic',
    collection: 'send_invoice',
    days_until_due: 3_650,
    lines: [{ label: 'Team', quantity: 3, unit_amount: 19.9 }],
  }
  const made = [1, 2].map(() => client.ok('POST', `${BILLING}/invoices`, { invoice }))
  const [paid, open] = (await Promise.all(made)).map((one) => one.invoice.id as string)
  if (paid === undefined || open === undefined) throw new Error('no invoice was issued')
  await client.ok('POST', `${BILLING}/invoices/${paid}/payments`, { payment: { method: 'cash' } })
  return { paid, open }
}

async function fill(
  service: BenchService,
  count: number,
): Promise<{ readonly from: string; readonly to: string }> {
  const { client, postgresUrl } = service
  const { paid, open } = await createTemplates(service)
  const from = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong').toPlainDate()
  const to = from.add({ days: 364 })
  await client.advanceBy('P370D')
  await withDatabase(postgresUrl, async (database) => {
    await database.query(`set session_replication_role = 'replica'`)
    const { rows } = await database.query<{ number: string }>(
      'select order_id as number from invoices where id = $1',
      [open],
    )
    const at = `(timestamptz '${from.toString()} 00:30:00+08' + n * (interval '365 days' / ${count}))`
    for (let first = 1; first <= count; first += STEP) {
      const last = Math.min(count, first + STEP - 1)
      for (const [template, isOpen] of [
        [paid, 'n % 50 > 0'],
        [open, 'n % 50 = 0'],
      ] as const)
        await copyRows(
          database,
          'invoices',
          `id = '${template}'`,
          `(select n from generate_series(${first}::bigint, ${last}) n where ${isOpen}) n`,
          {
            id: idOf('inv', 'n'),
            order_id: idOf('ord', 'n'),
            sequence: '100 + n',
            number: `'INV-' || lpad(n::text, 9, '0')`,
            payment_reference: `'RF' || n`,
            issue_date: `(${at} at time zone 'Asia/Hong_Kong')::date`,
            created_at: at,
            updated_at: at,
          },
        )
    }
    await copyRows(
      database,
      'orders',
      `id = '${rows[0]?.number}'`,
      `(select n from generate_series(${OPEN_OF}::bigint, ${count}, ${OPEN_OF}) n) n`,
      { id: idOf('ord', 'n'), reference_number: `'o-' || n`, invoice_id: idOf('inv', 'n'), created_at: at },
    )
  })
  await vacuumAndCheckpoint(postgresUrl)
  return { from: from.toString(), to: to.toString() }
}

async function read({ client: { sandbox } }: BenchService, path: string): Promise<string> {
  const response = await fetch(`${sandbox.base_url}${REPORTS}/${path}`, {
    headers: { authorization: `Bearer ${sandbox.api_key}` },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return (performance.now() - startedAtMs) / 1_000
}

async function measure(service: BenchService, name: string, path: string): Promise<boolean> {
  const first = await secondsOf(() => read(service, path))
  const later: number[] = []
  while (later.length < TIMES) later.push(await secondsOf(() => read(service, path)))
  const seconds = median(later)
  const holds = seconds <= MAX_SECONDS
  console.log(
    `${name}: first ${first.toFixed(2)} s, then ${seconds.toFixed(2)} s (median of ${TIMES}), aim ${MAX_SECONDS}${holds ? '' : ': TOO SLOW'}`,
  )
  return holds
}

async function benchInvoiceReports(count: number): Promise<boolean> {
  const service = await startBenchService()
  try {
    const took: { range?: { readonly from: string; readonly to: string } } = {}
    const seconds = await secondsOf(async () => {
      took.range = await fill(service, count)
    })
    const { from = '', to = '' } = took.range ?? {}
    console.log(`${count} documents of ${from} to ${to}, filled in ${seconds.toFixed(0)} s`)
    const ofYear = `from=${from}&to=${to}`
    const held = [
      await measure(service, 'taxes of the year', `taxes?${ofYear}`),
      await measure(service, 'a page of open items', 'open?limit=100'),
      await measure(service, `ages of ${Math.floor(count / OPEN_OF)} open items`, 'open/ages'),
      await measure(service, 'open items as CSV', 'open?format=csv'),
      await measure(service, 'ages at the end of the year', `open/ages?at=${to}`),
    ]
    return held.every(Boolean)
  } finally {
    await service.stop()
  }
}

if (import.meta.main) {
  const [count = 1_000_000] = process.argv.slice(2).map(Number)
  process.exitCode = (await benchInvoiceReports(count)) ? 0 : 1
}
