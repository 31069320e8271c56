import { type Step, unknown } from '../../intents/intent.ts'
import type { Payer } from '../../port/port.ts'
import { READ_AGAIN } from '../declines.ts'
import type { AirwallexClient } from '../wire/airwallex-client.ts'
import { listOf, membersOf, textOf } from '../wire/members.ts'
import { readFailure, refusedUnlessSent } from './read-intent.ts'

/** Of `first_name` at Airwallex. A name here may have 255 characters. */
const MAX_NAME_LENGTH = 128

/** A payer is one customer at Airwallex, whose `merchant_customer_id` is our customer's uuid. */
export async function findCustomer(
  client: AirwallexClient,
  payer: Payer,
  key: string,
): Promise<Step<string>> {
  if (payer.reference !== null) return { kind: 'ok', value: payer.reference }
  const { customerUuid, name, email } = payer
  const body = {
    merchant_customer_id: customerUuid,
    ...(name !== '' && { first_name: cut(name) }),
    ...(email !== '' && { email }),
  }
  const created = await client.post('/pa/customers/create', body, { via: 'begin', requestId: `${key}:cus` })
  if (created.kind === 'ok') return idOf(created.object.id)
  if (created.kind === 'error' && READ_AGAIN.has(created.code)) return readCustomer(client, customerUuid)
  return refusedUnlessSent(readFailure(created), created)
}

/** The first characters, without half of a surrogate pair at the end. */
function cut(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, '')
}

async function readCustomer(client: AirwallexClient, customerUuid: string): Promise<Step<string>> {
  const query = { merchant_customer_id: customerUuid, page_num: '0', page_size: '10' }
  const found = await client.get('/pa/customers', query, 'send')
  if (found.kind !== 'ok') return readFailure(found)
  const own = listOf(found.object.items)
    .map(membersOf)
    .find(({ merchant_customer_id: id }) => id === customerUuid)
  return own === undefined ? unknown('The customer at Airwallex cannot be found.') : idOf(own.id)
}

function idOf(value: unknown): Step<string> {
  const id = textOf(value)
  return id === null ? unknown("Airwallex's response cannot be parsed.") : { kind: 'ok', value: id }
}
