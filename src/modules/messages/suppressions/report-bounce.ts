import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once } from '#platform/idempotency/idempotency'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { idOfMessageId, type Message, messageIdOf } from '../model/message.ts'
import type { NewBounce } from '../requests/message-requests.ts'
import { findMessage, setMessageState } from '../storage/message.repository.ts'
import { suppress } from '../storage/suppression.repository.ts'

export interface Bounce {
  readonly messageId: string | null
  readonly address: string | null
  readonly kind: NewBounce['kind']
}

/** What a mail server, or the service that sends for it, said of a message or an address later. */
export function reportBounce(ctx: MessagesContext, caller: Caller, request: NewBounce): Promise<Bounce> {
  const { message_id: messageId, address, kind } = request
  if (messageId === undefined && address === undefined) {
    throw platformErrors.missing_member({
      param: 'bounce.message_id',
      message: 'bounce.message_id or bounce.address is missing.',
    })
  }
  if (messageId !== undefined && address !== undefined) throw errors.bounce_invalid({ param: 'bounce' })
  return once(ctx.db, caller, async (tx) => {
    const message =
      messageId === undefined ? undefined : await findMessage(tx, idOfMessageId(messageId), true)
    if (messageId !== undefined && message === undefined) {
      throw errors.message_not_found({ param: 'bounce.message_id' })
    }
    const bounced = address ?? message?.recipient ?? null
    if (bounced !== null && kind !== 'soft') await suppress(tx, [[bounced, kind]], tx.now)
    if (message !== undefined) {
      const state = kind === 'complaint' ? 'complained' : 'bounced'
      if (message.state !== state) {
        await setMessageState(tx, message.id, state)
        const changed: Message = { ...message, state, dueAt: null }
        const data = ctx.present.event(changed)
        await ctx.events.append(tx, [
          { type: `message.${state}`, objectId: message.id, timestamp: tx.now, data },
        ])
      }
    }
    return {
      messageId: message === undefined ? null : messageIdOf(message, ctx.domain()),
      address: bounced,
      kind,
    }
  })
}
