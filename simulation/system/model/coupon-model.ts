import { COUPONS } from '../plan/draw-plans.ts'

interface AttachedCoupon {
  readonly coupon: number
  uses: number
  /** The period that it lowered last. */
  period?: number
}

/** The coupons of a plan, in the order in which they lower an amount. */
export class PlanCoupons {
  #attached: AttachedCoupon[]

  constructor(coupons: readonly number[]) {
    this.#attached = coupons.map((coupon) => ({ coupon, uses: 0 }))
  }

  attach(coupon: number): void {
    this.#attached.push({ coupon, uses: 0 })
  }

  detach(coupon: number): void {
    this.#attached = this.#attached.filter((one) => one.coupon !== coupon)
  }

  /** Returns what is left of a price. Several amounts of one period share a use. */
  lower(minor: bigint, period: number): bigint {
    let left = minor
    for (const attached of this.#attached) {
      const { basisPointsOff = 0n, offMinor = 0n, times } = COUPONS[attached.coupon] ?? {}
      if (attached.uses === times && attached.period !== period) continue
      const rest = roundedPart(left, 10_000n - basisPointsOff, 10_000n) - offMinor
      if (attached.period !== period) attached.uses++
      attached.period = period
      left = rest > 0n ? rest : 0n
    }
    return left
  }

  /** How many periods each coupon has lowered, unless it is gone. */
  get uses(): ReadonlyMap<number, number> {
    return new Map(this.#attached.map(({ coupon, uses }) => [coupon, uses]))
  }
}

/** Rounds half up; amounts here are not negative. */
export function roundedPart(minor: bigint, part: bigint, whole: bigint): bigint {
  return (2n * minor * part + whole) / (2n * whole)
}
