/**
 * A statement of 100,000 transfers, nine of ten of which name an open invoice, is posted in one request. Prints the time, the peak
 * memory of the service and the longest turn of its event loop, and fails unless all are matched within a minute and the memory stays
 * bounded. Then prints the same of a statement of 28 MB without credits: what a body of that size costs before its entries are booked.
 *
 * `node bench/bank-statements.ts [entries]`. Sets up a service and a PostgreSQL of its own.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TurnWatch } from '../scenarios/harness/turns.ts'
import { describeCpu } from './support/cpu.ts'
import { withDatabase, vacuumAndCheckpoint } from './support/database.ts'
import { copyRows } from './support/named-objects.ts'
import { startBenchService } from './support/service.ts'

const MAX_SECONDS = 60
const MAX_PEAK_MB = 1_024
const BILLING = '/svc/billing/api/v1/openapi'
const HEADER = 'booking_date,amount,currency,debtor_name,bank_reference,remittance\n'

const entries = Number(process.argv[2] ?? 100_000)
const named = Math.floor(entries * 0.9)
const folder = await mkdtemp(join(tmpdir(), 'quittance-turns-'))
const watch = new TurnWatch(folder)
const service = await startBenchService(watch.env)
try {
  if (!(await measure())) process.exitCode = 1
  await measureLargest()
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Posted {
  readonly statement: { readonly matched: number }
  readonly seconds: number
  readonly peakMb: number
  readonly turnMs: number
}

async function post(content: string): Promise<Posted> {
  await service.resetPeakMemory()
  const startedAt = performance.now()
  let statement: Posted['statement'] = { matched: 0 }
  const turnMs = await watch.during(service.process, async () => {
    const body = { bank_statement: { format: 'csv', content } }
    const options = { idempotencyKey: randomUUID() }
    const data = await service.client.ok('POST', `${BILLING}/bank_statements`, body, options)
    statement = data.bank_statement
  })
  const seconds = (performance.now() - startedAt) / 1_000
  return { statement, seconds, turnMs, peakMb: await service.peakMemoryMb() }
}

function described({ seconds, peakMb, turnMs }: Posted): string {
  return (
    `${seconds.toFixed(1)} s (at most ${MAX_SECONDS}), peak of the service ${peakMb.toFixed(0)} MB (at most ${MAX_PEAK_MB}), ` +
    `longest turn ${turnMs.toFixed(0)} ms of processor time`
  )
}

async function measureLargest(): Promise<void> {
  const debit = '2031-06-16,-119.00,EUR,Payer,REF-1,Invoice INV-2031-000001\n'
  const content = HEADER + debit.repeat(Math.floor(28e6 / debit.length))
  console.log(
    `a statement without credits (${(content.length / 1e6).toFixed(1)} MB): ${described(await post(content))}`,
  )
}

async function measure(): Promise<boolean> {
  const { postgresUrl } = service
  const number = await createTemplate()
  await withDatabase(postgresUrl, (database) => fill(database, number))
  await vacuumAndCheckpoint(postgresUrl)
  const rows = Array.from({ length: entries }, (_, index) =>
    [
      '2031-06-16',
      '119.00',
      'EUR',
      `Payer ${index}`,
      `REF-${index}`,
      index < named
        ? `Invoice INV-2031-${String(index + 2).padStart(6, '0')} thank you`
        : `Thank you ${index}`,
    ].join(','),
  )
  const content = HEADER + rows.join('\n')
  const cpu = await service.cpu()
  const posted = await post(content)
  console.log(describeCpu(cpu, await service.cpu(), entries / 1_000, 'entries'))
  const { statement, seconds, peakMb } = posted
  console.log(
    `a statement of ${entries} entries (${(content.length / 1e6).toFixed(1)} MB), ${statement.matched} matched: ${described(posted)}`,
  )
  return statement.matched === named && seconds <= MAX_SECONDS && peakMb <= MAX_PEAK_MB
}

async function createTemplate(): Promise<string> {
  const { client } = service
  const customer = await client.createCustomer()
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Example GmbH',
      address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
      series: [{ key: 'default', invoice_format: 'INV-2031-{SEQ:6}', credit_note_format: 'CN-{SEQ:6}' }],
    },
  })
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: customer.uuid,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 119 }],
      legal_entity_id: entity.id,
      collection: 'send_invoice',
    },
  })
  return invoice.number
}

async function fill(database: Parameters<typeof copyRows>[0], number: string): Promise<void> {
  const series = `generate_series(2::bigint, ${named + 1}) n`
  const idOf = (prefix: string) => `'${prefix}_0' || lpad(n::text, 25, '0')`
  const invoiceNumber = `'INV-2031-' || lpad(n::text, 6, '0')`
  await database.query(`set session_replication_role = 'replica'`)
  await copyRows(database, 'invoices', `number = '${number}'`, series, {
    id: idOf('inv'),
    sequence: 'n',
    number: invoiceNumber,
    order_id: idOf('ord'),
    payment_reference: `'RF' || lpad(n::text, 14, '0')`,
  })
  await copyRows(database, 'orders', `invoice_number = '${number}'`, series, {
    id: idOf('ord'),
    reference_number: `'sent-' || n`,
    invoice_id: idOf('inv'),
    invoice_number: invoiceNumber,
  })
}
