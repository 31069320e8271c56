import { randomInt } from 'node:crypto'
import type { Keyring, SealBinding } from '#platform/keyring'
import type { Tx } from '#platform/database'
import { sealedNumbersEndingIn } from './card.repository.ts'

/** A range of Visa's that is used for testing: no network routes it to a real issuer. */
const TEST_BIN = '411111'
export const ISSUER_BRAND = 'visa'
const NUMBER_LENGTH = 16

/** A sealed number opens only as that of its own card: rows cannot be exchanged, not even within a tenant. */
export function sealBinding(businessId: string, cardId: string): SealBinding {
  return { businessId, field: `cards.sealed_number/${cardId}` }
}

/** A number that no other card of the business has. It is only ever stored sealed. */
export async function drawNumber(tx: Tx, keyring: Pick<Keyring, 'open'>): Promise<string> {
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

/** Appends the digit that makes the number pass Luhn's test (ISO/IEC 7812-1, annex B). */
export function withCheckDigit(digits: string): string {
  let sum = 0
  let doubles = true
  for (let i = digits.length - 1; i >= 0; i--) {
    const value = Number(digits[i]) * (doubles ? 2 : 1)
    sum += value > 9 ? value - 9 : value
    doubles = !doubles
  }
  return digits + String((10 - (sum % 10)) % 10)
}

/** How a number is shown: `411111******1111`. */
export function maskedNumber(card: { readonly first6: string; readonly last4: string }): string {
  return card.first6 + '*'.repeat(NUMBER_LENGTH - 10) + card.last4
}
