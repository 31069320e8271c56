import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { PayableInvoice } from '#modules/invoices'
import type { OrdersForTransfers } from '#modules/payments'
import { firstOpenDay, lockedUntil, settings } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { type BankTransfersContext, entryEvent } from '../context.ts'
import { TRANSFER, writeOffsOf } from '../matching/booked-transfers.ts'
import { decideMatches, MAX_SUGGESTED, type Match } from '../matching/decide-matches.ts'
import { possibleNames } from '../matching/named-invoices.ts'
import type { BankEntry, EntryMatch } from '../model/bank-entry.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import type { WriteOff } from '../model/write-off.ts'
import { applyReturns } from '../returns/apply-returns.ts'
import { decideNew } from '../statements/decide-new.ts'
import { completeEntries, findKnown, insertEntries, lockEntries } from '../storage/entry.repository.ts'
import { findCountedTransfers, findPayers, insertMatches } from '../storage/match.repository.ts'
import { insertWriteOffs } from '../storage/write-off.repository.ts'
import { addToStatement } from '../storage/statement.repository.ts'

/** Locks the business's entries, then the orders, which decide what is due. */
export async function importCredits(
  ctx: BankTransfersContext,
  tx: Tx,
  statementId: string,
  batch: readonly StatementEntry[],
): Promise<void> {
  await lockEntries(tx)
  const { added: credits, completed } = decideNew(batch, await findKnown(tx, batch))
  await completeEntries(tx, completed)
  if (credits.length > 0) await addCredits(ctx, tx, statementId, credits)
  const endToEndIds = [...credits, ...completed.map(({ by }) => by)].flatMap(
    ({ endToEndId }) => endToEndId ?? [],
  )
  await applyReturns(ctx, tx, [...new Set(endToEndIds)])
}

async function addCredits(
  ctx: BankTransfersContext,
  tx: Tx,
  statementId: string,
  credits: readonly StatementEntry[],
): Promise<void> {
  const closed = await lockedUntil(tx)
  const { named, orders, paying } = await lockPaid(ctx, tx, credits)
  const { matches, invoices } = await decide(ctx, tx, credits, { named, paying })
  const entries = credits.map((credit, index) =>
    toEntry(tx, statementId, credit, matches[index], { invoices, closed }),
  )
  const transfers = entries.flatMap((entry, index) => transfersOf(entry, matches[index], invoices))
  const { booked, writeOffs } = await bookTransfers(tx, orders, transfers)
  await insertEntries(tx, entries)
  if (booked.length > 0) await insertMatches(tx, booked, tx.now)
  await insertWriteOffs(tx, writeOffs)
  const matched = entries.filter(({ state }) => state === 'matched')
  await addToStatement(tx, statementId, {
    matched: matched.length,
    unmatched: entries.length - matched.length,
    countedLater: matched.filter(({ countedOn }) => countedOn !== null).length,
  })
  const byEntry = Map.groupBy(booked, ({ entryId }) => entryId)
  await ctx.events.append(
    tx,
    matched.map((entry) =>
      entryEvent(ctx, 'bank_entry.matched', { entry, matches: byEntry.get(entry.id) ?? [] }),
    ),
  )
}

interface NamedInvoice extends PayableInvoice {
  readonly isOpen: boolean
}

interface Decided {
  readonly named: readonly NamedInvoice[]
  readonly paying: readonly Match[]
}

/**
 * Decides which of the named invoices are paid, and locks their orders, which decide what is due. The others are not locked, because
 * texts full of numbers name thousands that nothing pays. An order that changed before it was locked may leave an amount for another
 * invoice, so this goes on until all that is paid is locked.
 */
async function lockPaid(
  ctx: BankTransfersContext,
  tx: Tx,
  credits: readonly StatementEntry[],
): Promise<Decided & { readonly orders: OrdersForTransfers | undefined }> {
  const found = await findNamed(ctx, tx, credits)
  const orderOf = new Map(found.map(({ id, orderId }) => [id, orderId]))
  const open = found.filter(({ state }) => state === 'open').map(({ orderId }) => orderId)
  const dues = open.length === 0 ? new Map<string, Money>() : await ctx.payments.duesOf(tx, open)
  const locked = new Set<string>()
  let orders: OrdersForTransfers | undefined
  for (;;) {
    const named = found.map((invoice) => withDue(invoice, dues.get(invoice.orderId)))
    const paying = decideMatches(credits, { invoices: named, payers: new Map(), counted: [] })
    const paid = paying
      .flatMap((match) => (match.state === 'matched' ? match.bookings : []))
      .map(({ invoiceId }) => orderOf.get(invoiceId) ?? '')
    if (paid.every((id) => locked.has(id))) return { named, paying, orders }
    for (const id of paid) locked.add(id)
    orders = await ctx.payments.lockOrdersForTransfers(tx, [...locked])
    for (const id of locked) {
      const due = orders.dueOf(id)
      if (due === undefined) dues.delete(id)
      else dues.set(id, due)
    }
  }
}

