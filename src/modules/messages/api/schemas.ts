import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  EXPECTED,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TextLine,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { MESSAGE_KINDS } from '../model/kinds.ts'
import { MESSAGE_STATES } from '../model/message.ts'
import { PLACEHOLDERS } from '../model/placeholders.ts'
import { SUPPRESSION_KINDS } from '../model/suppression.ts'
import { MESSAGE_LANGUAGES } from '../rendering/words.ts'

const MAX_TEXT = 5_000
const MAX_SUBJECT = 255
const MAX_RENEWAL_DAYS = 90
const MAX_MESSAGE_DAYS = 3_660

const NullableString = Nullable(Type.String())
const Email = (description: string) =>
  Type.String({
    pattern: '^[^\\s@<>(),;:"\\\\[\\]]{1,64}@[^\\s@<>(),;:"\\\\[\\]]{1,190}$',
    maxLength: 255,
    [EXPECTED]: 'an e-mail address',
    description,
  })
const [firstLanguage = 'en', ...otherLanguages] = MESSAGE_LANGUAGES
const Language = (description: string) => OneOf([firstLanguage, ...otherLanguages], { description })

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

export const EditSettingsBody = strictObject({
  message_settings: strictObject(
    {
      enabled: Type.Optional(
        Type.Array(OneOf(MESSAGE_KINDS), {
          maxItems: MESSAGE_KINDS.length,
          uniqueItems: true,
          description: 'The kinds that are made; replaces the list. By default none.',
        }),
      ),
      reply_to: Type.Optional(Nullable(Email('Where answers go. Null: to the sender.'))),
      language: Type.Optional(Nullable(Language('Of customers who have none. Null: English.'))),
      renewal_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_RENEWAL_DAYS,
          description: 'How many days before a period of half a year or more renews. Default 14.',
        }),
      ),
      deliver_in_test: Type.Optional(
        Type.Boolean({ description: 'Whether a test environment sends messages. Default: it keeps them.' }),
      ),
      bcc: Type.Optional(Nullable(Email('Gets a copy of each message.'))),
      join_receipt: Type.Optional(
        Type.Boolean({ description: 'Whether the invoice and the receipt of one payment are one message.' }),
      ),
      message_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_MESSAGE_DAYS,
          description: 'For how many days messages are kept. Default 400.',
        }),
      ),
    },
    { title: 'MessageSettingsEdit' },
  ),
})

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
  language: OneOf([firstLanguage, ...otherLanguages]),
})

const TemplateText = (description: string) =>
  Type.Optional(Nullable(Text({ max: MAX_TEXT, description: `${description} Plain text.` })))
const PLACEHOLDER_NAMES = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')

export const TemplateBody = strictObject({
  message_template: strictObject(
    {
      subject: Type.Optional(
        Nullable(TextLine({ max: MAX_SUBJECT, description: `May hold ${PLACEHOLDER_NAMES}.` })),
      ),
      intro: TemplateText('Stands before the details; null: the built-in text.'),
      outro: TemplateText('Stands after them; null: nothing.'),
    },
    { title: 'MessageTemplateEdit' },
  ),
})

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

const BOUNCE_KINDS = ['hard', 'soft', 'complaint'] as const

export const BounceBody = strictObject({
  bounce: strictObject(
    {
      message_id: Type.Optional(Text({ max: 255, description: 'The value of the header Message-ID.' })),
      address: Type.Optional(Email('Instead of a message: only suppresses the address.')),
      kind: OneOf(BOUNCE_KINDS, {
        description: 'hard suppresses the address, complaint the optional kinds, soft nothing.',
      }),
    },
    { title: 'NewBounce' },
  ),
})

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
