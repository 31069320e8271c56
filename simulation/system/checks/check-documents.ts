import { Money, sumMoney } from '#kernel/money'
import { expectedTotals, type InvoiceModel } from '../model/invoice-model.ts'
import type { PlanModel } from '../model/plan-model.ts'
import { SERIES } from '../plan/draw-invoices.ts'
import type { Accounts, ApiDocument } from './accounts.ts'
import type { ApiOrder } from '../../acquirers/api-order.ts'
import { type Findings, moneyOf } from './check-accounts.ts'

type Documents = Pick<Accounts, 'orders' | 'documents'>

/** Every order of a seller has its invoice, every invoice its notes, and every series its numbers. */
export function checkDocuments(
  accounts: Documents,
  plans: readonly PlanModel[],
  invoices: readonly InvoiceModel[],
): Findings {
  const { orders, documents } = accounts
  const orderOf = new Map(orders.map((order) => [order.number, order]))
  const notesOf = Map.groupBy(
    documents.filter(({ type }) => type === 'credit_note'),
    (note) => note.invoice_id,
  )
  return [
    ...checkNumbers(documents),
    ...documents.flatMap(checkSums),
    ...documents
      .filter(({ type }) => type === 'invoice')
      .flatMap((invoice) => [
        ...checkNotes(invoice, notesOf.get(invoice.id) ?? []),
        ...checkDue(invoice, orderOf.get(invoice.order_number)),
      ]),
    ...checkPlanDocuments(accounts, plans),
    ...invoices.flatMap((model) => checkOneOff(model, documents, orderOf.get(model.orderNumber))),
  ]
}

/** Checks the numbers from the first on, in the order of issue. */
function checkNumbers(documents: readonly ApiDocument[]): Findings {
  const bySeries = Map.groupBy(documents, seriesOf)
  return [...bySeries].flatMap(([name, ofSeries]) => {
    const first = name.startsWith('O') ? SERIES[1].first_number : 1
    const inOrder = ofSeries.toSorted((a, b) => sequenceOf(a) - sequenceOf(b))
    return inOrder.flatMap((document, index) => {
      const before = inOrder[index - 1]
      const isLate =
        before !== undefined && Temporal.Instant.compare(before.created_at, document.created_at) > 0
      return sequenceOf(document) !== first + index
        ? [`number ${first + index} of ${name} is ${document.number}`]
        : isLate
          ? [`${document.number} was issued before ${before.number}`]
          : []
    })
  })
}

/** Returns the beginning of the document's number. */
export function seriesOf({ number }: ApiDocument): string {
  return number.slice(0, number.lastIndexOf('-'))
}

export function sequenceOf({ number }: ApiDocument): number {
  return Number(number.slice(number.lastIndexOf('-') + 1))
}

function checkSums({ number, currency, lines, taxes, ...document }: ApiDocument): Findings {
  const sums = [
    ['net_total', lines.map(({ net }) => net), document.net_total],
    ['tax_total', lines.map(({ tax }) => tax), document.tax_total],
    ['the sum of taxes', taxes.map(({ amount }) => amount), document.tax_total],
    ['total', [document.net_total, document.tax_total], document.total],
  ] as const
  return sums.flatMap(([name, amounts, shown]) => {
    const sum = sumOf(currency, amounts)
    return sum.equals(moneyOf(currency, shown))
      ? []
      : [`${number}: ${name} is ${shown}, expected ${sum.toString()}`]
  })
}

/** No line is credited beyond its total, and all notes of an invoice that is credited are the invoice. */
function checkNotes(invoice: ApiDocument, notes: readonly ApiDocument[]): Findings {
  const { number, state, currency } = invoice
  const moneyOfNote = (amount: number) => moneyOf(currency, amount)
  const credited = sumOf(
    currency,
    notes.map(({ total }) => total),
  )
  const findings: Findings = []
  if (!credited.equals(moneyOfNote(invoice.credited_total)))
    findings.push(`${number}: credited_total is ${invoice.credited_total}, notes ${credited.toString()}`)
  const isWhole = credited.equals(moneyOfNote(invoice.total)) && credited.isPositive()
  if (isWhole !== (state === 'credited'))
    findings.push(`${number} is ${state} with ${credited.toString()} credited`)
  const noteLines = notes.flatMap(({ lines }) => lines)
  for (const line of invoice.lines) {
    const ofLine = noteLines.filter(({ line_id: lineId }) => lineId === line.id)
    const left = ['total', 'tax'].map((part) =>
      moneyOfNote(line[part as 'total' | 'tax']).minus(
        sumOf(
          currency,
          ofLine.map((credit) => credit[part as 'total' | 'tax']),
        ),
      ),
    )
    const isOver = left.some((rest) => !rest.isZero() && rest.isNegative() !== line.total < 0)
    if (isOver || (isWhole && left.some((rest) => !rest.isZero())))
      findings.push(`${number}: of line ${line.id} is left ${left.join(', tax ')}`)
  }
  return findings
}

