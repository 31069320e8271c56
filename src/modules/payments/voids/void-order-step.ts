import type { Instant } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import type { TimeZone } from '#kernel/time-zone'
import { LEASE_MS, leaseNow } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { claimIdempotencyKey, type IdempotencyId, joinIds } from '#platform/idempotency/idempotency'
import { envelopeOf, type PaymentResult } from '../api/answer.ts'
import { applyAnswer } from '../charges/apply-answer.ts'
import { beginRefund, beginVoid } from '../follow-ups/initiate-follow-up.ts'
import type { PaymentsContext } from '../context.ts'
import { decideVoidOrder, type OrderVoidDecision } from './decide-void-order.ts'
import { errors } from '../api/errors.ts'
import type { Operation, UnderWay } from '../model/operation.ts'
import { claimOperations, findOperations } from '../storage/operation.repository.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Voiding } from '../model/order.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import type { KnownAnswer } from '../charges/record-answers.ts'
import { renderOrder } from '../api/render.ts'
import type { OrderSelector } from '../storage/order-selector.ts'

/** Who wants the void, and when. */
export interface OrderVoidRequest {
  /**
   * The merchant, whose void begins where none is under way, and asks about what is not known. Null: due work, which only
   * goes on with a void, and leaves what is not known to the resolver.
   */
  readonly caller: Caller | null
  readonly timeOf: (tx: Tx) => Instant
  readonly notFound: () => RequestError
}

interface StepOptions extends OrderVoidRequest {
  readonly zone: TimeZone
  readonly first: boolean
  /** Whether it may still wait for somebody who is at what we need. */
  readonly patient: boolean
}

/** What is to be done at the acquirer. */
export interface VoidAction extends UnderWay {
  readonly kind: 'cancel' | 'investigate' | 'send'
}

export type StepTaken =
  | { readonly kind: 'act'; readonly orderId: string; readonly actions: readonly VoidAction[] }
  /** Somebody else is at what we need. */
  | { readonly kind: 'busy' }
  | OrderVoidEnd

/** What became of an order's void, as far as it got. */
export type OrderVoidEnd =
  | { readonly kind: 'voided'; readonly data: object }
  /** An outcome is not known: the void goes on by itself when it is, or when it is asked for again. */
  | { readonly kind: 'waiting'; readonly answer: object }
  /** Refused or given up. */
  | { readonly kind: 'failed'; readonly answer: object }

/** How long a void waits before it looks again by itself; whoever finds an outcome wakes it sooner. */
const LOOK_AGAIN_HOURS = 1

/**
 * One transaction of an order's void: records what the last step learned, decides, and begins the next step. A crash after
 * it leaves a row that says what to go on with.
 */
export async function stepOrderVoid(
  ctx: PaymentsContext,
  tx: Tx,
  selector: OrderSelector,
  options: StepOptions,
  known: readonly KnownAnswer[],
): Promise<StepTaken> {
  const idempotencyId =
    options.first && options.caller !== null ? await claimIdempotencyKey(tx, options.caller) : null
  const [work, operations] = await Promise.all([
    PaymentWork.lock(ctx, tx, selector),
    known.length === 0
      ? new Map<string, Operation>()
      : findOperations(
          tx,
          known.map(({ operation }) => operation.key),
        ),
  ])
  const ledger = work.only
  if (ledger === undefined) throw options.notFound()
  const at = options.timeOf(tx)
  const orderVoid = new OrderVoid(work, ledger, options, at, idempotencyId)
  const stopped = orderVoid.record(known, operations)
  const taken = stopped ?? (await orderVoid.next())
  await work.save()
  return taken
}

class OrderVoid {
  readonly #work: PaymentWork
  readonly #ledger: OrderAggregate
  readonly #options: StepOptions
  readonly #at: Instant
  readonly #idempotencyId: IdempotencyId

  constructor(
    work: PaymentWork,
    ledger: OrderAggregate,
    options: StepOptions,
    at: Instant,
    idempotencyId: IdempotencyId,
  ) {
    this.#work = work
    this.#ledger = ledger
    this.#options = options
    this.#at = at
    this.#idempotencyId = idempotencyId
  }

  /** Records the last step's answers; answers how the void ends when it is over or cannot go on. */
  record(known: readonly KnownAnswer[], operations: ReadonlyMap<string, Operation>): StepTaken | null {
    let stop: PaymentResult | null = null
    for (const one of known) {
      const operation = operations.get(one.operation.key)
      if (operation === undefined) continue
      const verdict = applyAnswer(this.#work, operation, one.answer, this.#at, this.#options.zone)
      const reverses = operation.kind === 'void' || operation.kind === 'refund'
      if (verdict === 'unknown') stop = 'unknown'
      else if (reverses && (verdict === 'declined' || verdict === 'refused')) stop ??= verdict
    }
    const { voiding } = this.#ledger.order
    const begins = this.#options.first && this.#options.caller !== null
    if (voiding === null && !begins) return this.#over()
    if (stop === null) return null
    if (stop === 'unknown' || voiding?.mode === 'grace') return this.#wait()
    return this.#giveUp(stop === 'declined' ? errors.payment_declined : errors.acquirer_refused)
  }

