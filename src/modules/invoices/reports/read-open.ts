import { Money } from '#kernel/money'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { OrderMoney } from '#modules/payments'
import type { InvoicesContext, Settlement } from '../context.ts'
import {
  type CandidateInvoice,
  findNotesUntil,
  findOpenSince,
  type NoteOfInvoice,
  type OpenScope,
} from '../storage/open-invoice.repository.ts'
import type { DocumentKey } from '../storage/tax-report.repository.ts'
import { type DatedSettlement, readSettlements } from './dated-settlements.ts'
import { AGES, type Age, ageOf, daysOverdue, dueOf } from './decide-due.ts'
import { type OpenQuery, readScope } from './report-query.ts'

/** What was due of an invoice at the end of a day. */
export interface OpenItem {
  readonly invoice: CandidateInvoice
  readonly daysOverdue: number
  readonly paid: Money
  readonly writtenOff: Money
  readonly due: Money
  readonly money: readonly OrderMoney[]
  readonly settlements: readonly DatedSettlement[]
}

export interface OpenScopeOfDay extends OpenScope {
  readonly zone: TimeZone
  readonly isPast: boolean
}

export interface PageOfOpen {
  readonly items: readonly OpenItem[]
  readonly next: DocumentKey | undefined
}

const FIRST_DAY = '1970-01-01'

export async function readOpenScope(
  ctx: InvoicesContext,
  caller: Caller,
  query: OpenQuery,
): Promise<OpenScopeOfDay> {
  const { zone, today, currency, legalEntityId } = await readScope(ctx, caller, query)
  const at = query.at === undefined ? today : Temporal.PlainDate.from(query.at)
  if (at.toString() < FIRST_DAY || at.year > 9_998) {
    const message = `at must be a date from ${FIRST_DAY} to 9998-12-31.`
    throw platformErrors.invalid_date_range({ param: 'at', message })
  }
  return {
    day: at.toString(),
    end: startOfLocalDay(at.add({ days: 1 }), zone),
    isPast: Temporal.PlainDate.compare(at, today) < 0,
    currency,
    legalEntityId,
    zone,
  }
}

/** Reads a page of candidates and leaves out those of which nothing was due. */
export async function readOpen(
  ctx: InvoicesContext,
  { businessId }: Caller,
  scope: OpenScopeOfDay,
  { after, limit }: { readonly after: DocumentKey | undefined; readonly limit: number },
): Promise<PageOfOpen> {
  return ctx.db.transact(
    businessId,
    async (tx) => {
      const found = await findOpenSince(tx, scope, after, limit + 1)
      const candidates = found.slice(0, limit)
      const orderIds = candidates.map(({ orderId }) => orderId)
      const money = await ctx.payments.moneyOfOrders(tx, orderIds, scope.zone)
      const isUntil = ({ date }: { readonly date: string }) => date <= scope.day
      const byOrder = Map.groupBy(money.filter(isUntil), ({ orderId }) => orderId)
      const settled = await readSettlements(ctx, tx, orderIds, { money, zone: scope.zone })
      const settledByOrder = Map.groupBy(settled.filter(isUntil), ({ orderId }) => orderId)
      const items = candidates.map((invoice): OpenItem => {
        const moved = byOrder.get(invoice.orderId) ?? []
        const settlements = settledByOrder.get(invoice.orderId) ?? []
        const amountsOf = (wanted: Settlement['kind']) =>
          settlements.flatMap(({ kind, amount }) => (kind === wanted ? [amount] : []))
        const decided = dueOf(invoice, {
          moved,
          movedToCredit: amountsOf('moved_to_credit'),
          writtenOff: amountsOf('write_off'),
        })
        const overdue = daysOverdue(invoice.dueDate, scope.day)
        return { invoice, daysOverdue: overdue, ...decided, money: moved, settlements }
      })
      return {
        items: items.filter(({ due }) => due.isPositive()),
        next: found.length > limit ? candidates.at(-1)?.key : undefined,
      }
    },
    { isSnapshot: true },
  )
}

const PAGE = 500

/**
 * All open items, page by page. An invoice that is paid while pages are read comes again among those that changed, so those that
 * were open are remembered where the day has passed.
 */
