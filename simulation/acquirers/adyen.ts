import type { Movement } from '../../twins/common/books.ts'
import { newAdyenCard } from '../../twins/common/new-card.ts'
import type { BookLine } from '../../src/modules/acquirers/testing/simulator.ts'
import type { CardBehavior } from './card-behavior.ts'
import type { TwinKind } from './twin.ts'

const API_KEY = 'AQE_simulation'
const MERCHANT_ACCOUNT = 'SimulationECOM'
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** The twin takes a card with such a name and declines its later payments. */
const HOLDER_NAMES: Readonly<Record<CardBehavior, string>> = {
  approves: 'Chan Tai Man',
  declines: 'LATER NOT_ENOUGH_BALANCE',
  stolen: 'LATER NOT_ENOUGH_BALANCE',
}

export const ADYEN: TwinKind = {
  acquirer: 'adyen',
  credentials: {
    api_key: API_KEY,
    client_key: 'test_simulation',
    merchant_account: MERCHANT_ACCOUNT,
    hmac_key: HMAC_KEY,
  },
  noticeSecret: HMAC_KEY,
  forgetsKeys: false,
  newToken: (url, customerUuid, behavior) =>
    newAdyenCard(url, {
      apiKey: API_KEY,
      merchantAccount: MERCHANT_ACCOUNT,
      customerUuid,
      holderName: HOLDER_NAMES[behavior],
    }),
  toBookLines: (movements, orders) => {
    const transactions = new Map(
      orders.flatMap((order) => order.transactions.map((transaction) => [transaction.uuid, transaction])),
    )
    const isSale = (key: string): boolean => transactions.get(key)?.type === 'Sales'
    const isFailed = (key: string): boolean =>
      transactions.get(key)?.payment_data.transaction_state === 'failed'
    const released = releasedHolds(movements, isFailed)
    const counted = movements.filter(
      ({ operation, reference }) => operation === 'capture' || !released.has(reference),
    )
    return counted.flatMap(
      (movement): BookLine[] => saleLine(movement, isSale) ?? lineOf(movement, movements),
    )
  },
}

/** References of holds that were canceled again because their payment had failed here. Captures still count. */
function releasedHolds(movements: readonly Movement[], isFailed: (key: string) => boolean): Set<string> {
  const voided = new Set(
    movements.filter(({ operation }) => operation === 'void').map(({ reference }) => reference),
  )
  const held = movements.filter(({ operation, key }) => operation === 'authorization' && isFailed(key))
  return new Set(held.map(({ reference }) => reference).filter((reference) => voided.has(reference)))
}

const CAPTURE_OF_SALE = ':capture'

/** A sale is an authorization and its capture under a key of its own; only the capture moves money. */
function saleLine(movement: Movement, isSale: (key: string) => boolean): BookLine[] | undefined {
  const { key, operation, outcome } = movement
  if (operation === 'capture' && key.endsWith(CAPTURE_OF_SALE)) {
    return [{ ...lineMembers(movement), key: key.slice(0, -CAPTURE_OF_SALE.length), operation: 'sale' }]
  }
  if (operation === 'authorization' && isSale(key)) {
    return outcome === 'declined' ? [{ ...lineMembers(movement), operation: 'sale' }] : []
  }
  return undefined
}

function lineOf(movement: Movement, movements: readonly Movement[]): BookLine[] {
  const line = lineMembers(movement)
  if (movement.operation !== 'void') return [line]
  const original = movements.find(
    ({ reference, operation }) => reference === movement.reference && operation === 'authorization',
  )
  return [{ ...line, key: `void of ${movement.reference}`, original_key: original?.key ?? '' }]
}

function lineMembers({ key, operation, amount, currency, outcome, booked_at }: Movement): BookLine {
  return { key, operation, amount, currency, outcome, booked_at }
}
