import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import sql from 'sql-template-tag'
import type { MessagesContext } from '../context.ts'
import { renderMessages, shownAttachments } from '../delivery/render-messages.ts'
import { errors } from '../errors.ts'
import type { Message } from '../model/message.ts'
import { findMessage, listMessages, MESSAGE_FIELDS } from '../storage/message.repository.ts'

export async function messagesOfPage(
  ctx: MessagesContext,
  { businessId }: Caller,
  filter: string | undefined,
  page: PageRequest,
): Promise<Message[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? sql`true` : filterCondition(filter, MESSAGE_FIELDS, timeZone)
  const found = await ctx.db.transact(businessId, (tx) => listMessages(tx, condition, page), {
    isSnapshot: true,
    isSearch: filter !== undefined,
  })
  return withText(ctx, businessId, found)
}

export async function messageById(
  ctx: MessagesContext,
  { businessId }: Caller,
  id: string,
): Promise<Message> {
  const found = await ctx.db.transact(businessId, (tx) => findMessage(tx, id))
  if (found === undefined) throw errors.message_not_found()
  const [shown] = await withText(ctx, businessId, [found])
  return shown ?? found
}

/** Renders messages that the job has not rendered yet: it does so a moment after their cause. */
async function withText(
  ctx: MessagesContext,
  businessId: string,
  messages: readonly Message[],
): Promise<Message[]> {
  const unrendered = messages.filter(({ subject, facts }) => subject === null && facts !== null)
  const rendered = await renderMessages(ctx, businessId, unrendered, { dropsGone: false })
  const mails = new Map(rendered.map(({ message, mail }) => [message.id, mail]))
  return messages.map((message) => {
    const mail = mails.get(message.id)
    if (mail == null) return message
    const { subject, html, text, attachments } = mail
    return { ...message, subject, html, body: text, attachments: shownAttachments(attachments) }
  })
}
