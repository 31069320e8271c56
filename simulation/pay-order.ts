import { Money } from '#kernel/money'
import type { Answered } from '../scenarios/harness/client.ts'
import type { ExpectedOrder } from './accounts.ts'
import type { OrderChoice } from './choices.ts'
import type { Merchant } from './merchant.ts'

const PAYMENTS = '/svc/payment/api/v1/openapi'
/** How often one step is tried with a new key, after it surely failed. Faults make a step fail one time in five at worst. */
const MAX_TRIES = 60

export interface Payer {
  readonly customerUuid: string
  readonly token: string
}

/**
 * Creates an order and takes it through its flow. A step that was not run (402 or 502: nothing is booked) is tried again
 * with a new key, as a merchant would. Throws when the service answers what it never should.
 */
export async function payOrder(
  merchant: Merchant,
  choice: OrderChoice,
  payer: Payer,
  reference: string,
): Promise<ExpectedOrder> {
  const { currency } = choice
  const total = Money.ofMinor(currency, choice.totalMinor)
  const created = await merchant.ok(
    'POST',
    `${PAYMENTS}/orders`,
    {
      order: {
        reference_number: reference,
        currency,
        initial_total: total,
        customer_uuid: payer.customerUuid,
      },
    },
    { idempotencyKey: `${reference}-create` },
  )
  const steps = new OrderSteps(merchant, choice, payer, reference, created.order.number as string)
  return { number: steps.number, currency, ...(await steps.run()) }
}

class OrderSteps {
  readonly number: string
  readonly #merchant: Merchant
  readonly #choice: OrderChoice
  readonly #payer: Payer
  readonly #reference: string

  constructor(merchant: Merchant, choice: OrderChoice, payer: Payer, reference: string, number: string) {
    this.#merchant = merchant
    this.#choice = choice
    this.#payer = payer
    this.#reference = reference
    this.number = number
  }

  async run(): Promise<{ paidMinor: bigint; isRefunded: boolean }> {
    const { flow, totalMinor, partMinor } = this.#choice
    if (flow === 'capture_in_two') {
      await this.#captureInTwo()
      return { paidMinor: totalMinor, isRefunded: false }
    }
    const { transaction } = (await this.#pay('pay', 'Sales')).data
    switch (flow) {
      case 'sale':
        return { paidMinor: totalMinor, isRefunded: false }
      case 'refund_part':
        await this.#follow('refund', transaction.uuid, partMinor)
        return { paidMinor: totalMinor - partMinor, isRefunded: false }
      case 'refund_whole':
        await this.#follow('refund', transaction.uuid)
        return { paidMinor: 0n, isRefunded: true }
      case 'void_and_pay_again': {
        // Once it is settled it stays paid.
        const voided = await this.#follow('void', transaction.uuid, undefined, ['already_settled'])
        if (voided.status === 200) await this.#pay('pay-again', 'Sales')
        return { paidMinor: totalMinor, isRefunded: false }
      }
    }
  }

  /** An authorization lapses after 7 days, which pass quickly here: what is not captured by then is paid otherwise. */
  async #captureInTwo(): Promise<void> {
    const { transaction } = (await this.#pay('authorize', 'Authorization')).data
    const lapsed = ['transaction_not_capturable']
    const first = await this.#follow('capture', transaction.uuid, this.#choice.partMinor, lapsed, 'capture-1')
    const second =
      first.status === 200
        ? await this.#follow('capture', transaction.uuid, undefined, lapsed, 'capture-2')
        : first
    if (second.status !== 200) await this.#pay('pay-rest', 'Sales')
  }

  #pay(step: string, type: 'Sales' | 'Authorization'): Promise<Answered> {
    return this.#until(step, `${PAYMENTS}/orders/pay`, {
      order: { number: this.number },
      transaction: { type, payment_token: this.#payer.token },
    })
  }

  #follow(
    operation: 'capture' | 'refund' | 'void',
    uuid: string,
    amountMinor?: bigint,
    accepted: readonly string[] = [],
    step: string = operation,
  ): Promise<Answered> {
    const amount =
      amountMinor === undefined ? {} : { amount: Money.ofMinor(this.#choice.currency, amountMinor) }
    const body = { transaction: { uuid }, ...amount }
    return this.#until(step, `${PAYMENTS}/transactions/${operation}`, body, accepted)
  }

  /** Tries a step until it succeeds, or is refused for one of the accepted reasons. */
  async #until(
    step: string,
    path: string,
    body: object,
    accepted: readonly string[] = [],
  ): Promise<Answered> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const idempotencyKey = `${this.#reference}-${step}-${attempt}`
      const answer = await this.#merchant.call('POST', path, body, { idempotencyKey })
      if (answer.status === 502) continue
      const reason: unknown = answer.data?.error?.reason
      if (answer.status !== 200 && !accepted.some((word) => word === reason)) throw this.#wrong(step, answer)
      if (answer.status === 200 && this.#choice.repeats)
        await this.#repeat(path, body, idempotencyKey, answer)
      return answer
    }
    throw new Error(`${this.number}: ${step} failed ${MAX_TRIES} times`)
  }

  /** The same request with the same key is answered the same, and does nothing. */
  async #repeat(path: string, body: object, idempotencyKey: string, first: Answered): Promise<void> {
    const again = await this.#merchant.call('POST', path, body, { idempotencyKey })
    const isReplay = again.headers.get('idempotent-replayed') === 'true'
    if (!isReplay || again.data?.transaction?.uuid !== first.data.transaction.uuid) {
      throw this.#wrong(`the repetition of ${idempotencyKey}`, again)
    }
  }

  #wrong(step: string, answer: Answered): Error {
    const { status, message, data } = answer
    return new Error(
      `${this.number} (${this.#choice.flow}): ${step} was answered ${status}: ${message} ${JSON.stringify(data).slice(0, 1500)}`,
    )
  }
}
