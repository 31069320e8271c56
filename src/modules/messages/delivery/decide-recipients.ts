import type { Message } from '../model/message.ts'
import { isSuppressed, type SuppressionKind } from '../model/suppression.ts'

/**
 * - `copiesOf`: By customer, the addresses that get a copy.
 * - `suppressions`: By address in lower case.
 */
export interface RecipientGround {
  readonly bcc: string | null
  readonly replyTo: string | null
  readonly copiesOf: ReadonlyMap<string, readonly string[]>
  readonly suppressions: ReadonlyMap<string, SuppressionKind>
}

/**
 * - `cc`: The copies that the mail shows.
 * - `recipients`: To whom this try sends it: not to those whom an earlier one reached.
 * - `isSuppressed`: Whether its recipient gets no such messages. Copies are sent nevertheless.
 */
export interface Recipients {
  readonly cc: readonly string[]
  readonly recipients: readonly string[]
  readonly isSuppressed: boolean
}

export function decideRecipients(
  {
    kind,
    state,
    recipient,
    customerUuid,
    reached,
  }: Pick<Message, 'kind' | 'state' | 'customerUuid' | 'reached'> & { readonly recipient: string },
  { bcc, copiesOf, suppressions }: RecipientGround,
): Recipients {
  const isStopped = (address: string) => isSuppressed(suppressions.get(address.toLowerCase()), kind)
  const stops = state === 'queued' && isStopped(recipient)
  // Whoever opens the link of a portal is signed in, so nobody gets a copy of it.
  const hasCopies = kind !== 'portal_link'
  const cc = hasCopies ? (copiesOf.get(customerUuid) ?? []) : []
  const copies = hasCopies && bcc !== null ? [...cc, bcc] : cc
  const wanted = [
    ...(state === 'queued' && !stops ? [recipient] : []),
    ...copies.filter((address) => !isStopped(address)),
  ]
  const recipients = [...new Set(wanted)].filter((address) => !reached.includes(address))
  return { cc, recipients, isSuppressed: stops || state === 'suppressed' }
}
