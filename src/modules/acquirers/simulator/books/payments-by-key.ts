import { type Entry, type Payment, paymentOf } from './payment.ts'

type PaymentEntry = Extract<Entry, { entry: 'payment' }>

/** The most common log line: a card payment that completed at once. Captures the key and, except for verifications, the amount. */
const ENDED_LINE =
  /^\{"entry":"payment","key":"([\w.:-]{1,128})","operation":"(?:verification|(?:sale|authorization)","minor":"(\d+)","currency":"[A-Z]{3})","instrument":"\w+","at_ms":\d+,"end":\{"outcome":"(?:approved|declined)","code":"\w+"\}\}$/

/**
 * Payments by our keys, numbered in order of arrival. Lines replayed at startup are parsed on first use: parsing a
 * million of them up front took three times as long and half as much memory again.
 */
export class PaymentsByKey {
  readonly #payments: (Payment | string)[] = []
  /** Open-addressing hash table over key hashes. A Map of the keys themselves took as long as the rest of the replay. */
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

  at(place: number): Payment {
    const payment = this.#payments[place]
    if (payment === undefined) throw new Error(`there is no payment ${place}`)
    return typeof payment === 'string'
      ? paymentOf(JSON.parse(payment) as PaymentEntry, place + 1, 0)
      : payment
  }

  add(payment: Payment): void {
    this.#put(payment.key, payment)
  }

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