function checkDue({ number, id, state, ...invoice }: ApiDocument, order: ApiOrder | undefined): Findings {
  if (order === undefined) return [`${number} is of no order`]
  const findings: Findings = []
  const money = (amount: number | undefined) => moneyOf(invoice.currency, amount ?? 0)
  const isNewest = invoice.replaced_by === undefined
  if (isNewest !== (order.billing?.invoice_id === id)) findings.push(`${number} is not named by its order`)
  const isOpen = state === 'open'
  if (isOpen !== (order.state === 'open') && state !== 'credited')
    findings.push(`${number} is ${state}, its order ${order.state}`)
  const due = isOpen
    ? money(order.initial_total)
        .minus(money(order.billing?.credited_total))
        .minus(money(order.billing?.written_off))
        .minus(money(Number(order.paid_total)))
        .plus(money(order.billing?.moved_to_credit))
    : money(0)
  if (!due.equals(money(invoice.amount_due)))
    findings.push(`${number} has ${invoice.amount_due} due, expected ${due.toString()}`)
  return findings
}

/** An order that bills something has one document, if the plan has a seller. */
function checkPlanDocuments({ orders, documents }: Documents, models: readonly PlanModel[]): Findings {
  const ofOrder = Map.groupBy(documents, ({ order_number: number }) => number)
  const ofPlan = Map.groupBy(orders, ({ reference_number: reference }) => reference.replace(/-\d+$/, ''))
  return models.flatMap(({ life: { name, invoicing }, entries }) =>
    (ofPlan.get(name) ?? []).flatMap((order) => {
      const issued = (ofOrder.get(order.number) ?? []).filter((document) => document.invoice_id === undefined)
      const isBilled = (order.line_items ?? []).some(({ total }) => total !== 0)
      const isMade = entries.some((entry) => entry.do === 'change' && entry.order === order.number)
      // A change that was to be paid first, and was not, takes no number.
      const isDropped = order.billing?.kind === 'change' && order.state === 'voided' && !isMade
      const expected = invoicing !== undefined && isBilled && !isDropped ? 1 : 0
      return issued.length === expected ? [] : [`${order.number} of ${name} has ${issued.length} invoices`]
    }),
  )
}

function checkOneOff(
  { life, id, notes, isVoided }: InvoiceModel,
  documents: readonly ApiDocument[],
  order: ApiOrder | undefined,
): Findings {
  const invoice = documents.find((document) => document.id === id)
  if (invoice === undefined || order === undefined) return [`invoice ${life.name} was issued and is missing`]
  const { net, tax } = expectedTotals(life)
  const findings: Findings = []
  const expect = (name: string, shown: number, minor: bigint): void => {
    const wanted = Money.ofMinor('HKD', minor)
    if (!moneyOf('HKD', shown).equals(wanted))
      findings.push(`invoice ${life.name}: ${name} is ${shown}, expected ${wanted.toString()}`)
  }
  expect('net_total', invoice.net_total, net)
  expect('tax_total', invoice.tax_total, tax)
  const asked = notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0n)
  const refunded = order.transactions
    .filter(({ type, success }) => type === 'Refund' && success)
    .reduce((sum, { amount }) => sum + moneyOf('HKD', amount).abs().minor, 0n)
  const refunds = life.steps.some((step) => step.do === 'refund')
  const isSure = isVoided || order.state !== 'voided'
  if (isSure)
    expect('credited_total', invoice.credited_total, isVoided ? net + tax : refunds ? refunded : asked)
  const attempts = order.transactions.filter(({ type }) => type === 'Sales').length
  if (attempts > (life.isSent ? 0 : 1)) findings.push(`invoice ${life.name} was charged ${attempts} times`)
  for (const note of notes)
    if (!documents.some((document) => document.id === note.id && document.invoice_id === id))
      findings.push(`invoice ${life.name} lacks the note ${note.id}`)
  return findings
}

function sumOf(currency: string, amounts: readonly number[]): Money {
  return sumMoney(
    currency,
    amounts.map((amount) => moneyOf(currency, amount)),
  )
}
