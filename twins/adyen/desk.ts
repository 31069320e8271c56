import { randomBytes } from 'node:crypto'
import type { Movement } from '../common/books.ts'
import { type Amount, decimal } from './amounts.ts'
import type { Event, Model, Notice, PaymentState } from './model.ts'

/** Collects the events of one request. Each takes effect at once; all are stored together. */
export class Desk {
  readonly model: Model
  readonly nowMs: number
  readonly events: Event[] = []
  readonly movements: Movement[] = []

  readonly #wants: (account: string) => boolean

  constructor(model: Model, nowMs: number, wants: (account: string) => boolean) {
    this.model = model
    this.nowMs = nowMs
    this.#wants = wants
  }

  push(event: Event): void {
    this.model.apply(event)
    this.events.push(event)
  }

  notify(notice: Omit<Notice, 'id'>): void {
    if (!this.#wants(notice.merchantAccount)) return
    this.push({ type: 'notice', notice: { id: newSecret(), ...notice } })
  }

  /** `key` is the merchant's reference of the request. */
  move(
    payment: PaymentState,
    movement: Pick<Movement, 'key' | 'operation' | 'outcome' | 'reference'> & { readonly amount: Amount },
  ): void {
    if (movement.amount.value === 0) return
    this.movements.push({
      key: movement.key,
      operation: movement.operation,
      amount: decimal(movement.amount),
      currency: movement.amount.currency,
      outcome: movement.outcome,
      reference: movement.reference,
      account: payment.merchantAccount,
      booked_at: new Date(this.nowMs).toISOString(),
    })
  }
}

const PSP_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ23456789'

/** 16 characters, such as `V4HZ4RBFJGXXGN82`. */
export function newPspReference(): string {
  return [...randomBytes(14)].map((byte) => PSP_LETTERS[byte % PSP_LETTERS.length]).join('') + '82'
}

export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}
