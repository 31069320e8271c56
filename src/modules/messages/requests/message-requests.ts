import Type, { type Static } from 'typebox'
import { EXPECTED, Nullable, OneOf, strictObject, Text, TextLine } from '#platform/http/validation/schemas'
import { MESSAGE_LANGUAGES } from '../rendering/words.ts'
import { MESSAGE_KINDS } from '../model/kinds.ts'
import { PLACEHOLDERS } from '../model/placeholders.ts'

const MAX_TEXT = 5_000
const MAX_SUBJECT = 255
const MAX_RENEWAL_DAYS = 90
const MAX_MESSAGE_DAYS = 3_660

const Email = (description: string) =>
  Type.String({
    pattern: '^[^\\s@<>(),;:"\\\\[\\]]{1,64}@[^\\s@<>(),;:"\\\\[\\]]{1,190}$',
    maxLength: 255,
    [EXPECTED]: 'an e-mail address',
    description,
  })
const [firstLanguage = 'en', ...otherLanguages] = MESSAGE_LANGUAGES
export const Language = (options: { readonly description?: string } = {}) =>
  OneOf([firstLanguage, ...otherLanguages], options)

export const SettingsEditSchema = strictObject(
  {
    enabled: Type.Optional(
      Type.Array(OneOf(MESSAGE_KINDS), {
        maxItems: MESSAGE_KINDS.length,
        uniqueItems: true,
        description: 'The kinds that are made; replaces the list. By default none.',
      }),
    ),
    reply_to: Type.Optional(Nullable(Email('Where answers go. Null: to the sender.'))),
    language: Type.Optional(
      Nullable(Language({ description: 'Of customers who have none. Null: English.' })),
    ),
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
)
export type SettingsEdit = Static<typeof SettingsEditSchema>

const TemplateText = (description: string) =>
  Type.Optional(Nullable(Text({ max: MAX_TEXT, description: `${description} Plain text.` })))
const PLACEHOLDER_NAMES = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')

export const TemplateEditSchema = strictObject(
  {
    subject: Type.Optional(
      Nullable(TextLine({ max: MAX_SUBJECT, description: `May hold ${PLACEHOLDER_NAMES}.` })),
    ),
    intro: TemplateText('Stands before the details; null: the built-in text.'),
    outro: TemplateText('Stands after them; null: nothing.'),
  },
  { title: 'MessageTemplateEdit' },
)
export type TemplateEdit = Static<typeof TemplateEditSchema>

export const BOUNCE_KINDS = ['hard', 'soft', 'complaint'] as const

export const NewBounceSchema = strictObject(
  {
    message_id: Type.Optional(Text({ max: 255, description: 'The value of the header Message-ID.' })),
    address: Type.Optional(Email('Instead of a message: only suppresses the address.')),
    kind: OneOf(BOUNCE_KINDS, {
      description: 'hard suppresses the address, complaint the optional kinds, soft nothing.',
    }),
  },
  { title: 'NewBounce' },
)
export type NewBounce = Static<typeof NewBounceSchema>
