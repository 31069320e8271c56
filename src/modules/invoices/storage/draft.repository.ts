import sql from 'sql-template-tag'
import { decimalToString, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { ExactNumber } from '#kernel/json'
import { Money } from '#kernel/money'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { composed, table } from '#platform/postgres/table'
import type { DraftInvoice } from '../model/draft-invoice.ts'
import type { InvoiceLineRequest, InvoiceRequest } from '../model/invoice-requests.ts'
import { type Copy, readCopy, storedCopy } from './stored-copy.ts'

interface DraftRecord extends Pick<
  DraftInvoice,
  'id' | 'currency' | 'request' | 'referenceId' | 'metadata' | 'createdAt' | 'updatedAt'
> {
  readonly legalEntityId: string
  readonly customerUuid: string
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly totalMinor: bigint
  readonly copy: DraftCopy
}

type DraftCopy = Copy & Pick<DraftInvoice, 'currency'>

const DRAFTS = table<DraftRecord>('d', {
  id: 'text',
  legalEntityId: 'text',
  customerUuid: 'text',
  currency: 'text',
  netMinor: 'numeric',
  taxMinor: 'numeric',
  totalMinor: 'numeric',
  request: composed(['request'], readRequest, { request: ['json', storedRequest] }),
  copy: composed(['currency', 'copy'], readDraftCopy, { copy: ['json', storedCopy] }),
  referenceId: 'text',
  metadata: composed(['metadata'], readMetadata, { metadata: ['json', storedMetadata] }),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

/** Returns false if another draft has the reference. */
export async function insertDraft(tx: Tx, draft: DraftInvoice): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into invoice_drafts ${DRAFTS.values(tx.businessId, [recordOf(draft)])}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function deleteDraft(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`delete from invoice_drafts where business_id = ${tx.businessId} and id = ${id}`)
}

export async function lockDraft(tx: Tx, id: string): Promise<DraftInvoice | undefined> {
  const [row] = await tx.query(sql`
    select ${DRAFTS.columns} from invoice_drafts d
     where d.business_id = ${tx.businessId} and d.id = ${id} for update`)
  return row && toDraft(row)
}

export async function isDraftId(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from invoice_drafts where business_id = ${tx.businessId} and id = ${id}`,
  )
  return rows.length > 0
}

export async function findDraft(
  db: Database,
  businessId: string,
  id: string,
): Promise<DraftInvoice | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${DRAFTS.columns} from invoice_drafts d where d.business_id = ${businessId} and d.id = ${id}`,
  )
  return row && toDraft(row)
}

function readDraftCopy(currency: string, text: string): DraftCopy {
  return { ...readCopy(currency, text), currency }
}

function recordOf(draft: DraftInvoice): DraftRecord {
  return {
    ...draft,
    legalEntityId: draft.seller.legalEntityId,
    customerUuid: draft.buyer.customerUuid,
    netMinor: draft.netTotal.minor,
    taxMinor: draft.taxTotal.minor,
    totalMinor: draft.total.minor,
    copy: { ...draft, seriesKey: undefined },
  }
}

/** @param row with the columns of a draft */
export function toDraft(row: object): DraftInvoice {
  const { legalEntityId: _, customerUuid: __, copy, ...draft } = DRAFTS.read(row)
  const { netMinor, taxMinor, totalMinor, ...own } = draft
  const { seriesKey: ___, ...content } = copy
  const money = (minor: bigint) => Money.ofMinor(own.currency, minor)
  return {
    ...own,
    ...content,
    type: 'invoice',
    state: 'draft',
    planId: null,
    invoiceId: null,
    replaces: null,
    replacedBy: null,
    note: null,
    overdueAt: null,
    netTotal: money(netMinor),
    taxTotal: money(taxMinor),
    total: money(totalMinor),
    prepaid: money(0n),
    amountDue: money(0n),
    creditedTotal: money(0n),
  }
}

/** Numbers are text, so that no JSON reader rounds them. */
interface StoredRequest extends Omit<InvoiceRequest, 'lines'> {
  readonly lines: readonly (Omit<InvoiceLineRequest, 'quantity' | 'unit_amount'> & {
    readonly quantity: string
    readonly unit_amount: string
  })[]
}

function storedRequest(request: InvoiceRequest): string {
  const lines: StoredRequest['lines'] = request.lines.map((line) => ({
    ...line,
    quantity: digitsOf(line.quantity),
    unit_amount: digitsOf(line.unit_amount),
  }))
  return JSON.stringify({ ...request, lines } satisfies StoredRequest)
}

function digitsOf(value: number | ExactNumber): string {
  const read = parseDecimal(value)
  if (isDecimalProblem(read)) throw new Error('a draft has a line that cannot be billed')
  return decimalToString(read)
}

function readRequest(text: string): InvoiceRequest {
  const stored = JSON.parse(text) as StoredRequest
  return {
    ...stored,
    lines: stored.lines.map((line) => ({
      ...line,
      quantity: new ExactNumber(line.quantity),
      unit_amount: new ExactNumber(line.unit_amount),
    })),
  }
}
