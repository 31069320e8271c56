import Type, { type Static } from 'typebox'
import {
  Amount,
  DateOnly,
  EXPECTED,
  Nullable,
  OneOf,
  strictObject,
  Text,
} from '#platform/http/validation/schemas'
import { COLLECTIONS, TAX_MODES } from './settings.ts'
import { TREATMENTS } from './tax.ts'

const MAX_DAYS = 10 * 365

const Account = (description?: string) =>
  Nullable(
    Type.String({
      pattern: '^[A-Za-z0-9 ._/-]{1,40}$',
      [EXPECTED]: 'an account of 1 to 40 letters, digits, spaces, dots, dashes, underscores or slashes',
      ...(description !== undefined && { description }),
    }),
  )
const OptionalAccount = (description?: string) => Type.Optional(Account(description))
const RATE_ACCOUNT = { treatment: OneOf(TREATMENTS), account: Text({ max: 100 }) }
const RateAccountSchema = strictObject(
  {
    percentage: Amount({ description: 'Of a line with several rates their sum; 0 for what is not taxed.' }),
    ...RATE_ACCOUNT,
    tax_key: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,4}$',
        [EXPECTED]: 'one to four digits',
        description: "DATEV's BU-Schlüssel; none for an account that posts its tax by itself.",
      }),
    ),
  },
  { title: 'RateAccountEdit' },
)
const MAX_RATE_ACCOUNTS = 200

const AccountsSchema = strictObject(
  {
    receivables: OptionalAccount(),
    bank: OptionalAccount('Of payments other than cash.'),
    cash: OptionalAccount(),
    fees: OptionalAccount('What banks kept of payments.'),
    write_offs: OptionalAccount('What was written off, with its tax. Without it, write-offs are in no file.'),
    disputes: OptionalAccount('What disputes took of payments, until they give it back.'),
    revenue: Type.Optional(Type.Array(RateAccountSchema, { maxItems: MAX_RATE_ACCOUNTS })),
    tax: Type.Optional(
      Type.Array(RateAccountSchema, {
        maxItems: MAX_RATE_ACCOUNTS,
        description: 'What Xero and QuickBooks call the rates: their tax type or tax code.',
      }),
    ),
  },
  { title: 'BookkeepingAccountsEdit', description: 'Replaces all accounts; null removes them.' },
)

const DatevSchema = strictObject(
  {
    consultant: Type.Integer({ minimum: 1_001, maximum: 9_999_999 }),
    client: Type.Integer({ minimum: 1, maximum: 99_999 }),
    fiscal_year_start: Type.String({
      pattern: '^([0-9]{4}-)?(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$',
      [EXPECTED]: 'a day of the year such as 01-01, not after the 28th of a month',
      description: 'MM-DD, or a date, of which the year does not count.',
    }),
    account_length: Type.Integer({ minimum: 4, maximum: 8 }),
  },
  { title: 'DatevSettingsEdit' },
)

export type RateAccountRequest = Static<typeof RateAccountSchema>
export type AccountsRequest = Static<typeof AccountsSchema>
export type DatevRequest = Static<typeof DatevSchema>

const Days = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DAYS, description }))

export const SettingsEditSchema = strictObject(
  {
    legal_entity_id: Type.Optional(Nullable(Text({ max: 255 }))),
    tax: Type.Optional(OneOf(TAX_MODES)),
    collection: Type.Optional(OneOf(COLLECTIONS)),
    days_until_due: Days('With send_invoice: local days from issue until an invoice is due. Default 30.'),
    write_off_up_to: Type.Optional(
      Nullable(
        Type.Record(Type.String({ pattern: '^[A-Z]{3}$', [EXPECTED]: 'a currency such as EUR' }), Amount(), {
          additionalProperties: false,
          description:
            'By currency: a match writes off what is left due, up to this amount. Replaces all. Default nothing.',
        }),
      ),
    ),
    late_days: Days('For how many days after the end of a period its usage is still taken. Default 35.'),
    locked_until: Type.Optional(
      Nullable(
        DateOnly({
          description:
            'Closes all local days up to this one: what would count on them is 409 `period_locked`. Only an owner can move it back.',
        }),
      ),
    ),
    accounts: Type.Optional(Nullable(AccountsSchema)),
    datev: Type.Optional(Nullable(DatevSchema)),
  },
  { title: 'BillingSettingsEdit' },
)
export type SettingsEdit = Static<typeof SettingsEditSchema>
