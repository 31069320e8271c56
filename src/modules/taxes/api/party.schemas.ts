import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Country,
  CurrencyCode,
  DateOnly,
  EXPECTED,
  MetadataBody,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { TAX_EXEMPTIONS } from '../model/billing-details.ts'
import { ADDRESS_SCHEMES } from '../model/electronic-address.ts'
import { TAX_ROUNDINGS } from '../model/legal-entity.ts'
import { TAX_ID_STATES, TAX_ID_TYPES } from '../model/party.ts'
import { COLLECTIONS, TAX_MODES } from '../model/settings.ts'
import { SettingsEditSchema } from '../model/settings-request.ts'
import { TREATMENTS } from '../model/tax.ts'

const MAX_COPIES = 5
const MAX_FIRST_NUMBER = 1_000_000_000
const NullableString = Nullable(Type.String())

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

export const BillingDetailsData = Type.Object({ billing_details: BillingDetailsSchema })

const OptionalText = Type.Optional(Nullable(Text({ max: 255 })))

const OptionalCode = Type.Optional(Nullable(Text({ max: 35 })))

const AddressBody = strictObject(
  {
    line1: Text({ max: 255 }),
    line2: OptionalText,
    postal_code: Type.Optional(
      Nullable(Text({ max: 32, description: 'Required where the country has postal codes.' })),
    ),
    city: Text({ max: 255 }),
    region: OptionalText,
    country: Country,
  },
  { title: 'NewAddress' },
)

const TaxIds = Type.Array(
  strictObject(
    {
      type: OneOf(TAX_ID_TYPES, {
        description: 'Only `vat`, of the EU, XI and GB, has an effect on tax. The others are printed.',
      }),
      value: Text({
        max: 64,
        description: 'A VAT id with its prefix. Blanks, dots and hyphens are left out when it is stored.',
      }),
    },
    { title: 'NewTaxId' },
  ),
  { maxItems: 50 },
)

const Registrations = Type.Array(
  strictObject(
    {
      country: Country,
      region: Type.Optional(
        Nullable(Text({ max: 255, description: 'Without it the registration is for the whole country.' })),
      ),
      number: OptionalText,
      from: Type.Optional(Nullable(DateOnly({ description: 'Inclusive, as until.' }))),
      until: Type.Optional(Nullable(DateOnly())),
    },
    { title: 'NewTaxRegistration' },
  ),
  { maxItems: 500, description: 'Where tax is charged.' },
)

const Format = Type.Optional(
  Text({
    max: 64,
    description: '`{SEQ:n}` once, of at least n digits, and any of `{YYYY}`, `{YY}` and `{MM}`.',
  }),
)

const Email = (options: { readonly description?: string } = {}) =>
  Type.String({
    pattern: '^[^@\\s]+@[^@\\s]+$',
    maxLength: 255,
    [EXPECTED]: 'an e-mail address',
    ...options,
  })

const ElectronicAddressBody = Type.Optional(
  Nullable(
    strictObject(
      {
        scheme: OneOf(ADDRESS_SCHEMES, { description: 'A code of the list EAS, such as 0204 or EM.' }),
        value: Text({ max: 255 }),
      },
      { title: 'NewElectronicAddress', description: 'Where electronic invoices arrive.' },
    ),
  ),
)

