import type { Movement } from '../../twins/common/books.ts'
import { newStripeCard } from '../../twins/common/new-card.ts'
import type { BookLine } from '../../src/modules/acquirers/testing/simulator.ts'
import type { CardBehavior } from './card-behavior.ts'
import type { TwinKind } from './twin.ts'

const SECRET_KEY = 'sk_test_simulation'
const WEBHOOK_SECRET = 'whsec_simulation'

/** Cards that can be attached to a customer. Stripe has no such card that is declined as stolen when it is charged. */
const CARD_NUMBERS: Readonly<Record<CardBehavior, string>> = {
  approves: '4242424242424242',
  declines: '4000000000000341',
  stolen: '4000000000000341',
}

export const STRIPE: TwinKind = {
  acquirer: 'stripe',
  credentials: {
    secret_key: SECRET_KEY,
    publishable_key: 'pk_test_simulation',
    webhook_secret: WEBHOOK_SECRET,
  },
  noticeSecret: WEBHOOK_SECRET,
  forgetsKeys: true,
  newToken: (url, _customerUuid, behavior) => newStripeCard(url, SECRET_KEY, CARD_NUMBERS[behavior]),
  toBookLines: bookLinesOf,
}

export function bookLinesOf(movements: readonly Movement[]): BookLine[] {
  return movements.filter(isFinal).map((movement) => toBookLine(movement, movements))
}

/** A payment that waits at the acquirer has moved no money yet. */
function isFinal({ outcome }: Movement): boolean {
  return outcome !== 'pending'
}

function toBookLine(movement: Movement, movements: readonly Movement[]): BookLine {
  const { key, operation, amount, currency, outcome, reference, booked_at } = movement
  const line = { key, operation, amount, currency, outcome, booked_at }
  if (operation !== 'void') return line
  const original = movements.find(
    (earlier) => earlier.reference === reference && earlier.operation === 'authorization',
  )
  return { ...line, key: `void of ${reference}`, original_key: original?.key ?? '' }
}
