import { type Instant, timeOfChange } from '#kernel/clock'
import { type Money, sumMoney } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import { legalEntities } from '#modules/taxes'
import type { OrderChange } from '#modules/payments'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { scheduleOverdue } from '../issue/schedule-overdue.ts'
import { announceIssued, numberDocuments } from '../issue/issue-invoices.ts'
import { entityOf } from '../issue/parties.ts'
import { overdueAt } from '../model/due-date.ts'
import type { InvoiceState } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { insertInvoices, updateInvoices } from '../storage/invoice.repository.ts'
import { creditableLines, decideNote, type NoteTerms } from './decide-note.ts'
import { type LineAmount, shareOverLines } from './credit-lines.ts'
import { type InvoiceWithNotes, withOrder } from './decide-order-change.ts'

/** A credit note to issue: of amounts by line, or of one amount that is shared over the lines by what is left of each. */
export interface NewNote extends NoteTerms {
  readonly amounts: readonly LineAmount[] | Money
}

export interface InvoiceChange extends InvoiceWithNotes {
  readonly newNotes: readonly NewNote[]
  readonly change: Pick<OrderChange, 'order' | 'voidedBy'>
  readonly at: Instant
}

export interface ChangedInvoice {
  readonly invoice: IssuedInvoice
  readonly newNotes: readonly IssuedInvoice[]
}

/** Numbers and stores the notes, updates the invoices and writes the events of both. The caller has locked orders and invoices. */
export async function changeInvoices(
  ctx: InvoicesContext,
  tx: Tx,
  changes: readonly InvoiceChange[],
): Promise<ChangedInvoice[]> {
  const notes = await numberNotes(ctx, tx, changes)
  const { timeZone } = await ctx.businesses.profile(tx.businessId)
  const changed = changes.map((change): ChangedInvoice & { readonly before: InvoiceState } => {
    const newNotes = notes.get(change.invoice.id) ?? []
    const credited = sumMoney(
      change.invoice.currency,
      newNotes.map(({ total }) => total),
    )
    const next = reopened(change, withOrder(change.invoice, credited, change.change), timeZone)
    const updatedAt = timeOfChange(change.invoice, newNotes.at(-1)?.createdAt ?? change.at)
    return { before: change.invoice.state, invoice: { ...change.invoice, ...next, updatedAt }, newNotes }
  })
  tx.defer(
    insertInvoices(
      tx,
      changed.flatMap(({ newNotes }) => newNotes),
    ),
  )
  tx.defer(
    updateInvoices(
      tx,
      changed.map(({ invoice }) => invoice),
    ),
  )
  scheduleOverdue(
    tx,
    changed.map(({ invoice }) => invoice),
  )
  await ctx.events.append(
    tx,
    changed.flatMap(({ before, invoice, newNotes }) => [
      ...newNotes.map((note) => eventOf(ctx, 'credit_note.issued', note)),
      ...stateEvents(ctx, before, invoice),
    ]),
  )
  await announceIssued(
    ctx,
    tx,
    changed.flatMap(({ newNotes }) => newNotes),
  )
  return changed
}

/** Only orders of sent invoices have a due date. If an order is open again, it becomes overdue on the original due date. */
function reopened(
  { invoice, change: { order } }: InvoiceChange,
  next: ReturnType<typeof withOrder>,
  timeZone: TimeZone,
): ReturnType<typeof withOrder> {
  if (invoice.state === 'open' || next.state !== 'open' || order.dueDate === null) return next
  return { ...next, overdueAt: overdueAt(Temporal.PlainDate.from(invoice.dueDate), timeZone) }
}

async function numberNotes(
  ctx: InvoicesContext,
  tx: Tx,
  changes: readonly InvoiceChange[],
): Promise<ReadonlyMap<string, readonly IssuedInvoice[]>> {
  const wanted = changes.flatMap((change) => change.newNotes.map((note) => ({ change, note })))
  if (wanted.length === 0) return new Map()
  const [entities, { timeZone }] = await Promise.all([
    legalEntities(tx, [...new Set(wanted.map(({ change }) => change.invoice.seller.legalEntityId))]),
    ctx.businesses.profile(tx.businessId),
  ])
  const numbered = await numberDocuments(
    tx,
    timeZone,
    wanted.map(({ change, note }) => ({
      change,
      note,
      type: 'credit_note' as const,
      entity: entityOf(entities, change.invoice.seller.legalEntityId),
      series: change.invoice.seriesKey,
      at: change.at,
    })),
  )
  const issued = new Map<string, IssuedInvoice[]>()
  for (const { change, note, place } of numbered) {
    const { invoice, notes } = change
    const earlier = issued.get(invoice.id) ?? []
    const lines = creditableLines(invoice, [...notes, ...earlier])
    const amounts = 'minor' in note.amounts ? shareOverLines(lines, note.amounts) : note.amounts
    issued.set(invoice.id, [...earlier, decideNote(invoice, lines, amounts, place, note, timeZone)])
  }
  return issued
}

const EVENT_OF_STATE: Readonly<Partial<Record<InvoiceState, string>>> = {
  paid: 'invoice.paid',
  credited: 'invoice.credited',
  uncollectible: 'invoice.uncollectible',
}

function stateEvents(ctx: InvoicesContext, before: InvoiceState, invoice: IssuedInvoice): NewEvent[] {
  const type = EVENT_OF_STATE[invoice.state]
  return type === undefined || invoice.state === before ? [] : [eventOf(ctx, type, invoice)]
}

export function eventOf(ctx: InvoicesContext, type: string, document: IssuedInvoice): NewEvent {
  const { id, updatedAt } = document
  return { type, objectId: id, timestamp: updatedAt, data: ctx.present.event(document), keepsActor: true }
}
