import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { localDateOf } from '#kernel/time-zone'
import { counterOf, formatNumber, type LegalEntity, numbersByYear, seriesOf } from '#modules/taxes'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import type { DocumentType } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findExchanges } from './find-exchange.ts'
import { entityOf, findParties } from './parties.ts'
import { scheduleOverdue } from './schedule-overdue.ts'
import { insertInvoices } from '../storage/invoice.repository.ts'
import { findCorrected } from '../storage/order-document.repository.ts'
import {
  type NumbersWanted,
  sequenceId,
  type SequenceKey,
  takeNumbers,
} from '../storage/sequence.repository.ts'
import {
  decideInvoice,
  type Document,
  documentOf,
  type Numbered,
  type OrderToInvoice,
} from './decide-document.ts'

/**
 * Numbers the documents of orders that the caller is about to make. The transaction has then taken these numbers: either
 * `issueInvoices` issues every one, or the transaction must fail. Orders that bill nothing get no number.
 */
export async function prepareInvoices(
  ctx: InvoicesContext,
  tx: Tx,
  orders: readonly OrderToInvoice[],
): Promise<ReadonlyMap<string, IssuedInvoice>> {
  const documents = orders.flatMap((order) => {
    const document = documentOf(order)
    return document === null ? [] : [{ order, document }]
  })
  if (documents.length === 0) return new Map()
  const [{ entities, partiesOf }, { timeZone }, issuedInvoices] = await Promise.all([
    findParties(
      ctx,
      tx,
      documents.map(({ order }) => order),
    ),
    ctx.businesses.profile(tx.businessId),
    findCorrected(
      tx,
      documents.flatMap(({ order, document }) => correctedOrders(order, document)),
    ),
  ])
  const wanted = documents.map(({ order, document }) => {
    const found = correctedOrders(order, document).flatMap((id) => issuedInvoices.get(id) ?? [])
    return {
      order,
      document,
      type: document.type,
      entity: entityOf(entities, order.legalEntityId),
      series: order.series,
      id: order.documentId,
      at: order.at,
      currency: order.total.currency,
      tax: order.tax,
      date: localDateOf(order.at, timeZone).toString(),
      found,
      corrected: found.toSorted((a, b) => (a.issuedOn < b.issuedOn ? 1 : -1)).map(({ exchange }) => exchange),
    }
  })
  const exchangeWanted = await findExchanges(tx, wanted, { isStored: true })
  const exchanges = new Map(wanted.map((one) => [one.order.orderId, exchangeWanted(one)]))
  const numbered = await numberDocuments(tx, timeZone, wanted)
  return new Map(
    numbered.map(({ order, document, place, found }) => {
      const corrected = new Map(found.flatMap((one) => one.corrected).map((one) => [one.number, one]))
      const ground = {
        parties: partiesOf(order),
        zone: timeZone,
        corrected: [...corrected.values()],
        exchange: exchanges.get(order.orderId),
      }
      return [order.orderId, decideInvoice(order, document, place, ground)]
    }),
  )
}

/** The orders whose lines a credit note of a plan credits. */
function correctedOrders({ lines }: OrderToInvoice, { type }: Document): string[] {
  if (type === 'invoice') return []
  return [...new Set(lines.flatMap(({ billed }) => billed?.creditedOrderId ?? []))]
}

export async function issueInvoices(
  ctx: InvoicesContext,
  tx: Tx,
  documents: readonly IssuedInvoice[],
): Promise<void> {
  if (documents.length === 0) return
  tx.defer(insertInvoices(tx, documents))
  scheduleOverdue(tx, documents)
  await ctx.events.append(
    tx,
    documents.flatMap((document) => issueEvents(ctx, document)),
  )
  await announceIssued(ctx, tx, documents)
}

export async function announceIssued(
  ctx: InvoicesContext,
  tx: Tx,
  documents: readonly IssuedInvoice[],
): Promise<void> {
  if (documents.length === 0) return
  for (const handle of ctx.issuedHandlers) await handle(tx, documents)
}

function issueEvents(ctx: InvoicesContext, document: IssuedInvoice): NewEvent[] {
  const eventOf = (type: string): NewEvent => ({
    type,
    objectId: document.id,
    timestamp: document.createdAt,
    data: ctx.present.event(document),
    keepsActor: true,
  })
  if (document.type === 'credit_note') return [eventOf('credit_note.issued')]
  const issued = eventOf('invoice.issued')
  return document.state === 'paid' ? [issued, eventOf('invoice.paid')] : [issued]
}

/** - `id`: Of a draft that is issued; others get a new one. */
export interface ToNumber {
  readonly id?: string | undefined
  readonly type: DocumentType
  readonly entity: LegalEntity
  readonly series: string | null
  readonly at: Instant
}

interface InSequence {
  readonly format: string
  readonly date: Temporal.PlainDate
  readonly key: SequenceKey
  readonly firstNumber: number
  readonly seriesKey: string
}

export async function numberDocuments<Wanted extends ToNumber>(
  tx: Tx,
  timeZone: string,
  documents: readonly Wanted[],
): Promise<(Wanted & { readonly place: Numbered })[]> {
  const inSequence = documents
    .map((document) => ({ document, ...sequenceOf(document, timeZone) }))
    .toSorted((a, b) => a.document.at.epochMilliseconds - b.document.at.epochMilliseconds)
  const blocks = Map.groupBy(inSequence, ({ key }) => sequenceId(key))
  const taken = await takeNumbers(tx, [...blocks.values()].map(blockOf))
  const firsts = new Map(taken.map((block) => [sequenceId(block), block]))
  return [...blocks].flatMap(([id, block]) => {
    const numbers = firsts.get(id)
    if (numbers === undefined) throw new Error(`no numbers of the sequence ${id}`)
    return block.map(({ document, format, date, seriesKey, key: { series, year } }, index) => {
      const sequence = numbers.first + BigInt(index)
      const number = formatNumber(format, { year: date.year, month: date.month, seq: Number(sequence) })
      return {
        ...document,
        place: { id: document.id ?? newId('inv'), number, series, seriesKey, year, sequence, at: numbers.at },
      }
    })
  })
}

function blockOf(block: readonly (InSequence & { readonly document: ToNumber })[]): NumbersWanted {
  const [first] = block
  const last = block.at(-1)
  if (first === undefined || last === undefined) throw new Error('a block of numbers is empty')
  return { ...first.key, firstNumber: first.firstNumber, count: block.length, at: last.document.at }
}

/** A series that was removed from its entity uses the formats of the entity's first series. */
function sequenceOf({ type, entity, series: wanted, at }: ToNumber, timeZone: string): InSequence {
  const series = seriesOf(entity, wanted) ?? seriesOf(entity, null)
  if (series === undefined) throw new Error(`the legal entity ${entity.id} has no series`)
  const format = type === 'invoice' ? series.invoiceFormat : series.creditNoteFormat
  const date = localDateOf(at, timeZone)
  const year = numbersByYear(format) ? date.year : 0
  return {
    format,
    date,
    key: { type, legalEntityId: entity.id, series: counterOf(series, format), year },
    firstNumber: series.firstNumber,
    seriesKey: wanted ?? series.key,
  }
}