const others = {
  currency: Type.Optional(
    Nullable(
      CurrencyCode({
        description:
          'In which the entity reports its tax. Taxed documents in other currencies then show their tax in this one, too, by your exchange rates.',
      }),
    ),
  ),
  tax_ids: Type.Optional(TaxIds),
  oss: Type.Optional(Type.Boolean({ description: "In the EU's one-stop shop. Default false." })),
  bank: Type.Optional(
    Nullable(
      strictObject(
        {
          iban: Type.Optional(
            Nullable(Type.String({ maxLength: 255, description: 'Either this or account_number.' })),
          ),
          bic: Type.Optional(Nullable(Text({ max: 32 }))),
          account_number: Type.Optional(
            Nullable(Type.String({ maxLength: 255, description: '1 to 34 letters and digits.' })),
          ),
          bank_code: OptionalCode,
          branch_code: OptionalCode,
          bank_name: OptionalText,
          account_holder: Type.Optional(
            Nullable(Text({ max: 255, description: 'Default the name of the legal entity.' })),
          ),
          fps_id: Type.Optional(
            Nullable(
              Type.String({
                maxLength: 255,
                description:
                  "Of Hong Kong's Faster Payment System: 7 to 9 digits, a phone number or an e-mail address.",
              }),
            ),
          ),
        },
        { title: 'NewBankAccount' },
      ),
    ),
  ),
  electronic_address: ElectronicAddressBody,
  contact: Type.Optional(
    Nullable(
      strictObject(
        {
          name: Text({ max: 255 }),
          phone: Type.String({
            maxLength: 64,
            pattern: '\\d.*\\d.*\\d',
            [EXPECTED]: 'a phone number of at least three digits',
          }),
          email: Email(),
        },
        { title: 'NewSellerContact', description: 'Whom buyers ask about invoices.' },
      ),
    ),
  ),
  tax_rounding: Type.Optional(
    OneOf(TAX_ROUNDINGS, {
      description: 'document (default) rounds the tax of each rate once, line that of each line.',
    }),
  ),
  series: Type.Optional(
    Type.Array(
      strictObject(
        {
          key: Text({ max: 64 }),
          invoice_format: Format,
          credit_note_format: Format,
          first_number: Type.Optional(
            Type.Integer({ minimum: 1, maximum: MAX_FIRST_NUMBER, description: 'Default 1.' }),
          ),
        },
        { title: 'NewNumberSeries' },
      ),
      { maxItems: 50, description: 'The first one is that of plans that name none.' },
    ),
  ),
  footer: Type.Optional(Nullable(Text({ max: 4_096 }))),
  metadata: MetadataBody(),
}

export const CreateLegalEntityBody = strictObject({
  legal_entity: strictObject(
    {
      name: Text({ max: 255 }),
      address: AddressBody,
      registrations: Registrations,
      ...others,
      reference_id: Type.Optional(
        Text({ max: 255, description: 'Your own id, unique among objects of this kind.' }),
      ),
    },
    { title: 'NewLegalEntity' },
  ),
})

export const EditLegalEntityBody = strictObject({
  legal_entity: strictObject(
    {
      name: Type.Optional(Text({ max: 255 })),
      address: Type.Optional(AddressBody),
      registrations: Type.Optional(Registrations),
      ...others,
    },
    { title: 'LegalEntityEdit' },
  ),
})

export const EditSettingsBody = strictObject({ settings: SettingsEditSchema })

export const EditBillingDetailsBody = strictObject({
  billing_details: strictObject(
    {
      address: Type.Optional(Nullable(AddressBody)),
      tax_ids: Type.Optional(TaxIds),
      tax_exempt: Type.Optional(
        OneOf(TAX_EXEMPTIONS, {
          description: 'exempt pays no tax, reverse owes it itself. Default none.',
        }),
      ),
      exempt_reason: Type.Optional(Nullable(Text({ max: 255 }))),
      language: Type.Optional(
        Nullable(
          Type.String({
            pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
            maxLength: 35,
            description: 'Of documents and messages, BCP 47.',
            [EXPECTED]: 'a language tag such as de or zh-Hant',
          }),
        ),
      ),
      invoice_email: Type.Optional(
        Nullable(Email({ description: "Where documents go. Default the customer's e-mail." })),
      ),
      cc: Type.Optional(
        Type.Array(Email(), {
          maxItems: MAX_COPIES,
          uniqueItems: true,
          description: "Who gets copies of the customer's messages.",
        }),
      ),
      electronic_address: ElectronicAddressBody,
    },
    { title: 'BillingDetailsEdit' },
  ),
})
