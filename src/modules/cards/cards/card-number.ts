import { randomInt } from 'node:crypto'
import { withCheckDigit } from '#kernel/card-number'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import type { Tx } from '#platform/postgres/database'
import { sealedNumbersEndingIn } from '../storage/card.repository.ts'

/** A Visa range for tests, which no network routes to a real issuer. */
const TEST_BIN = '411111'
export const ISSUER_BRAND = 'visa'
export const NUMBER_LENGTH = 16

/** Binds a sealed number to its card, so that copying it to another card's row makes it unreadable. */
export function sealBinding(businessId: string, cardId: string): SealBinding {
  return { businessId, field: `cards.sealed_number/${cardId}` }
}

export async function generateNumber(tx: Tx, keyring: Pick<Keyring, 'open'>): Promise<string> {
  for (;;) {
    const number = randomNumber()
    const candidates = await sealedNumbersEndingIn(tx, number.slice(-4))
    const taken = candidates.some(
      ({ id, sealedNumber }) => keyring.open(sealedNumber, sealBinding(tx.businessId, id)) === number,
    )
    if (!taken) return number
  }
}

function randomNumber(): string {
  const account = String(randomInt(10 ** 9)).padStart(NUMBER_LENGTH - TEST_BIN.length - 1, '0')
  return withCheckDigit(TEST_BIN + account)
}
