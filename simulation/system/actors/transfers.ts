import { Money } from '#kernel/money'
import type { PlanModel, TransferModel } from '../model/plan-model.ts'
import { zoned } from '../model/trial-model.ts'
import { shareOf } from '../plan/draw-orders.ts'
import type { PlanAct } from '../plan/draw-plans.ts'
import type { Business } from './business.ts'
import { documents, minorOf } from './invoices.ts'
import { BILLING } from './offers.ts'

const ENTRIES = `${BILLING}/bank_entries`

interface ApiEntry {
  readonly id: string
  readonly state: string
  readonly returned_on: string | null
  readonly invoices: readonly { readonly id: string; readonly amount: number }[]
}

type Transfer = PlanAct & { do: 'transfer' }
type Undo = PlanAct & { do: 'undo' }

/** Pays the newest open invoice of a plan, unless a transfer whose match was undone pays its invoice again. */
export async function transferToPlan(
  business: Business,
  plan: PlanModel,
  { percent, format }: Transfer,
  key: string,
): Promise<void> {
  if (plan.life.invoicing?.isSent !== true) return
  const open = await documents(business, `plan_id = "${plan.id}" AND state = "open" AND type = "invoice"`)
  const undone = plan.transfers.find(({ isMatched, isReturned, invoiceId, amountMinor }) => {
    const invoice = open.find(({ id }) => id === invoiceId)
    const isDue = invoice !== undefined && minorOf(invoice.amount_due) >= amountMinor
    return !isMatched && !isReturned && isDue
  })
  if (undone !== undefined) return match(business, undone, `${key}-match`)
  const [invoice] = open
  if (invoice === undefined) return
  const dueMinor = minorOf(invoice.amount_due)
  if (dueMinor === 0n) return
  const transfer: BankBooking = {
    reference: key,
    bookedOn: zoned(await business.merchant.now()).toPlainDate(),
    amountMinor: shareOf(dueMinor, percent),
    remittance: `Invoice ${invoice.number}`,
  }
  const content = format === 'csv' ? csvOf(transfer) : camt053Of([{ ...transfer, direction: 'CRDT' }])
  await importStatement(business, { format, content }, key)
  const [entry] = await entries(business, `bank_reference = "${key}"`)
  if (entry === undefined) {
    business.findings.push(`${key}: the transfer is missing`)
    return
  }
  const model: TransferModel = {
    ...transfer,
    entryId: entry.id,
    order: invoice.order_number,
    invoiceId: invoice.id,
    isMatched: false,
    isReturned: false,
    wasUndone: false,
  }
  plan.transfers.push(model)
  // The number is too short to name the invoice.
  if (entry.state !== 'matched') return match(business, model, `${key}-match`)
  expectPaid(business, model, entry)
}

async function match(business: Business, transfer: TransferModel, key: string): Promise<void> {
  const invoices = [{ id: transfer.invoiceId, amount: Money.ofMinor('HKD', transfer.amountMinor) }]
  const path = `${ENTRIES}/${transfer.entryId}/match`
  const { bank_entry: entry } = await business.merchant.ok(
    'POST',
    path,
    { invoices },
    { idempotencyKey: key },
  )
  expectPaid(business, transfer, entry as ApiEntry)
}

function expectPaid({ findings }: Business, transfer: TransferModel, { invoices }: ApiEntry): void {
  transfer.isMatched = true
  const paid = invoices.map(({ id, amount }) => `${id} ${minorOf(amount)}`).join(', ')
  const expected = `${transfer.invoiceId} ${transfer.amountMinor}`
  if (paid !== expected) findings.push(`${transfer.reference} paid ${paid}, expected ${expected}`)
}

/**
 * Undoes the last match of a plan, or returns the transfer. A match whose invoice was credited beyond what was due
 * stays.
 */
