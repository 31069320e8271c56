import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  NullableString,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { MESSAGE_KINDS } from '../model/kinds.ts'
import { MESSAGE_STATES } from '../model/message.ts'
import {
  BOUNCE_KINDS,
  Language,
  NewBounceSchema,
  SettingsEditSchema,
  TemplateEditSchema,
} from '../requests/message-requests.ts'
import { SUPPRESSION_KINDS } from '../model/suppression.ts'

const MessageSettingsSchema = Resource('MessageSettings', {
  enabled: Type.Array(OneOf(MESSAGE_KINDS)),
  reply_to: NullableString,
  language: NullableString,
  renewal_days: Type.Integer(),
  deliver_in_test: Type.Boolean(),
  bcc: NullableString,
  join_receipt: Type.Boolean(),
  message_days: Type.Integer(),
})
export const MessageSettingsData = Type.Object({ message_settings: MessageSettingsSchema })

export const EditSettingsBody = strictObject({ message_settings: SettingsEditSchema })

const MessageSchema = Resource('Message', {
  id: Type.String(),
  kind: OneOf(MESSAGE_KINDS),
  state: OneOf(MESSAGE_STATES),
  to: NullableString,
  language: Type.String(),
  subject: NullableString,
  html: NullableString,
  text: NullableString,
  attachments: Type.Array(
    Type.Object({ name: Type.String(), content_type: Type.String(), size: Type.Integer() }),
  ),
  object_id: Type.String({
    description: 'The number of the order, or the id of the document, plan or token that it is about.',
  }),
  customer_uuid: Type.String(),
  message_id: Type.String({ description: 'The value of the header Message-ID.' }),
  attempts: Type.Integer(),
  error: Type.Optional(Type.String({ description: 'What the mail server last said.' })),
  resent_from: Type.Optional(Type.String({ description: 'The message that it repeats.' })),
  created_at: TimestampOut(),
  sent_at: Type.Optional(TimestampOut()),
})
export const MessageData = Type.Object({ message: MessageSchema })
export const MessagesPage = Type.Object({ messages: Type.Array(MessageSchema), page: PageSchema })

const {
  subject: _subject,
  html: _html,
  text: _text,
  attachments: _attachments,
  ...shown
} = MessageSchema.properties
/** Events leave out what the message says, because it may hold links. */
export const MessageEventData = Type.Object({ message: Resource('MessageOfEvent', shown) })

export const TemplateParams = strictObject({
  kind: OneOf(MESSAGE_KINDS),
  language: Language(),
})

export const TemplateBody = strictObject({ message_template: TemplateEditSchema })

export const TemplateData = Type.Object({
  message_template: Resource('MessageTemplate', {
    kind: OneOf(MESSAGE_KINDS),
    language: Type.String(),
    subject: NullableString,
    intro: NullableString,
    outro: NullableString,
  }),
})

export const PLACEHOLDER_UNKNOWN = {
  name: 'PlaceholderUnknown',
  data: Type.Object({
    unknown: Type.Optional(Type.Array(Type.String())),
    known: Type.Optional(Type.Array(Type.String())),
  }),
}

export const PreviewData = Type.Object({
  message_preview: Resource('MessagePreview', {
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
  }),
})

export const TestData = Type.Object({
  message_test: Resource('MessageTest', {
    to: Type.String({ description: 'The address of the user who asked for it.' }),
  }),
})

export const BounceBody = strictObject({ bounce: NewBounceSchema })

export const BounceData = Type.Object({
  bounce: Resource('Bounce', {
    message_id: NullableString,
    address: NullableString,
    kind: OneOf(BOUNCE_KINDS),
  }),
})

const SuppressionSchema = Resource('Suppression', {
  address: Type.String({ description: 'In lower case.' }),
  kind: OneOf(SUPPRESSION_KINDS),
  created_at: TimestampOut(),
})
export const SuppressionData = Type.Object({ suppression: SuppressionSchema })
export const SuppressionsPage = Type.Object({ suppressions: Type.Array(SuppressionSchema), page: PageSchema })
export const AddressParams = strictObject({ address: Text({ max: 320 }) })
