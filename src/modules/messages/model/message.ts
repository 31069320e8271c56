import type { Instant } from '#kernel/clock'
import type { MessageKind } from './kinds.ts'

/**
 * - `kept`: A test environment shows it and never sends it.
 * - `dropped`: Its cause had gone before it was sent.
 * - `failed`: No mail server took it within a day.
 * - `suppressed`: Its recipient gets no such messages any more.
 */
export const MESSAGE_STATES = [
  'queued',
  'sent',
  'failed',
  'kept',
  'dropped',
  'suppressed',
  'bounced',
  'complained',
] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * What the cause knew. The rest is read when the message is rendered.
 * - `orderId`: Absent where it is the object.
 * - `date`: Local (YYYY-MM-DD): the end, the renewal, the day of the reminder's due date.
 * - `nextAttemptAt`: RFC 3339; null where no attempt follows.
 */
interface MessageFacts {
  readonly variant?: 'scheduled' | 'with_invoice'
  readonly orderId?: string
  readonly planId?: string
  readonly documentId?: string
  readonly transactionId?: string
  readonly token?: string
  readonly date?: string
  readonly nextAttemptAt?: string | null
}

const ABOUT_ORDERS: ReadonlySet<MessageKind> = new Set(['receipt', 'payment_failed', 'payment_reminder'])

/** Undefined where it is about no order, or its customer is erased. */
export function orderIdOf({ kind, objectId, facts }: Message): string | undefined {
  return facts?.orderId ?? (facts !== null && ABOUT_ORDERS.has(kind) ? objectId : undefined)
}

export interface ShownAttachment {
  readonly name: string
  readonly content_type: string
  readonly size: number
}

/** - `body`: The text without HTML. It, `subject`, `html` and `attachments` are null until the message is rendered. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  readonly state: MessageState
  readonly objectId: string
  readonly cause: string
  readonly customerUuid: string
  readonly recipient: string | null
  readonly language: string
  readonly facts: MessageFacts | null
  readonly documentIds: readonly string[]
  readonly subject: string | null
  readonly html: string | null
  readonly body: string | null
  readonly attachments: readonly ShownAttachment[] | null
  readonly reached: readonly string[]
  readonly tries: number
  readonly firstTryAt: Instant | null
  readonly error: string | null
  readonly resentFrom: string | null
  readonly createdAt: Instant
  readonly sentAt: Instant | null
  readonly dueAt: Instant | null
}

/**
 * Why a message is made. There is at most one for each `kind`, `objectId` and `cause`.
 * - `recipient`: Replaces the address of the customer.
 */
export interface MessageCause {
  readonly kind: MessageKind
  readonly objectId: string
  readonly cause: string
  readonly customerUuid: string
  readonly facts: MessageFacts
  readonly documentIds?: readonly string[]
  readonly at: Instant
  readonly resentFrom?: string
  readonly recipient?: string
}

/** The value of the header Message-ID, the same for each try. */
export function messageIdOf({ id }: Pick<Message, 'id'>, domain: string): string {
  return `<${id}@${domain}>`
}

/** The id of a message by the value of its header, with or without the angle brackets. */
export function idOfMessageId(messageId: string): string {
  const bare = messageId.startsWith('<') ? messageId.slice(1) : messageId
  const at = bare.indexOf('@')
  return at < 0 ? bare : bare.slice(0, at)
}
