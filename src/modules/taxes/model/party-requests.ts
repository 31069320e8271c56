import Type, { type Static } from 'typebox'
import {
  Country,
  CurrencyCode,
  DateOnly,
  EXPECTED,
  MetadataBody,
  Nullable,
  OneOf,
  strictObject,
  Text,
  ReferenceId,
} from '#platform/http/validation/schemas'
import { TAX_EXEMPTIONS } from './billing-details.ts'
import { ADDRESS_SCHEMES } from './electronic-address.ts'
import { TAX_ROUNDINGS } from './legal-entity.ts'
import { TAX_ID_TYPES } from './party.ts'

/** The bound of reference/messages#recipients. */
const MAX_COPIES = 5
const MAX_FIRST_NUMBER = 1_000_000_000

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
export type AddressMembers = Static<typeof AddressBody>

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

const BankBody = strictObject(
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
)
export type BankMembers = Static<typeof BankBody>

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
  bank: Type.Optional(Nullable(BankBody)),
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

export const NewLegalEntitySchema = strictObject(
  {
    name: Text({ max: 255 }),
    address: AddressBody,
    registrations: Registrations,
    ...others,
    reference_id: Type.Optional(ReferenceId),
  },
  { title: 'NewLegalEntity' },
)
export type NewLegalEntity = Static<typeof NewLegalEntitySchema>

export const LegalEntityEditSchema = strictObject(
  {
    name: Type.Optional(Text({ max: 255 })),
    address: Type.Optional(AddressBody),
    registrations: Type.Optional(Registrations),
    ...others,
  },
  { title: 'LegalEntityEdit' },
)
export type LegalEntityEdit = Static<typeof LegalEntityEditSchema>

export const BillingDetailsEditSchema = strictObject(
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
)
export type BillingDetailsEdit = Static<typeof BillingDetailsEditSchema>
