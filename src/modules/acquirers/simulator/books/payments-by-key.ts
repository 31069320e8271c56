import { type Entry, type Payment, paymentOf } from './payment.ts'

type PaymentEntry = Extract<Entry, { entry: 'payment' }>

/**
 * The line of a payment that a card ended at once and that follows up no other, as `Books` writes it: what most are. The key,
 * and the amount unless it is a verification.
 */
const ENDED_LINE =
  /^\{"entry":"payment","key":"([\w.:-]{1,128})","operation":"(?:verification|(?:sale|authorization)","minor":"(\d+)","currency":"[A-Z]{3})","instrument":"\w+","at_ms":\d+,"end":\{"outcome":"(?:approved|declined)","code":"\w+"\}\}$/

/**
 * Payments by our keys, numbered in the order in which they came. Those that the log tells of at a start are read when
 * somebody asks about them: as objects, a million of them took three times as long and half as much memory again.
 */
export class PaymentsByKey {
  readonly #payments: (Payment | string)[] = []
  /** Places among the payments by a number made of their keys: a map of the keys themselves took as long as all the rest. */
  readonly #places = new Map<number, number>()

  get size(): number {
    return this.#payments.length
  }

  get(key: string): Payment | undefined {
    const place = this.#places.get(this.#slotOf(key))
    if (place === undefined) return undefined
    const payment = this.at(place)
    this.#payments[place] = payment
    return payment
  }

  /** Makes no place of a line's: whoever goes over all of them keeps none. */
  at(place: number): Payment {
    const payment = this.#payments[place]
    if (payment === undefined) throw new Error(`there is no payment ${place}`)
    // Whatever a start has read is on the disk.
    return typeof payment === 'string'
      ? paymentOf(JSON.parse(payment) as PaymentEntry, place + 1, 0)
      : payment
  }

  add(payment: Payment): void {
    this.#put(payment.key, payment)
  }

  /** Adds a payment as its line in the log, when it is such a one; answers whether it moved an amount, undefined when it is none. */
  addLine(line: string): { readonly isBooking: boolean } | undefined {
    const found = ENDED_LINE.exec(line)
    if (found?.[1] === undefined) return undefined
    this.#put(found[1], line)
    return { isBooking: found[2] !== undefined }
  }

  #put(key: string, payment: Payment | string): void {
    this.#places.set(this.#slotOf(key), this.#payments.length)
    this.#payments.push(payment)
  }

  /** The number of a key. Another key that comes to the same number has the next one. */
  #slotOf(key: string): number {
    let slot = 0
    for (let index = 0; index < key.length; index++) slot = (Math.imul(slot, 31) + key.charCodeAt(index)) | 0
    for (; ; slot = (slot + 1) | 0) {
      const place = this.#places.get(slot)
      if (place === undefined || this.#hasKey(place, key)) return slot
    }
  }

  #hasKey(place: number, key: string): boolean {
    const payment = this.#payments[place]
    return typeof payment === 'string'
      ? payment.startsWith(`${key}"`, LINE_START.length)
      : payment?.key === key
  }
}

const LINE_START = '{"entry":"payment","key":"'
