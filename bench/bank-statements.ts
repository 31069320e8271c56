/**
 * A statement of 100,000 transfers, nine of ten of which name an open invoice, is posted in one request. Prints the time and the peak
 * memory of the service, and fails unless all are matched within a minute and the memory stays bounded.
 *
 * `node bench/bank-statements.ts [entries]`. Sets up a service and a PostgreSQL of its own.
 */
import { describeCpu } from './support/cpu.ts'
import { withDatabase, vacuumAndCheckpoint } from './support/database.ts'
import { copyRows } from './support/named-objects.ts'
import { startBenchService } from './support/service.ts'

const MAX_SECONDS = 60
const MAX_PEAK_MB = 1_024
const BILLING = '/svc/billing/api/v1/openapi'

const entries = Number(process.argv[2] ?? 100_000)
const named = Math.floor(entries * 0.9)
const service = await startBenchService()
try {
  if (!(await measure())) process.exitCode = 1
} finally {
  await service.stop()
}

async function measure(): Promise<boolean> {
  const { client, postgresUrl } = service
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
  const header = 'booking_date,amount,currency,debtor_name,bank_reference,remittance'
  const content = [header, ...rows].join('\n')
  await service.resetPeakMemory()
  const cpu = await service.cpu()
  const startedAt = performance.now()
  const { bank_statement: statement } = await client.ok('POST', `${BILLING}/bank_statements`, {
    bank_statement: { format: 'csv', content },
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const peak = await service.peakMemoryMb()
  console.log(describeCpu(cpu, await service.cpu(), entries / 1_000, 'entries'))
  console.log(
    `a statement of ${entries} entries (${(content.length / 1e6).toFixed(1)} MB), ${statement.matched} matched: ` +
      `${seconds.toFixed(1)} s (at most ${MAX_SECONDS}), peak of the service ${peak.toFixed(0)} MB (at most ${MAX_PEAK_MB})`,
  )
  return statement.matched === named && seconds <= MAX_SECONDS && peak <= MAX_PEAK_MB
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
