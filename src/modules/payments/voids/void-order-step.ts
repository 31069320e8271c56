import type { Instant } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import { nextHourAt } from '#kernel/inquiry-times'
import type { TimeZone } from '#kernel/time-zone'
import { LEASE_MS, leaseNow } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey, type IdempotencyId, joinIds } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import { endOrderVoid } from '../operations/end-order-void.ts'
import type { OrderVoidEnd, OrderVoidRefusal, OrderVoidResult } from '../model/order-void-result.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import { decideVoidOrder, type OrderVoidDecision } from './decide-void-order.ts'
import type { LeasedOperation, Operation } from '../model/operation.ts'
import type { Voiding } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { applyResult } from '../operations/apply-result.ts'
import { type ClosedDays, closedDaysOf, refuseOrderVoid } from '../follow-ups/refuse-locked-days.ts'
import { initiateRefund, initiateVoid } from '../operations/initiate.ts'
import { heldResults, type OperationResult, repeatFailures } from '../operations/record-results.ts'
import { claimOperations, lockHeldOperations } from '../storage/operation.repository.ts'
import type { OrderSelector } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

export interface OrderVoidRequest {
  /**
   * A merchant's request starts the void, and asks the acquirer about open operations. Null for the job, which only resumes
   * a void and leaves open operations to the resolver.
   */
  readonly caller: Caller | null
  readonly timeOf: (tx: Tx) => Instant
  readonly quietUntil?: Instant | undefined
  readonly notFound: () => RequestError
}

interface StepOptions extends OrderVoidRequest {
  readonly zone: TimeZone
  readonly isFirst: boolean
  readonly mayPoll: boolean
}

export interface VoidAction extends LeasedOperation {
  readonly kind: 'cancel' | 'determine' | 'send'
}

export type VoidActionResult = OperationResult & Pick<VoidAction, 'kind'>

export type StepTaken =
  | { readonly kind: 'act'; readonly orderId: string; readonly actions: readonly VoidAction[] }
  | { readonly kind: 'busy' }
  | OrderVoidResult

/**
 * One transaction of an order's void: records the results of the last step, decides the next one and initiates it. It is
 * `busy` while somebody else leases what it needs, and `waiting` until an outcome is known. After a crash the order's row
 * says how to go on.
 */
export async function stepOrderVoid(
  ctx: PaymentsContext,
  tx: Tx,
  selector: OrderSelector,
  options: StepOptions,
  results: readonly VoidActionResult[],
): Promise<StepTaken> {
  const idempotencyId =
    options.isFirst && options.caller !== null ? await claimIdempotencyKey(tx, options.caller) : null
  const [unit, held] = await Promise.all([
    PaymentUnitOfWork.lockForRequest(ctx, tx, selector),
    results.length === 0
      ? new Map<string, Operation>()
      : lockHeldOperations(
          tx,
          results.map(({ operation }) => operation),
        ),
  ])
  const aggregate = unit.only
  if (aggregate === undefined) throw options.notFound()
  const starts = options.caller !== null && aggregate.order.voiding === null
  const closed = starts ? await closedDaysOf(ctx, unit) : null
  const orderVoid = new OrderVoidStep(
    unit,
    aggregate,
    { ...options, closed },
    options.timeOf(tx),
    idempotencyId,
  )
  const taken = orderVoid.record(results, held) ?? (await orderVoid.next())
  await unit.save()
  await repeatFailures(ctx, tx, unit, heldResults(results, held))
  return taken
}

class OrderVoidStep {
  readonly #unit: PaymentUnitOfWork
  readonly #aggregate: OrderAggregate
  readonly #options: StepOptions & { readonly closed: ClosedDays | null }
  readonly #at: Instant
  readonly #idempotencyId: IdempotencyId

  constructor(
    unit: PaymentUnitOfWork,
    aggregate: OrderAggregate,
    options: StepOptions & { readonly closed: ClosedDays | null },
    at: Instant,
    idempotencyId: IdempotencyId,
  ) {
    this.#unit = unit
    this.#aggregate = aggregate
    this.#options = options
    this.#at = at
    this.#idempotencyId = idempotencyId
  }

  record(results: readonly VoidActionResult[], held: ReadonlyMap<string, Operation>): StepTaken | null {
    let stop: PaymentResult['kind'] | null = null
    let isDecided = true
    for (const { kind, operation: sent, acquirerResult } of results) {
      const operation = held.get(sent.key)
      if (operation === undefined) continue
      const { kind: result } = applyResult(
        this.#unit,
        operation,
        acquirerResult,
        this.#at,
        this.#options.zone,
      )
      const reverses = operation.kind === 'void' || operation.kind === 'refund'
      if (result === 'unknown') stop = 'unknown'
      else if (reverses && (result === 'declined' || result === 'refused'))
        stop = stop === null || stop === 'pending' ? result : stop
      else if (operation.kind === 'void' && result === 'pending') stop ??= 'pending'
      else if (kind === 'cancel' && result === 'pending') isDecided = false
    }
    const { voiding } = this.#aggregate.order
    const starts = this.#options.isFirst && this.#options.caller !== null
    if (voiding === null && !starts) return this.#endedByAnother()
    if (stop === null) return isDecided ? null : this.#cannotCancel()
    if (stop === 'pending') return this.#waitForNotice()
    if (stop === 'unknown' || voiding?.mode === 'grace') return this.#wait()
    return this.#abandon({ kind: stop === 'declined' ? 'declined' : 'refused' })
  }

