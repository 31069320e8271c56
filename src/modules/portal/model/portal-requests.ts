import Type, { type Static } from 'typebox'
import { Amount, HttpUrl, Nullable, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { FLOWS } from './session.ts'

const MAX_PRICES = 100
const MAX_REASONS = 50
const MAX_PAUSE_DAYS = 3_650
export const CHANGES_AT = ['now', 'period_end'] as const

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const AllowSchema = strictObject(
  {
    invoices: Flag('Read invoices, download them, and pay what is open.'),
    payment_methods: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          strictObject({
            remove_last: Flag('Also remove the default token of a plan that bills. Default false.'),
          }),
        ],
        { description: 'See, add and remove cards and wallets, and choose the default.' },
      ),
    ),
    billing_details: Flag('See and edit address, tax ids, language and the e-mail address for invoices.'),
    usage: Flag('See what metered prices have counted.'),
    reactivate: Flag('Come back to a plan that has ended.'),
    change: Type.Optional(
      Nullable(
        strictObject({
          price_ids: Type.Array(Text({ max: 255 }), {
            minItems: 1,
            maxItems: MAX_PRICES,
            description: 'The prices to choose from.',
          }),
          at: Type.Optional(OneOf(CHANGES_AT, { description: 'When changes take effect. Default now.' })),
        }),
      ),
    ),
    pause: Type.Optional(
      Nullable(strictObject({ max_days: Type.Integer({ minimum: 1, maximum: MAX_PAUSE_DAYS }) })),
    ),
    cancel: Type.Optional(
      Nullable(
        strictObject({
          reasons: Type.Array(Text({ max: 255 }), {
            minItems: 1,
            maxItems: MAX_REASONS,
            description: 'One of them has to be given.',
          }),
          offer_coupon_id: Type.Optional(
            Nullable(Text({ max: 255, description: 'The coupon of those who stay, once a plan.' })),
          ),
        }),
      ),
    ),
  },
  { title: 'PortalAllowEdit', description: 'Replaced as a whole. What is left out is not allowed.' },
)
export type AllowRequest = Static<typeof AllowSchema>

export const PortalEditSchema = strictObject(
  {
    return_url: Type.Optional(
      Nullable(HttpUrl({ description: 'Where the link back leads. A session may have its own.' })),
    ),
    allow: Type.Optional(AllowSchema),
  },
  { title: 'PortalEdit' },
)
export type SettingsEdit = Static<typeof PortalEditSchema>

export const SessionRequestSchema = strictObject(
  {
    customer_uuid: Text({ max: 255 }),
    return_url: Type.Optional(
      HttpUrl({ description: 'Where the link back leads, instead of that of the settings.' }),
    ),
    flow: Type.Optional(
      OneOf(FLOWS, { description: 'The page at which the link opens. Default the overview.' }),
    ),
    plan_id: Type.Optional(Text({ max: 255, description: 'The plan at which the link opens.' })),
    read_only: Type.Optional(
      Type.Boolean({
        description: 'Shows what the customer sees, and changes nothing. Default false.',
      }),
    ),
    send: Type.Optional(Type.Boolean({ description: 'Also mails the link to the customer. Default false.' })),
  },
  { title: 'NewPortalSession' },
)
export type SessionRequest = Static<typeof SessionRequestSchema>

export const CancelBody = strictObject({
  reason: Text({ max: 255, description: 'One of the reasons in the settings.' }),
  comment: Type.Optional(Text({ max: 4_096 })),
})
export type CancelRequest = Static<typeof CancelBody>

export const ExpectedTotal = Amount({
  description: 'What the customer saw. With another total nothing is done.',
})

export const PayBody = strictObject({ payment_token: Text({ max: 255 }), expected_total: ExpectedTotal })
export type PayRequest = Static<typeof PayBody>