export async function undoTransfer(
  business: Business,
  { transfers }: PlanModel,
  { by }: Undo,
  key: string,
): Promise<void> {
  const { merchant, findings } = business
  const transfer = transfers.findLast(({ isMatched, isReturned }) => isMatched && !isReturned)
  if (transfer === undefined) return
  const { reference, entryId } = transfer
  if (by === 'hand') {
    const reply = await merchant.call('POST', `${ENTRIES}/${entryId}/unmatch`, {}, { idempotencyKey: key })
    if (reply.status === 200) markUndone(transfer)
    else if (reply.data?.error?.reason !== 'match_invalid' || !(await isCredited(business, transfer)))
      findings.push(`${key}: ${reference} stays matched: ${reply.status} ${JSON.stringify(reply.data)}`)
    return
  }
  // The statement overlaps that of the transfer, and gives one of CSV its end-to-end id.
  const content = camt053Of([
    { ...transfer, direction: 'CRDT' },
    { ...transfer, bookedOn: zoned(await merchant.now()).toPlainDate(), direction: 'DBIT' },
  ])
  await importStatement(business, { format: 'camt053', content }, key)
  const { bank_entry: entry } = (await merchant.ok('GET', `${ENTRIES}/${entryId}`)) as {
    bank_entry: ApiEntry
  }
  if (entry.returned_on === null) findings.push(`${key}: ${reference} is not returned`)
  transfer.isReturned = true
  if (entry.state !== 'matched') markUndone(transfer)
  else if (!(await isCredited(business, transfer))) findings.push(`${key}: ${reference} stays matched`)
}

function markUndone(transfer: TransferModel): void {
  transfer.isMatched = false
  transfer.wasUndone = true
}

async function isCredited({ merchant }: Business, { invoiceId }: TransferModel): Promise<boolean> {
  const { invoice } = await merchant.ok('GET', `${BILLING}/invoices/${invoiceId}`)
  return minorOf(invoice.credited_total as number) > 0n
}

async function importStatement(
  { merchant }: Business,
  statement: { readonly format: string; readonly content: string },
  key: string,
): Promise<void> {
  const options = { idempotencyKey: `${key}-statement` }
  await merchant.ok('POST', `${BILLING}/bank_statements`, { bank_statement: statement }, options)
}

async function entries({ merchant }: Business, filter: string): Promise<ApiEntry[]> {
  const query = new URLSearchParams({ filter })
  return (await merchant.ok('GET', `${ENTRIES}?${query.toString()}`)).bank_entries as ApiEntry[]
}

type BankBooking = Pick<TransferModel, 'reference' | 'bookedOn' | 'amountMinor' | 'remittance'>

function csvOf({ reference, bookedOn, amountMinor, remittance }: BankBooking): string {
  const amount = Money.ofMinor('HKD', amountMinor).toString()
  const header = 'booking_date,amount,currency,bank_reference,remittance'
  return `${header}\n${bookedOn.toString()},${amount},HKD,${reference},${remittance}\n`
}

interface CamtEntry extends BankBooking {
  readonly direction: 'CRDT' | 'DBIT'
}

/** A debit is the return of the transfer with its end-to-end id. */
function camt053Of(booked: readonly CamtEntry[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>Account</Id></Othr></Id></Acct>
${booked.map(entryXml).join('\n')}</Stmt></BkToCstmrStmt></Document>`
}

function entryXml({ reference, bookedOn, amountMinor, remittance, direction }: CamtEntry): string {
  const amount = `<Amt Ccy="HKD">${Money.ofMinor('HKD', amountMinor).toString()}</Amt>`
  const isReturn = direction === 'DBIT'
  return `<Ntry>${amount}<CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${bookedOn.toString()}</Dt></BookgDt><AcctSvcrRef>${reference}${isReturn ? '-R' : ''}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount}
<RmtInf><Ustrd>${remittance}</Ustrd></RmtInf>${isReturn ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' : ''}
</TxDtls></NtryDtls></Ntry>`
}
