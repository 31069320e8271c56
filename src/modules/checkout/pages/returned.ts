import type { FastifyRequest } from 'fastify'

const OWN_MEMBERS = new Set(['lang', 'back', 'customer_session'])
/** The bound of reference/pages#returning-payers. */
const MAX_MEMBERS = 10
const NAME = /^[\w.-]{1,64}$/
/** A `redirectResult` of Adyen has a few hundred characters, an address at most 16 kB. */
const MAX_VALUE_LENGTH = 8_192

/**
 * The query members that an acquirer added when it sent the payer back; null when there are none. They are passed on to the
 * acquirer, stored encrypted until it has reported the outcome, and never logged or shown.
 */
export function returnedMembers({ query }: FastifyRequest): Readonly<Record<string, string>> | null {
  const added = Object.entries(query as Readonly<Record<string, unknown>>).filter(
    ([name]) => !OWN_MEMBERS.has(name),
  )
  if (added.length === 0) return null
  return Object.fromEntries(added.filter(isMember).slice(0, MAX_MEMBERS))
}

function isMember(entry: [string, unknown]): entry is [string, string] {
  const [name, value] = entry
  return NAME.test(name) && typeof value === 'string' && value.length <= MAX_VALUE_LENGTH
}
