import { Money } from '#kernel/money'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { DeskModel } from '../model/desk-model.ts'
import { zoned } from '../model/trial-model.ts'
import type { DeskLife, DeskStep } from '../plan/draw-desk.ts'
import { shareOf } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'
import { BILLING } from './offers.ts'

const INVOICES = `${BILLING}/invoices`
const DAYS_TO_PAY = 3_650
/** The clock may move on while the rate of the day is stored. */
const MAX_TRIES = 8
/** Of a currency in that of the seller. */
const RATE = 7.8
/** Such a plan bills nothing while the simulation runs. */
const YEARS_UNTIL_PLAN = 20

export async function liveDesk(business: Business, life: DeskLife): Promise<void> {
  const { uuid: customerUuid } = await business.merchant.createCustomer()
  const issued = await withRate(business, life, (tries) =>
    issue(business, life, customerUuid, `${life.name}-${tries}`),
  )
  if (issued.status !== 200)
    throw new Error(`invoice ${life.name} was refused: ${issued.status} ${JSON.stringify(issued.data)}`)
  const { invoice } = issued.data
  const model = new DeskModel(life, {
    customerUuid,
    invoiceId: invoice.id as string,
    orderNumber: invoice.order_number as string,
  })
  business.desk.push(model)
  for (const [index, step] of life.steps.entries()) {
    if (model.isClosed && step.do !== 'pay' && step.do !== 'write_off') continue
    await new Act(business, model, `${life.name}s${index}`).take(step)
  }
}

async function issue({ merchant, offers }: Business, life: DeskLife, customerUuid: string, key: string) {
  const invoice = {
    customer_uuid: customerUuid,
    currency: life.currency,
    lines: life.linesMinor.map((minor, index) => ({
      label: `Part ${index + 1}`,
      quantity: 1,
      unit_amount: Money.ofMinor(life.currency, BigInt(minor)),
    })),
    legal_entity_id: offers.entityId,
    series: life.series,
    tax: 'automatic',
    collection: 'send_invoice',
    days_until_due: DAYS_TO_PAY,
    ...(life.isDraftFirst && { draft: true }),
  }
  const made = await merchant.call('POST', INVOICES, { invoice }, { idempotencyKey: `${key}-create` })
  if (made.status !== 200 || !life.isDraftFirst) return made
  const path = `${INVOICES}/${made.data.invoice.id}/issue`
  return merchant.call('POST', path, undefined, { idempotencyKey: `${key}-issue` })
}

type Reply = Awaited<ReturnType<Business['merchant']['call']>>

/** Stores the rate of the day and asks again, with another key, as long as the answer is that there is none. */
async function withRate(business: Business, life: DeskLife, ask: (tries: number) => Promise<Reply>) {
  for (let tries = 0; ; tries++) {
    const reply = await ask(tries)
    if (reply.data?.error?.reason !== 'exchange_rate_missing' || tries === MAX_TRIES) return reply
    const date = zoned(await business.merchant.now())
      .toPlainDate()
      .toString()
    const rate = { date, base: life.currency, quote: 'HKD', rate: RATE }
    await business.merchant.ok('PUT', `${BILLING}/exchange_rates`, { exchange_rates: [rate] })
  }
}

/** Sends an act and compares the reply with what the model expects of it. */
class Act {
  readonly #business: Business
  readonly #model: DeskModel
  readonly #key: string
  #what = ''

  constructor(business: Business, model: DeskModel, key: string) {
    this.#business = business
    this.#model = model
    this.#key = key
  }

  async take(step: DeskStep): Promise<void> {
    this.#what = step.do
    switch (step.do) {
      case 'pay':
        return this.#pay(step)
      case 'undo':
        return this.#undo(step.of)
      case 'repay':
        return this.#repay()
      case 'move':
        return this.#move()
      case 'write_off':
        return this.#writeOff(step.percent)
      case 'note':
        return this.#note(step.percent)
      case 'reissue':
        return this.#reissue(step.isExempt)
    }
  }

  async #pay({ percent, method, hasFee }: DeskStep & { do: 'pay' }): Promise<void> {
    const model = this.#model
    const minor = percent === undefined ? model.dueMinor : model.shareOf(percent)
    const fee = hasFee && minor > 1n ? 1n : 0n
    const payment = {
      method,
      ...(percent !== undefined && { amount: this.#money(minor - fee) }),
      ...(fee > 0n && { fee: this.#money(fee) }),
    }
    const path = `${INVOICES}/${model.invoiceId}/payments`
    const data = await this.#send(path, { payment }, model.refusePayment(percent))
    if (data === undefined) return
    model.pay(data.transaction.uuid as string, minor)
    this.#expect('the payment', data.transaction.amount, minor)
  }

  async #undo(of: 'payment' | 'repayment'): Promise<void> {
    const model = this.#model
    const payment = model.payments.at(-1)
    const repayment = model.repayments.at(-1)
    const undone = of === 'payment' ? payment : repayment
    if (undone === undefined) return
    const refused = of === 'payment' && payment !== undefined ? model.refuseUndo(payment) : undefined
    const data = await this.#send(`${BILLING}/transactions/${undone.uuid}/undo`, undefined, refused)
    if (data === undefined) return
    if (of === 'payment' && payment !== undefined) model.undo(payment)
    else if (repayment !== undefined) model.undoRepayment(repayment)
  }

  async #repay(): Promise<void> {
    const model = this.#model
    const path = `${BILLING}/orders/${model.orderNumber}/repayments`
    const wanted = model.overpaidMinor
    const data = await this.#send(path, { repayment: {} }, model.refuseGivingBack())
    if (data === undefined) return
    const refunds = (data.transactions as ApiRefund[]).map((refund) => ({
      uuid: refund.uuid,
      minor: -this.#minor(refund.amount),
      of: refund.original_transaction_uuid,
    }))
    const sum = refunds.reduce((total, { minor }) => total + minor, 0n)
    if (sum !== wanted) this.#finding(`${sum} was repaid, expected ${wanted}`)
    model.repay(refunds)
  }

  async #move(): Promise<void> {
    const model = this.#model
    model.planId ??= await this.#plan()
    const path = `${BILLING}/orders/${model.orderNumber}/overpayment`
    const data = await this.#send(path, { plan_id: model.planId }, model.refuseGivingBack())
    if (data !== undefined) model.move()
  }

