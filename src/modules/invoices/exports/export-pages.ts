import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { BookkeepingAccounts } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import type { InvoicesContext } from '../context.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { type DatedSettlement, readSettlements } from '../reports/dated-settlements.ts'
import { listIssuedUpwards } from '../storage/invoice.repository.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'
import { findInvoicesOfOrders, type InvoiceOfOrder } from '../storage/open-invoice.repository.ts'
import type { DocumentKey } from '../storage/tax-report.repository.ts'
import { type BaseRate, documentToConvert, findBaseRates, moneyToConvert } from './base-rates.ts'
import { moneyKind } from './decide-bookings.ts'
import type { ExportQuery } from './export-query.ts'
import type { Movement } from './money-csv.ts'

export interface ExportJob {
  readonly ctx: InvoicesContext
  readonly caller: Caller
  readonly scope: IssuedScope
  readonly zone: TimeZone
  readonly format: ExportQuery['format']
  readonly records: ExportQuery['records']
}

const PAGE = 200

export interface ConvertedDocument {
  readonly document: IssuedInvoice
  readonly base: BaseRate
}

/** Only DATEV books in the currency of the seller; the other programs have rates of their own. */
export async function* documentPages(job: ExportJob): AsyncGenerator<readonly ConvertedDocument[]> {
  const { ctx, caller, scope, format, records } = job
  if (records !== undefined && records !== 'documents') return
  for (let after: DocumentKey | undefined; ;) {
    const start: DocumentKey | undefined = after
    const documents: ConvertedDocument[] = await ctx.db.transact(
      caller.businessId,
      async (tx) => {
        const found = await listIssuedUpwards(tx, scope, start, PAGE)
        const toConvert = format === 'datev' ? found.map(documentToConvert) : []
        const bases = await findBaseRates(tx, toConvert, { prefersDay: false })
        return found.map((document, index) => ({ document, base: bases[index] ?? null }))
      },
      { isSnapshot: true },
    )
    yield documents
    const last = documents.at(-1)?.document
    if (last === undefined || documents.length < PAGE) return
    after = { at: last.createdAt, id: last.id }
  }
}

export interface ConvertedMovement extends Movement {
  readonly base: BaseRate
}

/** What was paid and refunded for invoices, day by day. */
export async function* moneyPages(job: ExportJob): AsyncGenerator<readonly ConvertedMovement[]> {
  const { scope, records } = job
  if (records === 'documents') return
  for (
    let day = scope.range.from;
    Temporal.PlainDate.compare(day, scope.range.to) <= 0;
    day = day.add({ days: 1 })
  )
    yield await moneyOfDay(job, day)
}

async function moneyOfDay(
  { ctx, caller, scope, zone, format, records }: ExportJob,
  day: Temporal.PlainDate,
): Promise<ConvertedMovement[]> {
  const { legalEntityId, currency } = scope
  const isAsked = ({ money, invoice }: Movement) =>
    (legalEntityId === undefined || invoice.legalEntityId === legalEntityId) &&
    (currency === undefined || money.amount.currency === currency) &&
    (records === undefined || moneyKind(money.paymentMethod) === records)
  return ctx.db.transact(
    caller.businessId,
    async (tx) => {
      if (Temporal.PlainDate.compare(day, localDateOf(tx.now, zone).add({ days: 1 })) > 0) return []
      const money = await ctx.payments.moneyOfDay(tx, day.toString(), zone)
      const invoices = await findInvoicesOfOrders(tx, [...new Set(money.map(({ orderId }) => orderId))])
      const movements = money.flatMap((one) => {
        const invoice = invoices.get(one.orderId)
        return invoice === undefined || !isAsked({ money: one, invoice }) ? [] : { money: one, invoice }
      })
      const toConvert = movements.map((one) => moneyToConvert(one.money, one.invoice))
      const bases = await findBaseRates(tx, format === 'datev' ? toConvert : [], { prefersDay: true })
      return movements.map((movement, index) => ({ ...movement, base: bases[index] ?? null }))
    },
    { isSnapshot: true },
  )
}

export interface ConvertedWriteOff {
  readonly writeOff: DatedSettlement
  readonly invoice: InvoiceOfOrder
  readonly base: BaseRate
}

/** What was written off, day by day, if it has an account. Only DATEV takes bookings that are neither documents nor money. */
export async function* writeOffPages(
  job: ExportJob,
  { writeOffs }: BookkeepingAccounts,
): AsyncGenerator<readonly ConvertedWriteOff[]> {
  const { range } = job.scope
  if (job.format !== 'datev' || job.records !== undefined || writeOffs === null) return
  for (let day = range.from; Temporal.PlainDate.compare(day, range.to) <= 0; day = day.add({ days: 1 }))
    yield await writeOffsOfDay(job, day)
}

/** What was written off at a match counts on the day of the transfer, so the orders of that day's money are read, too. */
async function writeOffsOfDay(
  { ctx, caller, scope, zone }: ExportJob,
  day: Temporal.PlainDate,
): Promise<ConvertedWriteOff[]> {
  const date = day.toString()
  const [from, to] = [startOfLocalDay(day, zone), startOfLocalDay(day.add({ days: 1 }), zone)]
  const { legalEntityId, currency } = scope
  return ctx.db.transact(
    caller.businessId,
    async (tx) => {
      if (Temporal.PlainDate.compare(day, localDateOf(tx.now, zone).add({ days: 1 })) > 0) return []
      const moved = await ctx.payments.moneyOfDay(tx, date, zone)
      const found = await Promise.all(ctx.writeOffFinders.map((find) => find(tx, from, to)))
      const candidates = [...new Set([...moved.map(({ orderId }) => orderId), ...found.flat()])]
      const settlements = await Promise.all(ctx.settlementReaders.map((read) => read(tx, candidates)))
      const writtenOff = settlements.flat().filter(({ kind }) => kind === 'write_off')
      const orderIds = [...new Set(writtenOff.map(({ orderId }) => orderId))]
      const money = await ctx.payments.moneyOfOrders(tx, orderIds, zone)
      const settled = await readSettlements(ctx, tx, orderIds, { money, zone })
      const invoices = await findInvoicesOfOrders(tx, orderIds)
      const writeOffs = settled.flatMap((writeOff) => {
        const invoice = invoices.get(writeOff.orderId)
        if (invoice === undefined || writeOff.kind !== 'write_off' || writeOff.date !== date) return []
        const isAsked =
          (legalEntityId === undefined || invoice.legalEntityId === legalEntityId) &&
          (currency === undefined || writeOff.amount.currency === currency)
        return isAsked ? [{ writeOff, invoice }] : []
      })
      const toConvert = writeOffs.map((one) => moneyToConvert(one.writeOff, one.invoice))
      const bases = await findBaseRates(tx, toConvert, { prefersDay: true })
      return writeOffs.map((one, index) => ({ ...one, base: bases[index] ?? null }))
    },
    { isSnapshot: true },
  )
}
