import type { BillingDetails } from '#modules/taxes'
import type { Customer } from '#modules/customers'
import type { Message, MessageCause } from './message.ts'
import type { MessageSettings } from './settings.ts'
import { isSuppressed, type SuppressionKind } from './suppression.ts'

/**
 * - `isTest`: Whether the environment is a test one.
 * - `languageOf`: The language of messages that a tag names.
 */
interface MessageGround {
  readonly settings: MessageSettings
  readonly isTest: boolean
  readonly customers: ReadonlyMap<string, Customer>
  readonly details: ReadonlyMap<string, Pick<BillingDetails, 'invoiceEmail' | 'language'>>
  readonly suppressions: ReadonlyMap<string, SuppressionKind>
  readonly languageOf: (tag: string) => string | undefined
  readonly isAddress: (text: string) => boolean
}

/** Decides to whom a message goes and in which language; null where none is made (reference/messages#recipients). */
export function decideMessage(
  cause: MessageCause,
  ground: MessageGround,
  id: string,
): Omit<Message, 'documentIds' | 'reached'> | null {
  const { settings, customers } = ground
  const { kind, objectId, customerUuid, facts, at } = cause
  const customer = customers.get(customerUuid)
  if (customer === undefined || customer.erasedAt !== null) return null
  const isOff = customer.messagesOff?.includes(kind) === true
  if (isOff && cause.resentFrom === undefined) return null
  const recipient = cause.recipient ?? ground.details.get(customerUuid)?.invoiceEmail ?? customer.email
  if (recipient === null || !ground.isAddress(recipient)) return null
  const stopped = isOff || isSuppressed(ground.suppressions.get(recipient.toLowerCase()), kind)
  const state = stopped ? 'suppressed' : ground.isTest && !settings.deliverInTest ? 'kept' : 'queued'
  return {
    id,
    kind,
    state,
    objectId,
    cause: cause.cause,
    customerUuid,
    recipient,
    language: chosenLanguage(cause, ground),
    facts,
    subject: null,
    html: null,
    body: null,
    attachments: null,
    tries: 0,
    firstTryAt: null,
    error: null,
    resentFrom: cause.resentFrom ?? null,
    createdAt: at,
    sentAt: null,
    // What the customer has switched off has no copies either.
    dueAt: isOff ? null : at,
  }
}

function chosenLanguage(
  { customerUuid }: MessageCause,
  { details, settings, languageOf }: MessageGround,
): string {
  const tags = [details.get(customerUuid)?.language, settings.language]
  const chosen = tags.map((tag) => (tag == null ? undefined : languageOf(tag)))
  return chosen.find((language) => language !== undefined) ?? 'en'
}
