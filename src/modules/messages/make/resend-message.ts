import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Message } from '../model/message.ts'
import { findMessage } from '../storage/message.repository.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { writeMessages } from './create-messages.ts'

/** Makes a new message of the same kind and facts, rendered from today's data and sent to today's recipient. */
export function resendMessage(ctx: MessagesContext, caller: Caller, id: string): Promise<Message> {
  return once(ctx.db, caller, async (tx) => {
    const before = await findMessage(tx, id)
    if (before === undefined) throw errors.message_not_found()
    const { kind, objectId, customerUuid, facts, documentIds } = before
    if (facts === null) throw errors.message_erased()
    const settings = await findSettings(tx)
    const cause = `resend ${newId('rsd')}`
    const again = { kind, objectId, cause, customerUuid, facts, documentIds, at: tx.now, resentFrom: id }
    const [made] = await writeMessages(ctx, tx, [again], settings)
    if (made === undefined) throw errors.recipient_missing()
    return { ...made, reached: [] }
  })
}
