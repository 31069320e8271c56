import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  KeyOf,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { WALLET_NAMES } from '#modules/acquirers'
import { BindRequestSchema } from '../bindings/bind-request.ts'
import { PAYMENT_METHODS } from '../model/customer.ts'
import { MESSAGE_KINDS } from '../model/message-kinds.ts'
import { NewCustomerSchema } from '../model/customer-requests.ts'
import { PAYMENT_TOKEN_STATES } from '../model/payment-token.states.ts'
import { TOKEN_TYPES } from '../model/payment-token.ts'

export const CreateCustomerBody = strictObject({ customer: NewCustomerSchema })
export const BindTokenBody = strictObject({ payment_token: BindRequestSchema })

export const TokensQuery = strictObject({ token_type: Type.Optional(OneOf(PAYMENT_METHODS)) })

export const PaymentTokenSchema = Resource('PaymentToken', {
  token_type: OneOf(TOKEN_TYPES),
  token: Type.String(),
  state: KeyOf(PAYMENT_TOKEN_STATES),
  default: Type.Boolean(),
  verify_url: Nullable(Type.String()),
  verify_uuid: Type.String(),
  error_code: Type.Optional(Type.String()),
  error_msg: Type.Optional(Type.String()),
  credit_card: Type.Optional(
    Type.Object({
      number: Type.String({ description: 'Masked: 424242******4242.' }),
      exp_month: Type.String(),
      exp_year: Type.String(),
      holder_name: Type.String(),
      brand: Type.String(),
      billing_currency: Type.String(),
    }),
  ),
  wallet: Type.Optional(
    Type.Object(
      {
        name: OneOf(WALLET_NAMES),
        account: Type.Optional(Type.String({ description: "The payer's account there, masked." })),
      },
      { description: 'The real wallet of an agreement.' },
    ),
  ),
  acquirer_account_id: Type.Optional(
    Type.String({ description: 'The acquirer account that has the card or the agreement.' }),
  ),
  created_at: TimestampOut(),
})

export const TokenData = Type.Object({ payment_token: PaymentTokenSchema })
export const TokensData = Type.Object({ payment_tokens: Nullable(Type.Array(PaymentTokenSchema)) })

export const TokenEventData = Type.Object({
  payment_token: Resource('PaymentTokenOfEvent', {
    ...PaymentTokenSchema.properties,
    customer_uuid: Type.String(),
  }),
})

export const CustomerSchema = Resource('Customer', {
  uuid: Type.String(),
  reference_number: Type.String(),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  dial_code: Type.String(),
  phone: Type.Optional(Type.String()),
  company_name: Type.Optional(Type.String()),
  default_payment_method: Type.Optional(OneOf(PAYMENT_METHODS)),
  default_payment_token: Type.Optional(PaymentTokenSchema),
  messages: Type.Optional(
    Type.Object({ off: Type.Array(OneOf(MESSAGE_KINDS)) }, { title: 'CustomerMessages' }),
  ),
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  erased_at: Type.Optional(TimestampOut({ description: 'When the erasure of the personal data began.' })),
})

export const CustomerData = Type.Object({ customer: CustomerSchema })

export const ErasedEventData = Type.Object({
  customer: Resource('ErasedCustomer', {
    uuid: Type.String(),
    erased_at: TimestampOut(),
  }),
})

const CustomerSessionSchema = Resource('CustomerSession', {
  token: Type.String({ description: 'Valid for 15 minutes' }),
  expires_at: TimestampOut(),
})

export const CustomerSessionData = Type.Object({ customer_session: CustomerSessionSchema })

/** The bound of reference/customers#notes. */
const MAX_NOTE = 2_000

export const NewNoteBody = strictObject({
  note: strictObject({ text: Text({ max: MAX_NOTE }) }, { title: 'NewCustomerNote' }),
})

export const NoteSchema = Resource('CustomerNote', {
  id: Type.String(),
  customer_uuid: Type.String(),
  text: Type.String(),
  actor_id: Type.String({ description: 'The user or the API key that wrote it.' }),
  actor_name: Nullable(Type.String({ description: 'The name that they have now.' })),
  created_at: TimestampOut(),
})

export const NoteData = Type.Object({ note: NoteSchema })

export const NotesPage = Type.Object({ notes: Type.Array(NoteSchema), page: PageSchema })