  async #plan(): Promise<string> {
    const { merchant } = this.#business
    const { currency, name } = this.#model.life
    const { recurring_item: item } = await merchant.ok(
      'POST',
      `${PAYMENTS}/recurring_payments/items`,
      { recurring_item: { label: 'Later', price: 1_000, currency } },
      { idempotencyKey: `${name}-item` },
    )
    const start = zoned(await merchant.now()).add({ years: YEARS_UNTIL_PLAN })
    const plan = {
      name: 'Later',
      customer_uuid: this.#model.customerUuid,
      start_date: start.toInstant().round('second').toString(),
      default_collection_method: 'charge_automatically',
      payment_retry_count: 1,
      payment_retry_day_period: 1,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=MONTHLY',
          recurring_items: [{ recurring_item_id: item.id, quantity: 1 }],
        },
      ],
    }
    const path = `${PAYMENTS}/recurring_payments/plan`
    const { plan: made } = await merchant.ok('POST', path, { plan }, { idempotencyKey: `${name}-plan` })
    return made.id as string
  }

  async #writeOff(percent: number | undefined): Promise<void> {
    const model = this.#model
    const minor = percent === undefined ? model.dueMinor : shareOf(model.dueMinor, percent)
    const body = { reason: 'Bank charges', ...(percent !== undefined && { amount: this.#money(minor) }) }
    const path = `${INVOICES}/${model.invoiceId}/write_off`
    const data = await this.#send(path, body, model.refuseWriteOff())
    if (data !== undefined) model.writeOff(minor)
  }

  async #note(percent: number): Promise<void> {
    const model = this.#model
    const left = model.totalMinor - model.notedMinor
    const minor = shareOf(left, percent)
    const credit_note = {
      reason: 'Goodwill',
      refund: 'none',
      ...(left > 0n && { amount: this.#money(minor) }),
    }
    const path = `${INVOICES}/${model.invoiceId}/credit_notes`
    const data = await this.#send(path, { credit_note }, model.refuseNote())
    if (data === undefined) return
    model.note(minor)
    this.#expect('the note', data.credit_note.total, minor)
  }

  async #reissue(isExempt: boolean): Promise<void> {
    const model = this.#model
    const { merchant } = this.#business
    const details = { tax_exempt: isExempt ? 'exempt' : 'none' }
    await merchant.ok('PUT', `${BILLING}/customers/${model.customerUuid}/billing_details`, {
      billing_details: details,
    })
    const data = await this.#business.during('reissue', () =>
      this.#send(
        `${INVOICES}/${model.invoiceId}/reissue`,
        { reason: 'Wrong tax' },
        model.refuseReissue(isExempt),
      ),
    )
    if (data === undefined) return
    this.#expect('the note of the old invoice', data.credit_note.total, model.totalMinor)
    model.reissue(data.invoice.id as string, isExempt)
    this.#expect('the new invoice', data.invoice.total, model.totalMinor)
  }

  /** @param refused why it must be refused; then nothing is returned */
  async #send(path: string, body: object | undefined, refused: string | undefined) {
    // A new invoice takes the rate of its own day, which may be later than that of the first.
    const reply = await withRate(this.#business, this.#model.life, (tries) =>
      this.#business.merchant.call('POST', path, body, { idempotencyKey: `${this.#key}-${tries}` }),
    )
    const reason = reply.status === 200 ? undefined : String(reply.data?.error?.reason)
    if (reason !== refused)
      this.#finding(
        `${path} got ${reply.status} ${JSON.stringify(reply.data?.error)}, expected ${refused ?? 'no refusal'}`,
      )
    if (reply.status !== 200) return undefined
    this.#model.acts.push(`${this.#what} by hand`)
    return reply.data
  }

  #expect(what: string, shown: number, minor: bigint): void {
    const found = this.#minor(shown)
    if (found !== minor) this.#finding(`${what} is ${found}, expected ${minor}`)
  }

  #finding(text: string): void {
    this.#business.findings.push(
      `invoice ${this.#model.life.name} (${this.#model.orderNumber}), ${this.#key}: ${text}`,
    )
  }

  #money(minor: bigint): Money {
    return Money.ofMinor(this.#model.life.currency, minor)
  }

  #minor(amount: number): bigint {
    return Money.ofDecimal(this.#model.life.currency, String(amount)).minor
  }
}

interface ApiRefund {
  readonly uuid: string
  readonly amount: number
  readonly original_transaction_uuid: string
}
