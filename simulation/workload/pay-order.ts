import { setTimeout as sleep } from 'node:timers/promises'
import { Money } from '#kernel/money'
import { type ApiReply, PAYMENTS } from '../../scenarios/harness/client.ts'
import type { ApiTransaction, ExpectedOrder } from '../checks/accounts.ts'
import type { OrderChoice } from './workload-choices.ts'
import type { Merchant } from './merchant.ts'

/** Attempts of a step, each with a new key. Faults fail at most one attempt in five. */
const MAX_ATTEMPTS = 60
const PAUSE_STEP_MS = 20
const MAX_PAUSE_MS = 1_000
/** A notice of the acquirer ends a pending payment, or the clock that is moved past the next inquiry. */
const MAX_PENDING_POLLS = 180

export interface Payer {
  readonly customerUuid: string
  readonly token: string
}

/**
 * Creates an order and runs its flow. A 502 means that nothing was booked, so the step is repeated with a new key.
 * Throws when the service sends an unexpected response.
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

  async run(): Promise<{ paidMinor: bigint; isFullyRefunded: boolean }> {
    const { flow, totalMinor, partMinor } = this.#choice
    if (flow === 'two_captures') {
      await this.#captureTwice()
      return { paidMinor: totalMinor, isFullyRefunded: false }
    }
    const { transaction } = (await this.#pay('pay', 'Sales')).data
    switch (flow) {
      case 'sale':
        return { paidMinor: totalMinor, isFullyRefunded: false }
      case 'partial_refund':
        await this.#followUp('refund', transaction.uuid, partMinor)
        return { paidMinor: totalMinor - partMinor, isFullyRefunded: false }
      case 'full_refund':
        await this.#followUp('refund', transaction.uuid)
        return { paidMinor: 0n, isFullyRefunded: true }
      case 'void_and_pay_again': {
        // A settled transaction cannot be voided, so the order stays paid.
        const voided = await this.#followUp('void', transaction.uuid, undefined, ['already_settled'])
        if (voided.status === 200) await this.#pay('pay-again', 'Sales')
        return { paidMinor: totalMinor, isFullyRefunded: false }
      }
    }
  }

  /** The clock moves fast enough for an authorization to expire after 7 days. A sale then pays the uncaptured amount. */
  async #captureTwice(): Promise<void> {
    const { transaction } = (await this.#pay('authorize', 'Authorization')).data
    const expired = ['transaction_not_capturable']
    const first = await this.#followUp(
      'capture',
      transaction.uuid,
      this.#choice.partMinor,
      expired,
      'capture-1',
    )
    const second =
      first.status === 200
        ? await this.#followUp('capture', transaction.uuid, undefined, expired, 'capture-2')
        : first
    if (second.status !== 200) await this.#pay('pay-rest', 'Sales')
  }

  /** A payment that is still in progress at the acquirer is waited for, and made again if it fails in the end. */
  async #pay(step: string, type: 'Sales' | 'Authorization'): Promise<ApiReply> {
    for (let payment = 1; payment <= MAX_ATTEMPTS; payment++) {
      const reply = await this.#retryUntilDone(
        payment === 1 ? step : `${step}-${payment}`,
        `${PAYMENTS}/orders/pay`,
        {
          order: { number: this.number },
          transaction: { type, payment_token: this.#payer.token },
        },
      )
      if (await this.#succeeds(reply.data.transaction)) return reply
    }
    throw new Error(`${this.number}: ${step} failed in the end, ${MAX_ATTEMPTS} times`)
  }

  async #succeeds({ uuid, is_pending: isPending }: ApiTransaction): Promise<boolean> {
    if (!isPending) return true
    for (let poll = 0; poll < MAX_PENDING_POLLS; poll++) {
      await sleep(MAX_PAUSE_MS)
      const { order } = await this.#merchant.ok('POST', `${PAYMENTS}/orders/check`, {
        order: { number: this.number },
      })
      const found = (order.transactions as ApiTransaction[]).find((transaction) => transaction.uuid === uuid)
      if (found?.is_pending === false) return found.success
    }
    throw new Error(`${this.number}: ${uuid} is still pending after ${MAX_PENDING_POLLS} s`)
  }

  #followUp(
    operation: 'capture' | 'refund' | 'void',
    uuid: string,
    amountMinor?: bigint,
    acceptedReasons: readonly string[] = [],
    step: string = operation,
  ): Promise<ApiReply> {
    const amount =
      amountMinor === undefined ? {} : { amount: Money.ofMinor(this.#choice.currency, amountMinor) }
    const body = { transaction: { uuid }, ...amount }
    return this.#retryUntilDone(step, `${PAYMENTS}/transactions/${operation}`, body, acceptedReasons)
  }

  async #retryUntilDone(
    step: string,
    path: string,
    body: object,
    acceptedReasons: readonly string[] = [],
  ): Promise<ApiReply> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const idempotencyKey = `${this.#reference}-${step}-${attempt}`
      const reply = await this.#merchant.call('POST', path, body, { idempotencyKey })
      if (reply.status === 502) {
        // While its circuit breaker is open, nothing is sent to the acquirer.
        await sleep(Math.min(MAX_PAUSE_MS, attempt * PAUSE_STEP_MS))
        continue
      }
      const reason: unknown = reply.data?.error?.reason
      if (reply.status !== 200 && !acceptedReasons.some((accepted) => accepted === reason))
        throw this.#unexpected(step, reply)
      if (reply.status === 200 && this.#choice.repeatsRequests)
        await this.#repeatRequest(path, body, idempotencyKey, reply)
      return reply
    }
    throw new Error(`${this.number}: ${step} failed ${MAX_ATTEMPTS} times`)
  }

  async #repeatRequest(path: string, body: object, idempotencyKey: string, first: ApiReply): Promise<void> {
    const repeated = await this.#merchant.call('POST', path, body, { idempotencyKey })
    const isReplay = repeated.headers.get('idempotent-replayed') === 'true'
    if (!isReplay || repeated.data?.transaction?.uuid !== first.data.transaction.uuid) {
      throw this.#unexpected(`the repeated request ${idempotencyKey}`, repeated)
    }
  }

  #unexpected(step: string, reply: ApiReply): Error {
    const { status, message, data } = reply
    return new Error(
      `${this.number} (${this.#choice.flow}): ${step} got the unexpected response ${status}: ${message} ${JSON.stringify(data).slice(0, 1500)}`,
    )
  }
}