export async function* openPages(
  ctx: InvoicesContext,
  caller: Caller,
  scope: OpenScopeOfDay,
): AsyncGenerator<readonly OpenItem[]> {
  const seen = new Set<string>()
  for (let after: DocumentKey | undefined; ;) {
    const page: PageOfOpen = await readOpen(ctx, caller, scope, { after, limit: PAGE })
    yield page.items.filter(({ invoice }) => !seen.has(invoice.id))
    if (scope.isPast) {
      for (const { invoice } of page.items) if (invoice.isOpen) seen.add(invoice.id)
    }
    if (page.next === undefined) return
    after = page.next
  }
}

export interface AgesOfCurrency {
  readonly legalEntityId: string
  readonly currency: string
  readonly invoices: number
  readonly due: Money
  readonly ages: Readonly<Record<Age, Money>>
}

/** The sums of open items by entity, currency and age. */
export async function readAges(
  ctx: InvoicesContext,
  caller: Caller,
  query: OpenQuery,
): Promise<{ readonly day: string; readonly sums: readonly AgesOfCurrency[] }> {
  const scope = await readOpenScope(ctx, caller, query)
  const sums = new Map<string, AgesOfCurrency>()
  for await (const items of openPages(ctx, caller, scope)) {
    for (const { invoice, due, daysOverdue: days } of items) {
      const { legalEntityId, currency } = invoice
      const key = `${legalEntityId} ${currency}`
      const sum = sums.get(key) ?? noAges(legalEntityId, currency)
      const age = ageOf(days)
      sums.set(key, {
        ...sum,
        invoices: sum.invoices + 1,
        due: sum.due.plus(due),
        ages: { ...sum.ages, [age]: sum.ages[age].plus(due) },
      })
    }
  }
  return { day: scope.day, sums: [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum) }
}

function noAges(legalEntityId: string, currency: string): AgesOfCurrency {
  const none = Money.zero(currency)
  const ages = Object.fromEntries(AGES.map((age) => [age, none])) as Record<Age, Money>
  return { legalEntityId, currency, invoices: 0, due: none, ages }
}

/** What an open item is made of: it sums to what is due. */
export interface OpenRow {
  readonly item: OpenItem
  readonly line: 'invoice' | 'prepaid' | 'payment' | 'refund' | 'credit_note' | Settlement['kind']
  readonly objectId: string
  readonly date: string
  readonly amount: Money
}

export async function rowsOfOpen(
  ctx: InvoicesContext,
  { businessId }: Caller,
  { day }: OpenScopeOfDay,
  items: readonly OpenItem[],
): Promise<OpenRow[]> {
  const ids = items.map(({ invoice }) => invoice.id)
  const found = await ctx.db.transact(businessId, (tx) => findNotesUntil(tx, ids, day))
  const notes = Map.groupBy(found, ({ invoiceId }) => invoiceId)
  return items.flatMap((item) => rowsOfItem(item, notes.get(item.invoice.id) ?? []))
}

function rowsOfItem(item: OpenItem, notes: readonly NoteOfInvoice[]): OpenRow[] {
  const { invoice, money, settlements } = item
  const { id, issueDate, total, prepaid } = invoice
  return [
    { item, line: 'invoice', objectId: id, date: issueDate, amount: total },
    ...(prepaid.isZero()
      ? []
      : [{ item, line: 'prepaid' as const, objectId: id, date: issueDate, amount: prepaid.negated() }]),
    ...notes.map((note) => ({
      item,
      line: 'credit_note' as const,
      objectId: note.id,
      date: note.issueDate,
      amount: note.lowered.negated(),
    })),
    ...money.map(({ transactionId, type, date, amount }) => ({
      item,
      line: type === 'Refund' || type === 'Return' ? ('refund' as const) : ('payment' as const),
      objectId: transactionId,
      date,
      amount: amount.negated(),
    })),
    ...settlements.map(({ kind, id: objectId, date, amount }) => ({
      item,
      line: kind,
      objectId,
      date,
      amount: kind === 'write_off' ? amount.negated() : amount,
    })),
  ]
}
