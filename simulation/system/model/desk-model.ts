import type { DeskLife } from '../plan/draw-desk.ts'
import { taxOn } from './invoice-model.ts'

interface HandPayment {
  readonly uuid: string
  readonly minor: bigint
  repaidMinor: bigint
}

interface Repayment {
  readonly uuid: string
  readonly minor: bigint
  readonly of: HandPayment
}

/** The reason of a refusal. */
type Refused = string | undefined

/**
 * An invoice, its corrections and its money in the books of a bookkeeper, to whom alone its order belongs. Each `refuse…` says why the
 * service must refuse an act, and undefined if it must not; the methods beside it record what was done.
 */
export class DeskModel {
  readonly life: DeskLife
  readonly orderNumber: string
  readonly customerUuid: string
  readonly #initialMinor: bigint
  /** The id of the newest invoice of the order. */
  invoiceId: string
  isExempt = false
  planId: string | undefined
  totalMinor: bigint
  creditedMinor = 0n
  writtenOffMinor = 0n
  movedMinor = 0n
  /** What notes have credited of the newest invoice. */
  notedMinor = 0n
  /** Nothing was paid and nothing is asked for any more. */
  isClosed = false
  payments: HandPayment[] = []
  repayments: Repayment[] = []
  /** What was done, for the report. */
  readonly acts: string[] = []

  constructor(life: DeskLife, made: { invoiceId: string; orderNumber: string; customerUuid: string }) {
    this.life = life
    this.invoiceId = made.invoiceId
    this.orderNumber = made.orderNumber
    this.customerUuid = made.customerUuid
    this.totalMinor = this.totalFor(false)
    this.#initialMinor = this.totalMinor
  }

  totalFor(isExempt: boolean): bigint {
    const net = this.life.linesMinor.reduce((sum, minor) => sum + BigInt(minor), 0n)
    return isExempt ? net : net + taxOn(net)
  }

  get paidMinor(): bigint {
    const repaid = this.repayments.reduce((sum, { minor }) => sum + minor, 0n)
    return this.payments.reduce((sum, { minor }) => sum + minor, -repaid)
  }

  /** Negative if it is over-paid. */
  get dueMinor(): bigint {
    return this.#payableMinor - this.paidMinor + this.movedMinor
  }

  get overpaidMinor(): bigint {
    return this.dueMinor < 0n && !this.isClosed ? -this.dueMinor : 0n
  }

  get #payableMinor(): bigint {
    return this.#initialMinor - this.creditedMinor - this.writtenOffMinor
  }

  /** All that was paid was too much, and went back. */
  get #isRefunded(): boolean {
    return this.repayments.length > 0 && this.paidMinor === 0n && this.dueMinor <= 0n
  }

  /** A percentage of what is due, else of the invoice. */
  shareOf(percent: number): bigint {
    const of = this.dueMinor > 0n ? this.dueMinor : this.totalMinor
    return atLeastOne((of * BigInt(percent)) / 100n)
  }

  refusePayment(percent: number | undefined): Refused {
    if (this.isClosed || this.#isRefunded) return 'order_not_payable'
    return percent === undefined && this.dueMinor <= 0n ? 'nothing_due' : undefined
  }

  pay(uuid: string, minor: bigint): void {
    this.payments.push({ uuid, minor, repaidMinor: 0n })
  }

  refuseUndo({ minor, repaidMinor }: HandPayment): Refused {
    const isMoved = this.movedMinor > 0n && this.dueMinor + minor > 0n
    return repaidMinor > 0n || isMoved ? 'payment_in_use' : undefined
  }

  undo(undone: HandPayment): void {
    this.payments = this.payments.filter((one) => one !== undone)
    this.#close()
  }

  undoRepayment(undone: Repayment): void {
    this.repayments = this.repayments.filter((one) => one !== undone)
    undone.of.repaidMinor -= undone.minor
  }

  refuseGivingBack(): Refused {
    return this.overpaidMinor === 0n ? 'nothing_overpaid' : undefined
  }

  repay(refunds: readonly { readonly uuid: string; readonly minor: bigint; readonly of: string }[]): void {
    for (const { uuid, minor, of: payment } of refunds) {
      const of = this.payments.find((one) => one.uuid === payment)
      if (of === undefined) throw new Error(`${uuid} repays ${payment}, which did not pay`)
      of.repaidMinor += minor
      this.repayments.push({ uuid, minor, of })
    }
  }

  move(): void {
    this.movedMinor += this.overpaidMinor
  }

  refuseWriteOff(): Refused {
    return this.isClosed || this.dueMinor <= 0n ? 'nothing_due' : undefined
  }

  writeOff(minor: bigint): void {
    this.writtenOffMinor += minor
    this.#close()
  }

  refuseNote(): Refused {
    return this.notedMinor === this.totalMinor ? 'nothing_left_to_credit' : undefined
  }

  /** Of what is credited nothing stays written off. */
  note(minor: bigint): void {
    this.notedMinor += minor
    this.creditedMinor += minor
    const left = this.#initialMinor - this.creditedMinor
    if (this.writtenOffMinor > left) this.writtenOffMinor = left
    this.#close()
  }

  refuseReissue(isExempt: boolean): Refused {
    if (this.notedMinor > 0n) return 'invoice_has_notes'
    return this.totalFor(isExempt) > this.totalMinor ? 'reissue_raises_total' : undefined
  }

  /** What is paid or not asked for any more does not stay written off. */
  reissue(invoiceId: string, isExempt: boolean): void {
    const totalMinor = this.totalFor(isExempt)
    this.creditedMinor += this.totalMinor - totalMinor
    this.totalMinor = totalMinor
    this.invoiceId = invoiceId
    const left = this.#initialMinor - this.creditedMinor - this.paidMinor + this.movedMinor
    const given = left > 0n ? left : 0n
    if (this.writtenOffMinor > given) this.writtenOffMinor = given
    this.#close()
  }

  #close(): void {
    if (this.paidMinor === 0n && this.dueMinor <= 0n) this.isClosed = true
  }
}

function atLeastOne(minor: bigint): bigint {
  return minor > 0n ? minor : 1n
}