  async next(): Promise<StepTaken> {
    const { order, transactions } = this.#ledger
    const decided = decideVoidOrder(order, transactions, order.voiding?.mode ?? 'merchant', this.#at)
    switch (decided.kind) {
      case 'voided':
        return this.#end()
      case 'refuse':
        return this.#refuse(decided.reason)
      case 'finish':
        this.#ledger.move('void', this.#at)
        return this.#end()
      case 'wait':
        return this.#options.caller === null ? this.#wait() : this.#claim(decided.keys, 'investigate')
      case 'cancel':
        return this.#claim(
          decided.transactions.map(({ id }) => id),
          'cancel',
        )
      case 'reverse':
        return this.#reverse(decided)
    }
  }

  /** Somebody else has ended the void since: finished it, or given it up. A second one does not follow by itself. */
  #over(): StepTaken {
    const { order, transactions } = this.#ledger
    const decided = decideVoidOrder(order, transactions, 'merchant', this.#at)
    if (decided.kind === 'voided') return this.#end()
    const errorWith = decided.kind === 'refuse' ? errors[decided.reason] : errors.acquirer_refused
    return { kind: 'failed', answer: errorWith({ data: this.#data() }) }
  }

  #end(): StepTaken {
    const owed = this.#ledger.order.voiding
    if (owed !== null) this.#ledger.changeOrder({ voiding: null }, this.#at)
    const data = this.#data()
    this.#keep(owed, 200, data)
    return { kind: 'voided', data }
  }

  /** Before anything was written it is an error like any other; afterwards the void is given up. */
  #refuse(reason: Extract<OrderVoidDecision, { kind: 'refuse' }>['reason']): StepTaken {
    if (this.#ledger.order.voiding === null) throw errors[reason]()
    return this.#giveUp(errors[reason])
  }

  #giveUp(errorWith: (detail: { data: object }) => RequestError): StepTaken {
    const owed = this.#ledger.order.voiding
    this.#ledger.changeOrder({ voiding: null }, this.#at)
    this.#ledger.recalculate(this.#at)
    const answer = errorWith({ data: this.#data() })
    this.#keep(owed, answer.status, answer)
    return { kind: 'failed', answer }
  }

  #wait(): StepTaken {
    this.#under(this.#at.add({ hours: LOOK_AGAIN_HOURS }))
    const answer = errors.outcome_unknown({ data: this.#data() })
    this.#keep(this.#ledger.order.voiding, answer.status, answer)
    return { kind: 'waiting', answer }
  }

  async #claim(keys: readonly string[], kind: 'cancel' | 'investigate'): Promise<StepTaken> {
    const claimed = await claimOperations(this.#work.tx, keys, leaseNow())
    if (claimed.length === 0) {
      if (!this.#options.patient) return this.#wait()
      this.#under(this.#at.add({ milliseconds: LEASE_MS }))
      return { kind: 'busy' }
    }
    return this.#act(kind, claimed)
  }

  #reverse({ reversals }: Extract<OrderVoidDecision, { kind: 'reverse' }>): StepTaken {
    const inquiries = this.#ledger.order.voiding?.inquiries ?? 0
    const begin = { at: this.#at, status: 'sent', inquiries } as const
    const operations = reversals.map((reversal) =>
      reversal.kind === 'void'
        ? beginVoid(this.#ledger, reversal.transaction, begin)
        : beginRefund(this.#ledger, reversal.transaction, reversal.amount, begin),
    )
    for (const operation of operations) this.#work.keep(operation)
    return this.#act('send', operations)
  }

  #act(kind: VoidAction['kind'], operations: readonly Operation[]): StepTaken {
    this.#under(this.#at.add({ milliseconds: LEASE_MS }))
    const actions = operations.map((operation) => ({
      kind,
      operation,
      transaction: this.#ledger.transaction(operation.transactionId),
      at: this.#at,
    }))
    return { kind: 'act', orderId: this.#ledger.order.id, actions }
  }

  /** Marks the order as being voided, with the requests that wait for it. */
  #under(dueAt: Instant): void {
    const { voiding } = this.#ledger.order
    this.#ledger.changeOrder(
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

  #keep(owed: Voiding | null, status: number, answer: object): void {
    for (const [id, requestId] of this.#owing(owed)) {
      this.#work.answer(id, status, () => envelopeOf(answer, requestId))
    }
  }

  /** The keys that wait for the answer: this request's, and that of the request which began the void. */
  #owing(owed: Voiding | null): Map<string, string> {
    const keys = new Map<string, string>()
    if (owed !== null && owed.idempotencyId !== null) keys.set(owed.idempotencyId, owed.requestId ?? '')
    if (this.#idempotencyId !== null) keys.set(this.#idempotencyId, this.#requestId ?? '')
    return keys
  }

  get #requestId(): string | null {
    return this.#options.caller?.requestId ?? null
  }

  #data(): { order: object } {
    const { order, transactions } = this.#ledger
    return { order: renderOrder(order, transactions, this.#at) }
  }
}
