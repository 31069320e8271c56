import { Money } from '#kernel/money'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { ApiDocument } from '../checks/accounts.ts'
import type { InvoiceModel, IssuedNote } from '../model/invoice-model.ts'
import type { InvoiceLife, InvoiceStep, NoteStep } from '../plan/draw-invoices.ts'
import { shareOf } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'
import { BILLING } from './offers.ts'
import { termsOf } from './plans.ts'

const INVOICES = `${BILLING}/invoices`
/** Waiting longer may be in vain, since the next inquiry may need a move of the clock. */
const PATIENCE_MS = 10_000

export async function liveInvoice(business: Business, life: InvoiceLife): Promise<void> {
  const { customerUuid } = business.payer(life.card, life.linesMinor[0] ?? 0)
  const body = {
    invoice: {
      customer_uuid: customerUuid,
      currency: 'HKD',
      lines: life.linesMinor.map((minor, index) => ({
        label: `Part ${index + 1}`,
        quantity: 1,
        unit_amount: Money.ofMinor('HKD', BigInt(minor)),
      })),
      reference_id: life.name,
      ...termsOf(life, business.offers.entityId),
    },
  }
  const options = { idempotencyKey: `${life.name}-create` }
  const { invoice } = await business.merchant.ok('POST', INVOICES, body, options)
  const model: InvoiceModel = {
    life,
    id: invoice.id as string,
    orderNumber: invoice.order_number as string,
    notes: [],
    isVoided: false,
  }
  business.invoices.push(model)
  if (life.isRepeated) await repeat(business, life, body)
  for (const [index, step] of life.steps.entries()) await take(business, model, step, `${life.name}s${index}`)
}

async function repeat({ merchant, findings }: Business, { name }: InvoiceLife, body: object): Promise<void> {
  const { status, data } = await merchant.call('POST', INVOICES, body, { idempotencyKey: `${name}-again` })
  if (status !== 409 || data?.error?.reason !== 'reference_id_taken')
    findings.push(`${name} was asked for again and got ${status} ${JSON.stringify(data)}`)
}

async function take(business: Business, model: InvoiceModel, step: InvoiceStep, key: string): Promise<void> {
  switch (step.do) {
    case 'note': {
      const note = await issueNote(business, model.id, step, key)
      if (note !== undefined) model.notes.push(note)
      return
    }
    case 'refund':
      return refund(business, model, step.percent, key)
    case 'void': {
      const body = { order: { number: model.orderNumber } }
      const reply = await move(business, `${PAYMENTS}/orders/void`, body, key)
      if (reply.data?.order?.state === 'voided') model.isVoided = true
    }
  }
}

async function refund(
  business: Business,
  { orderNumber }: InvoiceModel,
  percent: number,
  key: string,
): Promise<void> {
  const { transactions } = await business.order(orderNumber)
  const payments = transactions as { type: string; uuid: string; amount: number; success: boolean }[]
  const payment = payments.find(({ type, success }) => type === 'Sales' && success)
  if (payment === undefined) return
  const { minor } = Money.ofDecimal('HKD', String(payment.amount))
  const amount = Money.ofMinor('HKD', shareOf(minor, percent))
  const body = { transaction: { uuid: payment.uuid }, amount, reference_id: key }
  await move(business, `${PAYMENTS}/transactions/refund`, body, key)
}

const POSSIBLE_STATUSES: ReadonlySet<number> = new Set([200, 402, 409, 422, 502, 504])

/** Moves money by a follow-up, which may be refused because of what else is done to the order. */
export async function move({ merchant, findings }: Business, path: string, body: object, key: string) {
  const options = { idempotencyKey: key, patienceMs: PATIENCE_MS, takesInProgress: true }
  const reply = await merchant.call('POST', path, body, options)
  if (!POSSIBLE_STATUSES.has(reply.status))
    findings.push(`${key}: ${path} got ${reply.status} ${JSON.stringify(reply.data)}`)
  return reply
}

export async function documents({ merchant }: Business, filter: string): Promise<ApiDocument[]> {
  const query = new URLSearchParams({ filter, limit: '100' })
  return (await merchant.ok('GET', `${INVOICES}?${query.toString()}`)).invoices as ApiDocument[]
}

/**
 * Payments are under way or cannot return the amount, or the rest of them or of the invoice was returned in another
 * way.
 */
const NOTE_REFUSALS: ReadonlySet<string> = new Set([
  'payment_in_progress',
  'refund_not_possible',
  'refund_by_hand',
  'nothing_left_to_credit',
  'amount_too_large',
])

export async function issueNote(
  business: Business,
  id: string,
  step: NoteStep,
  key: string,
): Promise<IssuedNote | undefined> {
  const { merchant, findings } = business
  const { invoice } = (await merchant.ok('GET', `${INVOICES}/${id}`)) as { invoice: ApiDocument }
  const left = minorOf(invoice.total) - minorOf(invoice.credited_total)
  if (left <= 0n) return undefined
  const asked = await amountsOf(business, invoice, step, left)
  const body = { credit_note: { reason: 'Goodwill', refund: step.refund, reference_id: key, ...asked.body } }
  const reply = await merchant.call('POST', `${INVOICES}/${id}/credit_notes`, body, {
    idempotencyKey: key,
    takesInProgress: true,
  })
  if (reply.status !== 200) {
    const reason = String(reply.data?.error?.reason)
    // Nothing would use the credit of a plan that has ended.
    const isExpected = NOTE_REFUSALS.has(reason) || (reason === 'plan_ended' && step.refund === 'credit')
    if (!isExpected)
      findings.push(`${key}, a note of ${id}, was refused: ${reply.status} ${JSON.stringify(reply.data)}`)
    return undefined
  }
  const note = reply.data.credit_note as ApiDocument
  const totalMinor = minorOf(note.total)
  if (asked.minor !== undefined && totalMinor !== asked.minor)
    findings.push(`${key}: the note ${note.number} has ${totalMinor}, expected ${asked.minor}`)
  const charging = new Set(invoice.lines.flatMap(({ id: line, total }) => (total > 0 ? [line] : [])))
  const ofLines = note.lines.filter(({ line_id: line }) => charging.has(line ?? ''))
  const lineMinor = ofLines.reduce((sum, { total }) => sum + minorOf(total), 0n)
  return { id: note.id, totalMinor, lineMinor, at: Temporal.Instant.from(note.created_at) }
}

async function amountsOf(
  business: Business,
  invoice: ApiDocument,
  { of, percent }: NoteStep,
  left: bigint,
): Promise<{ readonly body: object; readonly minor?: bigint }> {
  if (of === 'rest') return { body: {} }
  if (of === 'amount') {
    const minor = shareOf(left, percent)
    return { body: { amount: Money.ofMinor('HKD', minor) }, minor }
  }
  const credited = (await documents(business, `invoice_id = "${invoice.id}"`)).flatMap(({ lines }) => lines)
  const lines = invoice.lines.flatMap((line) => {
    const ofLine = credited.filter(({ line_id: lineId }) => lineId === line.id)
    const rest = ofLine.reduce((sum, { total }) => sum - minorOf(total), minorOf(line.total))
    return rest > 0n ? [{ lineId: line.id, minor: shareOf(rest, percent) }] : []
  })
  const minor = lines.reduce((sum, line) => sum + line.minor, 0n)
  if (minor === 0n || minor > left) return { body: {} }
  const members = lines.map((line) => ({ line_id: line.lineId, amount: Money.ofMinor('HKD', line.minor) }))
  return { body: { lines: members }, minor }
}

export function minorOf(amount: number): bigint {
  return Money.ofDecimal('HKD', String(amount)).minor
}