  async next(): Promise<StepTaken> {
    const { order, transactions } = this.#aggregate
    const decision = decideVoidOrder(order, transactions, order.voiding?.mode ?? 'merchant', this.#at)
    if ('refused' in decision) return this.#refuse(decision.refused)
    if (decision.kind !== 'voided') refuseOrderVoid(this.#aggregate, this.#options.closed)
    switch (decision.kind) {
      case 'voided':
        return this.#end()
      case 'finish':
        this.#aggregate.void(order.voiding?.mode ?? 'merchant', this.#at)
        return this.#end()
      case 'wait':
        return this.#options.caller === null ? this.#wait() : this.#claim(decision.keys, 'determine')
      case 'cancel':
        return this.#claim(
          decision.transactions.map(({ id }) => id),
          'cancel',
        )
      case 'reverse':
        return this.#reverse(decision)
    }
  }

  #endedByAnother(): StepTaken {
    const { order, transactions } = this.#aggregate
    const decision = decideVoidOrder(order, transactions, 'merchant', this.#at)
    if ('refused' in decision) return this.#result({ kind: 'not_voidable', reason: decision.refused })
    return decision.kind === 'voided' ? this.#end() : this.#result({ kind: 'refused' })
  }

  #end(): StepTaken {
    const ended = this.#aggregate.order.voiding
    if (ended !== null) this.#aggregate.changeOrder({ voiding: null }, this.#at)
    return this.#keepReply(ended, this.#result({ kind: 'done' }))
  }

  #refuse(reason: OrderVoidRefusal): StepTaken {
    if (this.#aggregate.order.voiding === null) throw errors[reason]()
    return this.#abandon({ kind: 'not_voidable', reason })
  }

  #abandon(end: OrderVoidEnd): StepTaken {
    const ended = this.#aggregate.order.voiding
    return this.#keepReply(ended, endOrderVoid(this.#aggregate, end, this.#at))
  }

  /** The acquirer is deciding about a payment, and cancels it no more. */
  #cannotCancel(): StepTaken {
    if (this.#aggregate.order.voiding?.mode === 'grace') return this.#wait()
    return this.#abandon({ kind: 'not_voidable', reason: 'payment_in_progress' })
  }

  #wait(): StepTaken {
    this.#markVoiding(nextHourAt(this.#at, this.#options.quietUntil))
    return this.#keepReply(this.#aggregate.order.voiding, this.#result({ kind: 'unknown' }))
  }

  #waitForNotice(): StepTaken {
    this.#markVoiding(nextHourAt(this.#at, this.#options.quietUntil))
    const { voiding } = this.#aggregate.order
    if (voiding === null) throw new Error(`order ${this.#aggregate.order.id} is not being voided`)
    const result = this.#keepReply(voiding, this.#result({ kind: 'pending' }))
    this.#aggregate.changeOrder({ voiding: { ...voiding, idempotencyId: null, requestId: null } }, this.#at)
    return result
  }

  async #claim(keys: readonly string[], kind: 'cancel' | 'determine'): Promise<StepTaken> {
    const claimed = await claimOperations(this.#unit.tx, keys, leaseNow())
    if (claimed.length > 0) return this.#act(kind, claimed)
    if (!this.#options.mayPoll) return this.#wait()
    this.#markVoiding(this.#at.add({ milliseconds: LEASE_MS }))
    return { kind: 'busy' }
  }

  #reverse({ reversals }: Extract<OrderVoidDecision, { kind: 'reverse' }>): StepTaken {
    const inquiries = this.#aggregate.order.voiding?.inquiries ?? 0
    const options = { at: this.#at, status: 'sent', inquiries } as const
    const operations = reversals.map((reversal) =>
      reversal.kind === 'void'
        ? initiateVoid(this.#unit, this.#aggregate, reversal.transaction, options)
        : initiateRefund(this.#unit, this.#aggregate, reversal.transaction, reversal.amount, options),
    )
    return this.#act('send', operations)
  }

  #act(kind: VoidAction['kind'], operations: readonly Operation[]): StepTaken {
    this.#markVoiding(this.#at.add({ milliseconds: LEASE_MS }))
    const actions = operations.map((operation) => ({
      kind,
      operation,
      transaction: this.#aggregate.transaction(operation.transactionId),
      at: this.#at,
    }))
    return { kind: 'act', orderId: this.#aggregate.order.id, actions }
  }

  #markVoiding(dueAt: Instant): void {
    const { voiding } = this.#aggregate.order
    this.#aggregate.changeOrder(
      {
        voiding: {
          mode: voiding?.mode ?? 'merchant',
          idempotencyId: joinIds(voiding?.idempotencyId ?? null, this.#idempotencyId),
          requestId: this.#idempotencyId === null ? (voiding?.requestId ?? null) : this.#requestId,
          dueAt,
          inquiries: voiding?.inquiries ?? 0,
        },
      },
      this.#at,
    )
  }

  #keepReply(voiding: Voiding | null, result: OrderVoidResult): OrderVoidResult {
    const requestIds = new Map<string, string>()
    if (voiding !== null && voiding.idempotencyId !== null) {
      requestIds.set(voiding.idempotencyId, voiding.requestId ?? '')
    }
    if (this.#idempotencyId !== null) requestIds.set(this.#idempotencyId, this.#requestId ?? '')
    for (const [idempotencyId, requestId] of requestIds) {
      this.#unit.keepReply({ idempotencyId, requestId }, () => result)
    }
    return result
  }

  get #requestId(): string | null {
    return this.#options.caller?.requestId ?? null
  }

  #result(end: OrderVoidEnd): OrderVoidResult {
    const { order, transactions } = this.#aggregate
    return { ...end, order, transactions, at: this.#at }
  }
}
