import { type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import { isDerivedId, msOfId } from '#kernel/ids'
import { Acquirers, ADAPTERS, type Booking, createSimulatorAcquirer } from '#modules/acquirers'
import { type BusinessProfile, CommandError } from '#modules/businesses'
import { numbersToSkip, skipDocumentNumbers } from '#modules/invoices'
import { type BookLine, inquireAllNow, skipReceiptNumbers, unknownKeys } from '#modules/payments'
import { skipWalletNumbers } from '#modules/wallets'
import { createLog } from '#platform/observability/log'
import { createMetrics } from '#platform/observability/metrics'
import { type LostPeriod, Recoveries } from '#platform/processes/recoveries'
import { Egress } from '#platform/security/egress'
import { withBooks } from './acquirer-books.ts'
import { auditedCommand } from './audited-command.ts'
import type { CommandContext, CommandResult, OperatorCommand } from './operator-command.ts'

/** Numbers that may be in use in the lost period (docs/operating/backup.md). */
export const SKIPPED_RECEIPTS = 1_000_000
const SKIPPED_WALLETS = 1_000
const MARGIN = { minutes: 5 }
/** Of unknown bookings; more are only counted. */
const MAX_LISTED = 10_000

const CANNOT_KNOW = [
  'Invoices and credit notes that were issued in the lost period are gone, though customers may have them. Their numbers are not given again, except by a legal entity or a series that was made in the lost period: make it again with a `first_number` above those that its documents have.',
  'Orders, customers, plans and other changes that merchants made in the lost period are gone. A merchant who repeats a request with the Idempotency-Key of that time makes the payment again: compare the list of unknown bookings first.',
  'Webhooks that were delivered in the lost period are not taken back. New events of an object may repeat sequence numbers that a receiver saw, with other ids.',
  'Approvals of issued cards in the lost period do not count in limits, and money that funded them is not held.',
  'Businesses that were created in the lost period are gone. The first new one may get the number, and so the deposit addresses, of a lost one: use a new WALLET_XPUB if one had wallets.',
  'Customers whose personal data was erased in the lost period are back. Hand their ids, which your copies of `customer.erased` name, to `erase-again`.',
  'Deposits on chains are read again from the chain; those to addresses of lost wallets belong to nobody here.',
]

interface UnknownBooking {
  readonly business_id: string
  readonly acquirer: string
  readonly kind: string
  readonly key: string
  readonly reference: string
  readonly amount: string
  readonly is_renewal: boolean
  /** When the payment was begun, or the start of the period of a renewal. Null if the key is not one of Quittance's. */
  readonly begun_at: string | null
}

const OWN_KEY = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/

interface Findings {
  readonly unknown: UnknownBooking[]
  readonly notCompared: string[]
}

export function recovered(request: { readonly since: string }): OperatorCommand {
  return auditedCommand({ action: 'database.recovered', request }, async (context) => {
    const since = readTime(request.since)
    const { db, businesses } = context
    const recoveries = new Recoveries(db)
    await recoveries.refresh()
    const isNew = !(await recoveries.isRecorded(since))
    if (isNew) await skipReceiptNumbers(db, SKIPPED_RECEIPTS)
    const documentNumbers = numbersToSkip(since, realClock.now())
    const tenants = await Array.fromAsync(businesses.tenants())
    let inquiries = 0
    for (const tenant of tenants) {
      inquiries += await db.transact(tenant.businessId, async (tx) => {
        if (isNew) {
          await skipWalletNumbers(tx, SKIPPED_WALLETS)
          await skipDocumentNumbers(tx, tenant, { since, count: documentNumbers })
        }
        return inquireAllNow(tx)
      })
    }
    // Last: a command that was killed on the way skips all numbers when it is repeated.
    await recoveries.record(since)
    const findings = await compare(context, tenants, periodOf(recoveries.periods(), since))
    return resultOf({ since, skipped: isNew ? skippedNumbers(documentNumbers) : null, inquiries, findings })
  })
}

interface Skipped {
  readonly receipt_numbers: number
  readonly wallet_numbers: number
  readonly document_numbers: number
}

function skippedNumbers(documentNumbers: number): Skipped {
  return {
    receipt_numbers: SKIPPED_RECEIPTS,
    wallet_numbers: SKIPPED_WALLETS,
    document_numbers: documentNumbers,
  }
}

function readTime(text: string): Instant {
  let since: Instant
  try {
    since = Temporal.Instant.from(text)
  } catch {
    throw new CommandError('--since must be an RFC 3339 time with its offset, such as 2026-11-23T10:00:00Z.')
  }
  if (isAfter(since, realClock.now())) throw new CommandError('--since must not be in the future.')
  return since
}

function periodOf(periods: readonly LostPeriod[], since: Instant): LostPeriod {
  const found = periods.find((period) => period.since.equals(since))
  return found ?? { since, recoveredAt: realClock.now() }
}

async function compare(
  context: CommandContext,
  tenants: readonly BusinessProfile[],
  period: LostPeriod,
): Promise<Findings> {
  const findings: Findings = { unknown: [], notCompared: [] }
  const { config, db, keyring, businesses } = context
  const log = createLog({ level: 'silent' })
  const egress = new Egress({ allowPrivate: config.allowPrivateWebhooks })
  const simulator = createSimulatorAcquirer({
    url: config.simulatorUrl ?? 'http://127.0.0.1:9',
    merchantId: '',
  })
  const { registry } = createMetrics()
  const publicUrl = () => config.publicUrl ?? ''
  const acquirers = new Acquirers({
    db,
    keyring,
    egress,
    businesses,
    simulator,
    adapters: ADAPTERS,
    publicUrl,
    registry,
    log,
    timeoutMs: config.acquirerTimeoutMs,
  })
  try {
    for (const { businessId } of tenants)
      await compareTenant(context, acquirers, businessId, period, findings)
  } finally {
    await acquirers.close()
    await Promise.all([egress.close(), simulator.close()])
  }
  const compared = await withBooks(config, log, (books) =>
    compareSimulator(context, tenants, books, findings),
  )
  if (!compared) findings.notCompared.push('The simulator: set SIMULATOR_URL to that of the service.')
  return findings
}

async function compareTenant(
  { db }: CommandContext,
  acquirers: Acquirers,
  businessId: string,
  period: LostPeriod,
  { unknown, notCompared }: Findings,
): Promise<void> {
  for (const { id, acquirer: name } of await acquirers.accounts(businessId)) {
    const { bookings } = await acquirers.open(businessId, id)
    if (bookings === undefined) {
      notCompared.push(
        `${name} account ${id} of ${businessId} lists no payments: send its notices of the period again from the acquirer's own pages, and compare the settlement report (reconciliation).`,
      )
      continue
    }
    const listed = await bookings({
      from: period.since.subtract(MARGIN),
      until: period.recoveredAt.add(MARGIN),
    })
    if (listed.kind !== 'ok') {
      const reason = listed.kind === 'absent' ? 'it has no list' : listed.message
      notCompared.push(`${name} account ${id} of ${businessId}: ${reason}. Run the command again.`)
      continue
    }
    const moved = listed.value.filter(({ movesMoney }) => movesMoney)
    const keys = await unknownKeys(
      db,
      businessId,
      moved.map(({ key }) => key),
    )
    for (const booking of moved) if (keys.has(booking.key)) unknown.push(shown(businessId, name, booking))
  }
}

function shown(
  business_id: string,
  acquirer: string,
  { kind, key, reference, amount }: Booking,
): UnknownBooking {
  return {
    business_id,
    acquirer,
    kind,
    key,
    reference,
    amount: `${amount?.currency} ${amount?.toString()}`,
    ...readKey(key),
  }
}

function readKey(key: string): Pick<UnknownBooking, 'is_renewal' | 'begun_at'> {
  if (!OWN_KEY.test(key)) return { is_renewal: false, begun_at: null }
  return {
    is_renewal: isDerivedId(key),
    begun_at: toRfc3339(Temporal.Instant.fromEpochMilliseconds(msOfId(key))),
  }
}

async function compareSimulator(
  { db }: CommandContext,
  tenants: readonly BusinessProfile[],
  books: AsyncIterable<BookLine> | undefined,
  { unknown }: Findings,
): Promise<boolean> {
  if (books === undefined) return false
  const lines = new Map<string, BookLine>()
  for await (const line of books) if (line.outcome === 'approved') lines.set(line.key, line)
  for (const { businessId } of tenants) {
    const voided = [...lines.values()].flatMap((line) => line.original_key ?? [])
    const left = await unknownKeys(db, businessId, [...lines.keys()], voided)
    for (const key of lines.keys()) if (!left.has(key)) lines.delete(key)
  }
  for (const { key, operation, amount, currency, original_key: reference = key } of lines.values()) {
    unknown.push({
      business_id: '',
      acquirer: 'simulator',
      kind: operation,
      key,
      reference,
      amount: `${currency} ${amount}`,
      ...readKey(key),
    })
  }
  return true
}

function resultOf({
  since,
  skipped,
  inquiries,
  findings: { unknown, notCompared },
}: {
  readonly since: Instant
  readonly skipped: Skipped | null
  readonly inquiries: number
  readonly findings: Findings
}): CommandResult {
  const lines = unknown.slice(0, MAX_LISTED)
  return {
    json: {
      since: toRfc3339(since),
      skipped,
      operations_inquired: inquiries,
      unknown_bookings: lines,
      unknown_booking_count: unknown.length,
      not_compared: notCompared,
      cannot_know: CANNOT_KNOW,
    },
    text: [
      `The database ends at ${toRfc3339(since)}. The acquirers are asked for the outcome of ${inquiries} open operations as soon as a worker runs.`,
      skipped === null
        ? 'An earlier run of this command has skipped the numbers.'
        : `Skipped ${skipped.receipt_numbers} receipt numbers, and ${skipped.wallet_numbers} wallet numbers and ${skipped.document_numbers} numbers of invoices and of credit notes in each business and series.`,
      `Acquirers booked ${unknown.length} payments and refunds that are unknown here:`,
      ...lines.map(
        ({ acquirer, kind, key, reference, amount, is_renewal, begun_at }) =>
          `  ${begun_at ?? 'at an unknown time'} ${acquirer} ${kind} ${amount} ${key} ${reference}${is_renewal ? ' (renewal)' : ''}`,
      ),
      ...notCompared.map((text) => `Not compared: ${text}`),
      ...CANNOT_KNOW.map((text) => `Unknown: ${text}`),
    ].join('\n'),
  }
}
