import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { type Message, messageIdOf } from '../model/message.ts'
import { withoutPortalLinks } from '../model/portal-links.ts'
import type { MessageSettings } from '../model/settings.ts'
import type { Suppression } from '../model/suppression.ts'
import type { MessageTemplate } from '../model/template.ts'
import type { RenderedMessage } from '../rendering/content.ts'
import type { Bounce } from '../suppressions/report-bounce.ts'
import type {
  BounceData,
  MessageData,
  MessageEventData,
  MessageSettingsData,
  MessagesPage,
  PreviewData,
  SuppressionData,
  SuppressionsPage,
  TemplateData,
  TestData,
} from './schemas.ts'

export function renderSettings(settings: MessageSettings): Static<typeof MessageSettingsData> {
  return {
    message_settings: {
      enabled: [...settings.enabled],
      reply_to: settings.replyTo,
      language: settings.language,
      renewal_days: settings.renewalDays,
      deliver_in_test: settings.deliverInTest,
      bcc: settings.bcc,
      join_receipt: settings.joinReceipt,
      message_days: settings.messageDays,
    },
  }
}

function renderShown(message: Message, domain: string): Static<typeof MessageEventData>['message'] {
  return {
    id: message.id,
    kind: message.kind,
    state: message.state,
    to: message.recipient,
    language: message.language,
    object_id: message.objectId,
    customer_uuid: message.customerUuid,
    message_id: messageIdOf(message, domain),
    attempts: message.tries,
    ...(message.error !== null && { error: message.error }),
    ...(message.resentFrom !== null && { resent_from: message.resentFrom }),
    created_at: toRfc3339(message.createdAt),
    ...(message.sentAt !== null && { sent_at: toRfc3339(message.sentAt) }),
  }
}

export function renderMessageEvent(message: Message, domain: string): Static<typeof MessageEventData> {
  return { message: renderShown(message, domain) }
}

/** A kept message reaches nobody, so that its links are tried from here. */
function renderWhole(message: Message, domain: string): Static<typeof MessageData>['message'] {
  const { html, body } = message.state === 'kept' ? message : withoutPortalLinks(message)
  return {
    ...renderShown(message, domain),
    subject: message.subject,
    html,
    text: body,
    attachments: [...(message.attachments ?? [])],
  }
}

export function renderMessageData(message: Message, domain: string): Static<typeof MessageData> {
  return { message: renderWhole(message, domain) }
}

export function renderMessagesPage(
  request: PageRequest,
  found: readonly Message[],
  domain: string,
): Static<typeof MessagesPage> {
  const { rows, page } = renderPage(request, found, byCreation, (message) => renderWhole(message, domain))
  return { messages: rows, page }
}

export function renderTemplate(template: MessageTemplate): Static<typeof TemplateData> {
  const { kind, language, subject, intro, outro } = template
  return { message_template: { kind, language, subject, intro, outro } }
}

export function renderPreview({ subject, html, text }: RenderedMessage): Static<typeof PreviewData> {
  return { message_preview: { subject, html, text } }
}

export function renderTest(to: string): Static<typeof TestData> {
  return { message_test: { to } }
}

export function renderBounce({ messageId, address, kind }: Bounce): Static<typeof BounceData> {
  return { bounce: { message_id: messageId, address, kind } }
}

function renderOne({ address, kind, createdAt }: Suppression): Static<typeof SuppressionData>['suppression'] {
  return { address, kind, created_at: toRfc3339(createdAt) }
}

export function renderSuppression(suppression: Suppression): Static<typeof SuppressionData> {
  return { suppression: renderOne(suppression) }
}

export function renderSuppressionsPage(
  request: PageRequest,
  found: readonly Suppression[],
): Static<typeof SuppressionsPage> {
  const { rows, page } = renderPage(
    request,
    found,
    ({ createdAt, address }) => ({ at: createdAt, id: address }),
    renderOne,
  )
  return { suppressions: rows, page }
}
