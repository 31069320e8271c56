import { say } from '#kernel/say'
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { onOneLine } from '#kernel/one-line'
import type { CheckoutDependencies } from '../dependencies.ts'
import { insertPayerCode, spendCode, takeTry } from '../storage/payer-code.repository.ts'
import type { PaymentView } from '../model/payment-view.ts'
import { type Words } from '../words/words.ts'
import { savedCardsOf } from './saved-cards.ts'

/** A code's life and its tries: reference/pages#saved-cards. */
export const CODE_MINUTES = 10
const MAX_TRIES = 5
/**
 * Somebody who holds a link and knows the address gets 50 guesses a day among a million codes, and can have ten
 * e-mails a day sent to the address.
 */
const MAX_CODES_A_DAY = 10

export interface CodeRequest {
  readonly view: PaymentView
  readonly words: Words
  readonly email: string
  readonly requestId: string
}

/**
 * Sends a code when `email` is the address of the order's customer, who has a card to show. Neither the response nor its
 * duration shows whether a code was sent.
 * @returns the id of the code; null when too many were asked for
 */
export async function requestCode(
  deps: CheckoutDependencies,
  { view, words, email, requestId }: CodeRequest,
): Promise<string | null> {
  const { businessId, order } = view
  const { customerUuid } = order
  if (customerUuid === null || deps.mailer === undefined) return null
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const id = newId('pyc')
  const createdAt = realClock.now()
  const { address, isStored } = await deps.db.transact(businessId, async (tx) => {
    const customer = (await deps.customers.findCustomers(tx, [customerUuid])).get(customerUuid)
    const cards = await savedCardsOf(deps, tx, customerUuid)
    const isTheirs = customer?.email != null && sameAddress(customer.email, email) && cards.length > 0
    const stored = await insertPayerCode(
      tx,
      {
        id,
        orderId: order.id,
        customerUuid,
        codeHash: isTheirs ? newestHash(deps, id, code) : null,
        createdAt,
        expiresAt: createdAt.add({ minutes: CODE_MINUTES }),
      },
      { max: MAX_CODES_A_DAY, since: createdAt.subtract({ hours: 24 }) },
    )
    return { address: isTheirs ? customer.email : null, isStored: stored }
  })
  if (!isStored) return null
  if (address !== null) {
    const values = { code, name: onOneLine(view.businessName), minutes: String(CODE_MINUTES) }
    const mail = {
      to: address,
      subject: say(words.codeMailSubject, values),
      text: say(words.codeMailText, values),
    }
    deps.mailer.send(mail).catch((error: unknown) => {
      deps.log.warn(
        { err: error, business_id: businessId, request_id: requestId },
        'a code could not be sent',
      )
    })
  }
  return id
}

export async function proveCode(
  deps: CheckoutDependencies,
  view: PaymentView,
  { id, code }: { readonly id: string; readonly code: string },
): Promise<boolean> {
  const at = realClock.now()
  return deps.db.transact(view.businessId, async (tx) => {
    const stored = await takeTry(tx, { id, orderId: view.order.id, at, maxTries: MAX_TRIES })
    if (stored == null || !hashes(deps, id, code).some((hash) => isEqual(hash, stored))) return false
    await spendCode(tx, id)
    return true
  })
}

function sameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** Keyed: anyone could find a plain hash of six digits by trying all of them. */
function hashes({ keyring }: CheckoutDependencies, id: string, code: string): string[] {
  return keyring
    .derivedKeys('payer codes')
    .map(({ secret }) => createHmac('sha256', secret).update(`${id} ${code}`).digest('base64url'))
}

function newestHash(deps: CheckoutDependencies, id: string, code: string): string {
  const [hash] = hashes(deps, id, code)
  if (hash === undefined) throw new Error('the keyring is empty')
  return hash
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
