import type { CardLife } from '../plan/draw-cards.ts'

const HOLD_LIFE = Temporal.Duration.from({ hours: 168 })

export interface AuthorizationModel {
  readonly uuid: string
  readonly reference: string
  readonly approved: boolean
  readonly minor: bigint
  readonly at: Temporal.Instant
  heldMinor: bigint
  capturedMinor: bigint
  refundedMinor: bigint
}

/** What a card's limits have used, by the authorizations with a response. None of it is ever unknown. */
export class CardModel {
  readonly life: CardLife
  readonly id: string
  readonly authorizations: AuthorizationModel[] = []

  constructor(life: CardLife, id: string) {
    this.life = life
    this.id = id
  }

  /** The amount that counts in the `Lifetime` limit: what is held and captured, less refunds. */
  usedMinor(now: Temporal.Instant): bigint {
    return this.authorizations
      .map((one) => (hasLapsed(one, now) ? 0n : one.heldMinor) + one.capturedMinor - one.refundedMinor)
      .reduce((a, b) => a + b, 0n)
  }

  /** Returns what is wrong with the decisions on concurrent authorizations. */
  decide(decided: readonly AuthorizationModel[]): string[] {
    const { transactionMinor, lifetimeMinor } = this.life
    const lifetime = BigInt(lifetimeMinor)
    const times = decided.map(({ at }) => at).toSorted((a, b) => Temporal.Instant.compare(a, b))
    const [first, last] = [times[0], times.at(-1)]
    if (first === undefined || last === undefined) return []
    const mostUsed = this.usedMinor(first)
    const leastUsed = this.usedMinor(last)
    this.authorizations.push(...decided)
    const approved = decided.filter((one) => one.approved).reduce((total, { minor }) => total + minor, 0n)
    const findings = decided.flatMap(({ uuid, approved: isApproved, minor }) => {
      if (isApproved)
        return minor > BigInt(transactionMinor) ? [`${uuid} of ${minor} is above its limit`] : []
      const fits = minor <= BigInt(transactionMinor) && mostUsed + approved + minor <= lifetime
      return fits ? [`${uuid} of ${minor} was declined, with ${mostUsed + approved} of ${lifetime} used`] : []
    })
    if (approved > 0n && leastUsed + approved > lifetime)
      findings.push(`${leastUsed + approved} of ${lifetime} are used`)
    return findings.map((finding) => `card ${this.life.name}: ${finding}`)
  }
}

export function hasLapsed({ at }: AuthorizationModel, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at.add(HOLD_LIFE), now) <= 0
}