function withDue(invoice: PayableInvoice, due: Money | undefined): NamedInvoice {
  const isOpen = invoice.state === 'open' && due !== undefined
  return { ...invoice, amountDue: isOpen ? due : Money.zero(invoice.amountDue.currency), isOpen }
}

async function findNamed(
  ctx: BankTransfersContext,
  tx: Tx,
  credits: readonly StatementEntry[],
): Promise<PayableInvoice[]> {
  const lengths = await ctx.invoices.numberLengths(tx)
  const names = possibleNames(
    credits.map(({ remittance }) => remittance),
    lengths,
  )
  return names.numbers.length + names.references.length === 0 ? [] : ctx.invoices.findNamedInvoices(tx, names)
}

type Invoices = ReadonlyMap<string, PayableInvoice>

/** What the remittances pay shows which entries need a suggestion, and which payers to look up. */
async function decide(
  ctx: BankTransfersContext,
  tx: Tx,
  credits: readonly StatementEntry[],
  { named, paying: matches }: Decided,
): Promise<{ readonly matches: readonly Match[]; readonly invoices: Invoices }> {
  const byId = new Map(named.map((invoice) => [invoice.id, invoice]))
  const unmatched = credits.filter(
    ({ debtorIban }, index) => debtorIban !== null && matches[index]?.state !== 'matched',
  )
  if (unmatched.length === 0) return { matches, invoices: byId }
  const ibans = new Set(unmatched.map(({ debtorIban }) => debtorIban ?? ''))
  const payers = await findPayers(tx, [...ibans])
  const paidNow = credits.flatMap(({ debtorIban }, index) => {
    const match = matches[index]
    if (match?.state !== 'matched' || !ibans.has(debtorIban ?? '')) return []
    return match.bookings.flatMap(({ invoiceId }) => byId.get(invoiceId)?.customerUuid ?? [])
  })
  const customers = new Set([...[...payers.values()].flatMap((uuids) => [...uuids]), ...paidNow])
  if (customers.size === 0) return { matches, invoices: byId }
  const sameDue = await ctx.invoices.findOpenInvoicesOf(tx, {
    customerUuids: [...customers],
    dues: unmatched.map(({ amount }) => amount),
    without: [...byId.keys()],
    limit: MAX_SUGGESTED,
  })
  const counted = await findCountedTransfers(
    tx,
    named.filter(({ isOpen }) => !isOpen).map(({ id }) => id),
    [...ibans],
  )
  const others = sameDue.map((invoice) => ({ ...invoice, isOpen: true }))
  return {
    matches: decideMatches(credits, { invoices: [...named, ...others], payers, counted }),
    invoices: new Map([...byId, ...others.map((invoice) => [invoice.id, invoice] as const)]),
  }
}

function toEntry(
  tx: Tx,
  statementId: string,
  entry: StatementEntry,
  match: Match | undefined,
  { invoices, closed }: { readonly invoices: Invoices; readonly closed: string | null },
): BankEntry {
  const { kind: _, returnedTo: __, ...credit } = entry
  const countedOn = firstOpenDay(entry.bookingDate, closed)
  const suggested = match?.state === 'suggested' ? match.invoiceIds : []
  return {
    ...credit,
    id: newId('bke'),
    state: match?.state ?? 'unmatched',
    statementId,
    suggestions: suggested.map((id) => ({ id, number: invoices.get(id)?.number ?? '' })),
    countedOn: match?.state === 'matched' && countedOn !== entry.bookingDate ? countedOn : null,
    returnedOn: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}

interface Transfer extends Omit<EntryMatch, 'transactionId'> {
  readonly valueDate: string
  readonly reference: string | null
}

function transfersOf(entry: BankEntry, match: Match | undefined, invoices: Invoices): Transfer[] {
  if (match?.state !== 'matched') return []
  return match.bookings.map(({ invoiceId, amount }) => {
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined) throw new Error(`invoice ${invoiceId} was not read`)
    const { number, orderId, customerUuid } = invoice
    return {
      entryId: entry.id,
      invoice: { id: invoiceId, number },
      orderId,
      customerUuid,
      amount,
      valueDate: entry.countedOn ?? entry.bookingDate,
      reference: entry.bankReference,
    }
  })
}

async function bookTransfers(
  tx: Tx,
  orders: OrdersForTransfers | undefined,
  transfers: readonly Transfer[],
): Promise<{ readonly booked: readonly EntryMatch[]; readonly writeOffs: readonly WriteOff[] }> {
  if (transfers.length === 0) return { booked: [], writeOffs: [] }
  const { writeOffUpTo } = await settings(tx)
  const arrived = transfers.map((transfer) => ({
    ...transfer,
    ...TRANSFER,
    writeOffUpTo: writeOffUpTo.get(transfer.amount.currency),
  }))
  const records = (await orders?.book(arrived)) ?? []
  const booked = transfers.map((one, index): EntryMatch => {
    const { reference: _, valueDate: __, ...transfer } = one
    const transactionId = records[index]?.transactionId
    if (transactionId === undefined) throw new Error(`entry ${transfer.entryId} was not booked`)
    return { ...transfer, transactionId }
  })
  return { booked, writeOffs: writeOffsOf(booked, records) }
}
