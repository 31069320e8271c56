import { setTimeout as sleep } from 'node:timers/promises'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'
import type { CardBehavior } from '../../acquirers/card-behavior.ts'
import type { Merchant } from './merchant.ts'

const BINDING_POLL_MS = 500
const MAX_BINDING_POLLS = 60
const MAX_BINDINGS = 20
/** Nothing was booked, and the payer enters the card again. */
const NOT_PROCESSED: ReadonlySet<string> = new Set(['verification_not_processed', 'not_sent'])

export interface Payer {
  readonly customerUuid: string
  readonly token: string
}

export async function createPayer(
  merchant: Merchant,
  acquirer: SimulatedAcquirer,
  behavior: CardBehavior,
): Promise<Payer> {
  for (let tries = 1; tries <= MAX_BINDINGS; tries++) {
    const payer = await tryPayer(merchant, acquirer, behavior)
    if (payer !== undefined) return payer
  }
  throw new Error(`no card was bound in ${MAX_BINDINGS} tries`)
}

/** Undefined when the acquirer did not process the verification, or has not said yet what became of it. */
export async function tryPayer(
  merchant: Merchant,
  acquirer: SimulatedAcquirer,
  behavior: CardBehavior,
  agreement?: object,
): Promise<Payer | undefined> {
  const customer = await merchant.createCustomer()
  const instrument = agreement ?? (await acquirer.newCard(customer.uuid, behavior))
  const bound = await bindAndWait(merchant, customer.uuid, instrument)
  if (bound.state === 'active') return { customerUuid: customer.uuid, token: bound.token }
  if (bound.state === 'pending' || NOT_PROCESSED.has(bound.error_code ?? '')) return undefined
  throw new Error(`the card was not bound: ${JSON.stringify(bound)}`)
}

interface BoundCard {
  readonly state: string
  readonly token: string
  readonly error_code?: string
}

/** A busy machine may not have verified the card in time; then the service inquires. */
export async function bindAndWait(
  merchant: Merchant,
  customerUuid: string,
  card: object,
): Promise<BoundCard> {
  let bound: BoundCard = await merchant.bind(customerUuid, card)
  for (let tries = 0; bound.state === 'pending' && tries < MAX_BINDING_POLLS; tries++) {
    await sleep(BINDING_POLL_MS)
    const { payment_tokens: tokens } = await merchant.ok(
      'GET',
      `${PAYMENTS}/customers/${customerUuid}/payment_tokens`,
    )
    bound = (tokens as BoundCard[]).find(({ token }) => token === bound.token) ?? bound
  }
  return bound
}
