import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  MetadataOut,
  Nullable,
  NullableString,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { TAX_EXEMPTIONS } from '../model/billing-details.ts'
import { TAX_ROUNDINGS } from '../model/legal-entity.ts'
import { TAX_ID_STATES, TAX_ID_TYPES } from '../model/party.ts'
import {
  BillingDetailsEditSchema,
  LegalEntityEditSchema,
  NewLegalEntitySchema,
} from '../model/party-requests.ts'
import { COLLECTIONS, TAX_MODES } from '../model/settings.ts'
import { SettingsEditSchema } from '../model/settings-request.ts'
import { TREATMENTS } from '../model/tax.ts'

const AddressOut = Resource('Address', {
  line1: Type.String(),
  line2: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
  city: Type.String(),
  region: Type.Optional(Type.String()),
  country: Type.String(),
})

const ElectronicAddressOut = Resource('ElectronicAddress', { scheme: Type.String(), value: Type.String() })

const ContactOut = Resource('SellerContact', {
  name: Type.String(),
  phone: Type.String(),
  email: Type.String(),
})

export const LegalEntitySchema = Resource('LegalEntity', {
  id: Type.String(),
  name: Type.String(),
  currency: NullableString,
  address: AddressOut,
  tax_ids: Type.Array(Type.Object({ type: OneOf(TAX_ID_TYPES), value: Type.String() })),
  registrations: Type.Array(
    Type.Object({
      country: Type.String(),
      region: Type.Optional(Type.String()),
      number: Type.Optional(Type.String()),
      from: Type.Optional(Type.String()),
      until: Type.Optional(Type.String()),
    }),
  ),
  oss: Type.Boolean(),
  bank: Nullable(
    Resource('BankAccount', {
      iban: Type.Optional(Type.String()),
      bic: Type.Optional(Type.String()),
      account_number: Type.Optional(Type.String()),
      bank_code: Type.Optional(Type.String()),
      branch_code: Type.Optional(Type.String()),
      bank_name: Type.Optional(Type.String()),
      account_holder: Type.Optional(Type.String()),
      fps_id: Type.Optional(Type.String()),
    }),
  ),
  electronic_address: Nullable(ElectronicAddressOut),
  contact: Nullable(ContactOut),
  tax_rounding: OneOf(TAX_ROUNDINGS),
  series: Type.Array(
    Type.Object({
      key: Type.String(),
      invoice_format: Type.String(),
      credit_note_format: Type.String(),
      first_number: Type.Integer(),
      gaps: Type.Optional(
        Type.Array(
          Resource('NumberGap', {
            type: OneOf(['invoice', 'credit_note']),
            year: Type.Optional(Type.Integer({ description: 'Where numbers are counted by year.' })),
            from: Type.Integer({ description: 'A sequence number, as `{SEQ:n}` shows it.' }),
            to: Type.Integer({ description: 'Inclusive.' }),
            reason: OneOf(['recovered']),
          }),
          { description: 'Numbers that no document has: `recovered` skipped them after a restore.' },
        ),
      ),
    }),
  ),
  footer: NullableString,
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const LegalEntityData = Type.Object({ legal_entity: LegalEntitySchema })
export const LEGAL_ENTITY_EXISTS = {
  name: 'LegalEntityExists',
  data: Type.Object({ legal_entity: Type.Optional(Type.Object({ id: Type.String() })) }),
}
export const LegalEntitiesPage = Type.Object({
  legal_entities: Type.Array(LegalEntitySchema),
  page: PageSchema,
})

const RateAccountOut = Type.Object({
  percentage: AmountOut(),
  treatment: OneOf(TREATMENTS),
  account: Type.String(),
  tax_key: Type.Optional(Type.String()),
})
const NullableName = Nullable(Type.String())
const AccountsOut = Type.Object({
  receivables: NullableName,
  bank: NullableName,
  cash: NullableName,
  fees: NullableName,
  write_offs: NullableName,
  disputes: NullableName,
  revenue: Type.Array(RateAccountOut),
  tax: Type.Array(RateAccountOut),
})
const DatevOut = Type.Object({
  consultant: Type.Integer(),
  client: Type.Integer(),
  fiscal_year_start: Type.String({ description: 'MM-DD.' }),
  account_length: Type.Integer(),
})

const BillingSettingsSchema = Resource('BillingSettings', {
  legal_entity_id: NullableString,
  tax: OneOf(TAX_MODES),
  collection: OneOf(COLLECTIONS),
  days_until_due: Type.Integer(),
  late_days: Type.Integer(),
  locked_until: Nullable(
    Type.String({
      format: 'date',
      description: 'The last local day of the closed months. Null: none is closed.',
    }),
  ),
  accounts: Nullable(AccountsOut),
  datev: Nullable(DatevOut),
  write_off_up_to: Type.Record(Type.String(), AmountOut(), {
    description: 'By currency: what a match writes off if no more is left due.',
  }),
})

export const SettingsData = Type.Object({ settings: BillingSettingsSchema })

const BillingDetailsSchema = Resource('BillingDetails', {
  address: Nullable(AddressOut),
  tax_ids: Type.Array(
    Type.Object({ type: OneOf(TAX_ID_TYPES), value: Type.String(), state: OneOf(TAX_ID_STATES) }),
  ),
  tax_exempt: OneOf(TAX_EXEMPTIONS),
  exempt_reason: NullableString,
  language: NullableString,
  invoice_email: NullableString,
  cc: Type.Array(Type.String()),
  electronic_address: Nullable(ElectronicAddressOut),
})

export const BillingDetailsData = Type.Object({
  customer_uuid: Type.String(),
  billing_details: BillingDetailsSchema,
})

export const CreateLegalEntityBody = strictObject({ legal_entity: NewLegalEntitySchema })
export const EditLegalEntityBody = strictObject({ legal_entity: LegalEntityEditSchema })
export const EditSettingsBody = strictObject({ settings: SettingsEditSchema })
export const EditBillingDetailsBody = strictObject({ billing_details: BillingDetailsEditSchema })
