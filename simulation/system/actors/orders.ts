import { setTimeout as sleep } from 'node:timers/promises'
import { Money } from '#kernel/money'
import { type ApiReply, PAYMENTS } from '../../../scenarios/harness/client.ts'
import {
  type ModelTransaction,
  OrderModel,
  type Outcome,
  type TransactionType,
} from '../model/order-model.ts'
import { mayBeRefused } from '../model/refusals.ts'
import { type OrderLife, type OrderStep, shareOf } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'
import { payByPage } from './payment-page.ts'

/** Waiting longer may be in vain, since the next inquiry may need a move of the clock. */
const PATIENCE_MS = 10_000
const UNDER_WAY: ReadonlySet<Outcome> = new Set(['succeeded', 'failed'])

export async function liveOrder(business: Business, life: OrderLife): Promise<void> {
  const { merchant } = business
  const { name, currency, totalMinor, timeoutS } = life
  const body = {
    order: {
      reference_number: name,
      currency,
      initial_total: Money.ofMinor(currency, BigInt(totalMinor)),
      ...(timeoutS !== null && { timeout: { timer: String(timeoutS) } }),
    },
  }
  const path = `${PAYMENTS}/orders?with_payment_link=true`
  const { order, payment_link: link } = await merchant.ok('POST', path, body, {
    idempotencyKey: `${name}-create`,
  })
  const model = new OrderModel(
    life,
    order.number as string,
    Temporal.Instant.from(order.created_at as string),
  )
  business.orders.set(name, model)
  await runSteps(business, model, life.steps, `${name}s`, link as string)
}

/** A smaller plan may lack the actor that creates the order. */
export async function visitOrder(
  business: Business,
  visit: { readonly order: string; readonly steps: readonly OrderStep[] },
  name: string,
): Promise<void> {
  const model = business.orders.get(visit.order)
  if (model !== undefined) await runSteps(business, model, visit.steps, name)
}

async function runSteps(
  business: Business,
  model: OrderModel,
  steps: readonly OrderStep[],
  prefix: string,
  link?: string,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await new Step(business, model, `${prefix}${index}`).run(step, link)
  }
}

interface Movement {
  readonly path: string
  readonly body: object
  readonly transaction: ModelTransaction
  readonly waits: boolean
  /** The payer may decline it in an app. */
  readonly isInApp?: boolean
}

class Step {
  readonly #business: Business
  readonly #model: OrderModel
  readonly #name: string

  constructor(business: Business, model: OrderModel, name: string) {
    this.#business = business
    this.#model = model
    this.#name = name
  }

  async run(step: OrderStep, link: string | undefined): Promise<void> {
    switch (step.do) {
      case 'idle':
        return sleep(step.ms)
      case 'repeat':
        return this.#repeat()
      case 'page':
        if (link !== undefined) await payByPage(this.#business, this.#model, link, step)
        return this.#payByWallet(step)
      case 'pay':
        return this.#atOnce(step.times, (reference) => this.#payment(step, reference))
      case 'capture':
        return this.#follow('Capture', ['Authorization'], step)
      case 'refund':
        return this.#follow('Refund', ['Sales', 'Capture'], step)
      case 'void':
        return this.#void(step.times)
      case 'void_order':
        return this.#voidOrder()
    }
  }

  #payment(step: OrderStep & { do: 'pay' }, reference: string): Movement {
    const { life, number, freeMinor, totalMinor } = this.#model
    const { token } = this.#business.payer(life.card, life.totalMinor)
    const wanted = shareOf(totalMinor, step.percent)
    // An amount that does not fit any more is requested nevertheless, and must be refused.
    const amountMinor = freeMinor > 0n && wanted > freeMinor ? freeMinor : wanted
    return {
      path: `${PAYMENTS}/orders/pay`,
      body: {
        order: { number },
        transaction: {
          type: step.type,
          amount: Money.ofMinor(life.currency, amountMinor),
          payment_token: token,
          reference_id: reference,
        },
      },
      transaction: { reference, type: step.type, amountMinor, outcomes: UNDER_WAY },
      waits: step.waits,
    }
  }

