import type { IssuedInvoice } from '#modules/invoices'
import type { Attachment } from '#platform/mail/mailer'
import type { MessagesContext } from '../context.ts'
import { buildContent } from '../content/build-content.ts'
import { isGone } from '../content/is-gone.ts'
import { type ContentGround, plansAhead, readGround } from '../content/read-ground.ts'
import { OPTIONAL_KINDS } from '../model/kinds.ts'
import type { Message, ShownAttachment } from '../model/message.ts'
import type { RenderedMessage } from '../rendering/content.ts'
import { renderMessage } from '../rendering/render.ts'

export interface RenderedMail extends RenderedMessage {
  readonly attachments: readonly Attachment[]
  readonly unsubscribeUrl: string | null
}

/** - `mail`: Null when the cause has gone. */
export interface ToDeliver {
  readonly message: Message
  readonly mail: RenderedMail | null
}

const PDF = 'application/pdf'

/** Renders messages as they would be sent now, in the order given. Documents are drawn outside of any transaction. */
export async function renderMessages(
  ctx: MessagesContext,
  businessId: string,
  messages: readonly Message[],
  { dropsGone }: { readonly dropsGone: boolean },
): Promise<ToDeliver[]> {
  if (messages.length === 0) return []
  const ahead = plansAhead(messages)
  const [branding, nextBills] = await Promise.all([
    ctx.businesses.branding(businessId),
    ahead.length === 0 ? new Map() : ctx.billing.nextBills({ businessId }, ahead),
  ])
  const ground = await ctx.db.transact(businessId, (tx) =>
    readGround(ctx, tx, messages, { branding, nextBills }),
  )
  return Promise.all(
    messages.map(async (message): Promise<ToDeliver> => {
      if (dropsGone && message.state === 'queued' && isGone(message, ground)) return { message, mail: null }
      return { message, mail: await renderOne(ctx, ground, message) }
    }),
  )
}

async function renderOne(
  ctx: MessagesContext,
  ground: ContentGround,
  message: Message,
): Promise<RenderedMail> {
  const { businessId } = ground.profile
  const unsubscribeUrl = OPTIONAL_KINDS.has(message.kind)
    ? ctx.links.make({ businessId, purpose: 'unsubscribe', id: message.id })
    : null
  const content = buildContent(message, ground, {
    publicUrl: ctx.publicUrl(),
    orderLink: (id) => ctx.links.make({ businessId, purpose: 'payment', id }),
    unsubscribeUrl,
  })
  const documents = message.documentIds.flatMap((id) => ground.documents.get(id) ?? [])
  const attachments = await Promise.all(documents.map((document) => drawn(ctx, ground, document)))
  const stored = isSettledInvoice(message, documents) ? undefined : storedText(message)
  return { ...(stored ?? renderMessage(content)), attachments, unsubscribeUrl }
}

/** An invoice that was paid, credited or voided since its first try is rendered anew, without a request for payment. */
function isSettledInvoice({ kind }: Message, [document]: readonly IssuedInvoice[]): boolean {
  return kind === 'invoice' && document?.amountDue.isPositive() === false
}

export function shownAttachments(attachments: readonly Attachment[]): ShownAttachment[] {
  return attachments.map(({ name, contentType, content }) => ({
    name,
    content_type: contentType,
    size: content.length,
  }))
}

/** Each try sends what the first one sent. */
function storedText({ subject, html, body }: Message): RenderedMessage | undefined {
  return subject === null || html === null || body === null ? undefined : { subject, html, text: body }
}

async function drawn(
  ctx: MessagesContext,
  { profile }: ContentGround,
  document: IssuedInvoice,
): Promise<Attachment> {
  const { name, content } = await ctx.invoices.drawPdf(profile, document)
  return { name, contentType: PDF, content: Buffer.from(content) }
}
