import { type Money, readMoney, sumMoney } from '#kernel/money'
import type { PayableInvoice } from '#modules/invoices'
import { paymentErrors } from '#modules/payments'
import { firstOpenDay, lockedUntil, settings } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { type BankTransfersContext, entryEvent } from '../context.ts'
import { errors } from '../errors.ts'
import type { BankEntry, BankEntryView, EntryState } from '../model/bank-entry.ts'
import type { MatchRequest } from '../model/by-hand-requests.ts'
import { withItsReturn } from '../returns/ambiguous-returns.ts'
import { undoMatchesOf } from '../returns/undo-matches.ts'
import { TRANSFER, writeOffsOf } from '../matching/booked-transfers.ts'
import { findEntry, lockEntries, updateEntries } from '../storage/entry.repository.ts'
import { insertMatches } from '../storage/match.repository.ts'
import { insertWriteOffs } from '../storage/write-off.repository.ts'

const BY_HAND = { note: 'Unmatched by hand', returnedOn: null }

interface Share {
  readonly invoice: PayableInvoice
  readonly amount: Money
  readonly param: string
}

export function matchEntry(
  ctx: BankTransfersContext,
  caller: Caller,
  id: string,
  { invoices: asked }: MatchRequest,
): Promise<BankEntryView> {
  return changeEntry(ctx, caller, id, async (tx, entry) => {
    if (entry.state === 'matched') throw invalid('bank_entry', 'is matched already; unmatch it first')
    if (entry.returnedOn !== null)
      throw invalid('bank_entry', `was returned by the bank on ${entry.returnedOn}`)
    const valueDate = firstOpenDay(entry.bookingDate, await lockedUntil(tx))
    const shares = await readShares(ctx, tx, entry, asked)
    const orders = await ctx.payments.lockOrdersForTransfers(
      tx,
      shares.map(({ invoice }) => invoice.orderId),
    )
    for (const { invoice, param } of shares) {
      const due = invoice.state === 'open' ? orders.dueOf(invoice.orderId) : undefined
      if (due === undefined)
        throw invalid(param, `names invoice ${invoice.number}, which is not open and takes no payment`)
      if (due.currency !== entry.amount.currency)
        throw invalid(
          param,
          `names an invoice in ${due.currency}, but the bank entry is in ${entry.amount.currency}`,
        )
    }
    const writeOffUpTo = (await settings(tx)).writeOffUpTo.get(entry.amount.currency)
    const booked = await orders.book(
      shares.map(({ invoice, amount }) => ({
        orderId: invoice.orderId,
        amount,
        valueDate,
        reference: entry.bankReference,
        writeOffUpTo,
        ...TRANSFER,
      })),
    )
    const matches = shares.map(({ invoice, amount }, index) => ({
      entryId: id,
      invoice: { id: invoice.id, number: invoice.number },
      orderId: invoice.orderId,
      customerUuid: invoice.customerUuid,
      amount,
      transactionId: booked[index]?.transactionId ?? '',
    }))
    await insertMatches(tx, matches, tx.now)
    await insertWriteOffs(tx, writeOffsOf(matches, booked))
    const countedOn = valueDate === entry.bookingDate ? null : valueDate
    const view = { entry: { ...withState(tx, entry, 'matched'), countedOn }, matches }
    await ctx.events.append(tx, [entryEvent(ctx, 'bank_entry.matched', view)])
    return view
  })
}

export function unmatchEntry(ctx: BankTransfersContext, caller: Caller, id: string): Promise<BankEntryView> {
  return changeEntry(ctx, caller, id, async (tx, entry) => {
    if (entry.state === 'ignored') return { entry: withState(tx, entry, 'unmatched'), matches: [] }
    if (entry.state !== 'matched') throw invalid('bank_entry', 'is not matched')
    const { undone, inUse } = await undoMatchesOf(ctx, tx, [entry], () => BY_HAND)
    const [unmatched] = undone
    if (inUse.length > 0) throw paymentErrors.payment_in_use()
    if (unmatched === undefined)
      throw invalid(
        'bank_entry',
        'paid an invoice that has been credited since, so its match cannot be undone',
      )
    return { entry: unmatched, matches: [] }
  })
}

export function ignoreEntry(ctx: BankTransfersContext, caller: Caller, id: string): Promise<BankEntryView> {
  return changeEntry(ctx, caller, id, async (tx, entry) => {
    if (entry.state === 'matched') throw invalid('bank_entry', 'is matched; unmatch it first')
    return { entry: await withItsReturn(tx, withState(tx, entry, 'ignored')), matches: [] }
  })
}

function changeEntry(
  ctx: BankTransfersContext,
  caller: Caller,
  id: string,
  change: (tx: Tx, entry: BankEntry) => Promise<BankEntryView>,
): Promise<BankEntryView> {
  return once(ctx.db, caller, async (tx) => {
    await lockEntries(tx)
    const entry = await findEntry(tx, id)
    if (entry === undefined) throw errors.bank_entry_not_found()
    const view = await change(tx, entry)
    await updateEntries(tx, [view.entry])
    return view
  })
}

async function readShares(
  ctx: BankTransfersContext,
  tx: Tx,
  { amount: whole }: BankEntry,
  asked: MatchRequest['invoices'],
): Promise<Share[]> {
  const found = await ctx.invoices.findPayableInvoices(
    tx,
    asked.map(({ id }) => id),
  )
  const byId = new Map(found.map((invoice) => [invoice.id, invoice]))
  const shares: Share[] = []
  for (const [index, { id, amount: given }] of asked.entries()) {
    const param = `invoices[${index}]`
    const invoice = byId.get(id) ?? (await ctx.invoices.requirePayable(tx, id, `${param}.id`))
    const amount = readMoney(whole.currency, given, `${param}.amount`, invalid)
    if (!amount.isPositive()) throw invalid(`${param}.amount`, 'must be more than zero')
    shares.push({ invoice, amount, param: `${param}.id` })
  }
  if (byId.size < shares.length) throw invalid('invoices', 'must name each invoice once')
  const sum = sumMoney(
    whole.currency,
    shares.map(({ amount }) => amount),
  )
  if (!sum.equals(whole))
    throw invalid('invoices', `must sum to the amount of the bank entry, ${whole.toString()}`)
  return shares
}

function withState(tx: Tx, entry: BankEntry, state: EntryState): BankEntry {
  return { ...entry, state, suggestions: [], countedOn: null, updatedAt: tx.now }
}

function invalid(param: string, rule: string): Error {
  return errors.match_invalid({ param, message: `${param} ${rule}.` })
}
