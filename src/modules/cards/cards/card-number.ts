import { randomInt } from 'node:crypto'
import { withCheckDigit } from '#kernel/card-number'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import type { Tx } from '#platform/postgres/database'
import { sealedNumbersEndingIn } from '../storage/card.repository.ts'

/** A range of Visa's that is used for testing: no network routes it to a real issuer. */
const TEST_BIN = '411111'
export const ISSUER_BRAND = 'visa'
export const NUMBER_LENGTH = 16

/** A sealed number opens only as that of its own card: rows cannot be exchanged, not even within a tenant. */
export function sealBinding(businessId: string, cardId: string): SealBinding {
  return { businessId, field: `cards.sealed_number/${cardId}` }
}

/** A number that no other card of the business has. It is only ever stored sealed. */
export async function generateNumber(tx: Tx, keyring: Pick<Keyring, 'open'>): Promise<string> {
  for (;;) {
    const number = randomNumber()
    const alike = await sealedNumbersEndingIn(tx, number.slice(-4))
    const taken = alike.some(
      ({ id, sealedNumber }) => keyring.open(sealedNumber, sealBinding(tx.businessId, id)) === number,
    )
    if (!taken) return number
  }
}

function randomNumber(): string {
  const account = String(randomInt(10 ** 9)).padStart(NUMBER_LENGTH - TEST_BIN.length - 1, '0')
  return withCheckDigit(TEST_BIN + account)
}