  /** Several windows ask for a code. The payer confirms it in the app a moment later, or declines. */
  async #payByWallet({ windows }: OrderStep & { do: 'page' }): Promise<void> {
    const { life, number, freeMinor } = this.#model
    const methods = this.#business.acquirer.wallets?.[life.currency] ?? []
    const method = methods[life.totalMinor % methods.length]
    if (method === undefined || freeMinor <= 0n || life.card !== 'approves') return
    await this.#atOnce(windows, (reference) => ({
      path: `${PAYMENTS}/orders/pay`,
      body: {
        order: { number },
        transaction: {
          type: 'Sales',
          amount: Money.ofMinor(life.currency, freeMinor),
          payment_method: method,
          reference_id: reference,
        },
      },
      transaction: { reference, type: 'Sales', amountMinor: freeMinor, outcomes: UNDER_WAY },
      waits: false,
      isInApp: true,
    }))
  }

  async #follow(
    type: 'Capture' | 'Refund',
    of: readonly TransactionType[],
    step: { readonly percent: number; readonly times: number; readonly waits: boolean },
  ): Promise<void> {
    const original = this.#model.live(...of).at(-1)
    if (original?.uuid === undefined) return
    if (type === 'Refund' && !this.#model.isRefundable) return
    const { currency } = this.#model.life
    await this.#atOnce(step.times, (reference) => {
      const left = this.#model.leftOf(original, type)
      const wanted = shareOf(original.amountMinor, step.percent)
      const amountMinor = left > 0n && wanted > left ? left : wanted
      return {
        path: `${PAYMENTS}/transactions/${type.toLowerCase()}`,
        body: {
          transaction: { uuid: original.uuid },
          amount: Money.ofMinor(currency, amountMinor),
          reference_id: reference,
        },
        transaction: { reference, type, amountMinor, original, outcomes: UNDER_WAY },
        waits: step.waits,
      }
    })
  }

  /** Makes requests that are sent at once from the same model. Their responses change it one by one. */
  async #atOnce(times: number, movementOf: (reference: string) => Movement): Promise<void> {
    const movements = Array.from({ length: times }, (_, index) => movementOf(`${this.#name}.${index}`))
    await Promise.all(movements.map((movement) => this.#move(movement)))
  }

  async #move({ path, body, transaction, waits, isInApp }: Movement): Promise<void> {
    const model = this.#model
    const { reference } = transaction
    const wasKnown = model.isKnown
    const permitted = mayBeRefused(model, transaction)
    const end = model.begin()
    const reply = await this.#business.merchant.call('POST', path, body, {
      idempotencyKey: reference,
      patienceMs: waits ? PATIENCE_MS : 0,
      takesInProgress: true,
    })
    const wasAlone = end()
    const refusal = refusalOf(reply)
    if (refusal !== undefined) {
      if (wasAlone && wasKnown && !permitted(refusal)) this.#unexpected(transaction.type, reply)
      return
    }
    const made = reply.data?.transaction as
      | { uuid: string; payment_data: { transaction_state: string } }
      | undefined
    const isDeclinedInApp = isInApp === true && reply.status === 402
    const state = made?.payment_data.transaction_state
    transaction.outcomes = isDeclinedInApp
      ? new Set(['failed'])
      : this.#outcomes(transaction.type, reply, state)
    if (made !== undefined) transaction.uuid = made.uuid
    model.transactions.push(transaction)
    model.requests.push({ path, body, key: reference, uuid: made?.uuid })
  }

  #outcomes(type: TransactionType, reply: ApiReply, state: string | undefined): ReadonlySet<Outcome> {
    const isDeclined = this.#model.life.card !== 'approves'
    switch (reply.status) {
      case 200:
        if (state === 'succeeded' || state === 'authorized') {
          if (isDeclined && type !== 'Refund') this.#unexpected(type, reply)
          return new Set(['succeeded'])
        }
        return state === 'failed' ? new Set(['failed']) : UNDER_WAY
      case 402:
        if (!isDeclined) this.#unexpected(type, reply)
        return new Set(['failed'])
      case 502:
        return new Set(['failed', 'absent'])
      case 504:
        return state === undefined ? new Set(['succeeded', 'failed', 'absent']) : UNDER_WAY
      default:
        this.#unexpected(type, reply)
        return UNDER_WAY
    }
  }

  async #void(times: number): Promise<void> {
    const target = this.#model.live('Sales', 'Capture', 'Authorization').at(-1)
    if (target?.uuid === undefined) return
    const body = { transaction: { uuid: target.uuid } }
    const end = this.#model.begin()
    target.outcomes = new Set([...target.outcomes, 'voided'])
    const replies = await Promise.all(
      Array.from({ length: times }, (_, index) =>
        this.#business.merchant.call('POST', `${PAYMENTS}/transactions/void`, body, {
          idempotencyKey: `${this.#name}.${index}`,
          patienceMs: PATIENCE_MS,
          takesInProgress: true,
        }),
      ),
    )
    end()
    if (replies.some((reply) => reply.status === 200 && !isVoidPending(reply))) {
      target.outcomes = new Set(['voided'])
    } else if (replies.every((reply) => refusalOf(reply) !== undefined)) {
      target.outcomes = new Set([...target.outcomes].filter((outcome) => outcome !== 'voided'))
    }
    for (const reply of replies) {
      if (![200, 402, 409, 502, 504].includes(reply.status)) this.#unexpected('void', reply)
    }
  }

  async #voidOrder(): Promise<void> {
    const model = this.#model
    const end = model.begin()
    model.voidAll('maybe')
    const reply = await this.#business.merchant.call(
      'POST',
      `${PAYMENTS}/orders/void`,
      { order: { number: model.number } },
      { idempotencyKey: this.#name, patienceMs: PATIENCE_MS, takesInProgress: true },
    )
    end()
    if (reply.status === 200 && reply.data?.order?.state === 'voided') model.voidAll('yes')
    else if (![200, 402, 409, 502, 504].includes(reply.status)) this.#unexpected('void of the order', reply)
  }

  /** The same key must get the same transaction, however old it is. */
  async #repeat(): Promise<void> {
    for (const { path, body, key, uuid } of this.#model.requests) {
      const reply = await this.#business.merchant.call('POST', path, body, {
        idempotencyKey: key,
        patienceMs: 0,
      })
      const isSame = uuid === undefined || reply.data?.transaction?.uuid === uuid
      if (!isSame || reply.headers.get('idempotent-replayed') !== 'true') {
        this.#unexpected(`the repetition of ${key}`, reply)
      }
    }
  }

  #unexpected(what: string, { status, message, data }: ApiReply): void {
    const { life, number } = this.#model
    this.#business.findings.push(
      `${life.name} (${number}), ${this.#name}: ${what} got the unexpected response ${status}: ${message} ${JSON.stringify(data).slice(0, 800)}`,
    )
  }
}

/** The acquirer has received the void and reports its outcome later. */
function isVoidPending({ data }: ApiReply): boolean {
  return (data?.transaction as { void_is_pending?: boolean } | undefined)?.void_is_pending === true
}

/** Returns the reason of a response that says that nothing was done. */
function refusalOf({ status, data }: ApiReply): string | undefined {
  return status === 409 || status === 422 ? String(data?.error?.reason) : undefined
}
