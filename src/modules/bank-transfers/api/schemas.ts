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
import { ENTRY_STATES, STATEMENT_FORMATS } from '../model/bank-entry.ts'
import { REASONS } from '../model/suggestion.ts'
import { NewStatementSchema } from '../imports/statement-request.ts'

export const BankStatementSchema = Resource('BankStatement', {
  id: Type.String(),
  format: OneOf(STATEMENT_FORMATS),
  entries: Type.Integer({ description: 'Booked credits, one for each `TxDtls`.' }),
  new: Type.Integer({ description: 'Those that no statement before had.' }),
  matched: Type.Integer({ description: 'New ones that were matched when they came.' }),
  unmatched: Type.Integer({ description: 'New ones that were not, suggested ones among them.' }),
  counted_later: Type.Integer({
    description:
      'Matched ones that count on the first open day, because their booking date is in a closed month.',
  }),
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
})

export const BankStatementData = Type.Object({ bank_statement: BankStatementSchema })
export const BankStatementsPage = Type.Object({
  bank_statements: Type.Array(BankStatementSchema),
  page: PageSchema,
})
export const STATEMENT_EXISTS = {
  name: 'BankStatementExists',
  data: Type.Object({ bank_statement: Type.Optional(Type.Object({ id: Type.String() })) }),
}

export const STATEMENT_REFUSED = {
  name: 'BankStatementRefused',
  data: Type.Object({
    line: Type.Optional(
      Type.Integer({ description: 'Of `content`, counted from 1; with `statement_invalid`.' }),
    ),
  }),
}

export const CreateStatementBody = strictObject({ bank_statement: NewStatementSchema })

const SuggestionSchema = Resource('BankEntrySuggestion', {
  invoices: Type.Array(
    Type.Object({
      id: Type.String(),
      number: Type.String(),
      order_number: Type.String(),
      amount_due: AmountOut(),
      amount: AmountOut({ description: 'What a match pays.' }),
    }),
    { description: 'Of one customer. The amounts sum to the entry. None with `paid_twice`.' },
  ),
  customer_uuid: Type.String(),
  customer_name: Type.String(),
  reasons: Type.Array(OneOf(REASONS), {
    description:
      '`paid_twice`: the same transfer has paid the invoices that the remittance names, so there is none to pay; `reference`: the remittance has the number; `amount`: exactly this is due; `payer`: the IBAN has paid for the customer; `name`: the debtor has the name of the customer.',
  }),
})

export const BankEntrySchema = Resource('BankEntry', {
  id: Type.String(),
  state: OneOf(ENTRY_STATES),
  booking_date: Type.String({ description: 'YYYY-MM-DD.' }),
  amount: AmountOut(),
  currency: Type.String(),
  debtor_name: NullableString,
  debtor_iban: NullableString,
  bank_reference: NullableString,
  remittance: Type.String(),
  invoices: Type.Array(Type.Object({ id: Type.String(), number: Type.String(), amount: AmountOut() }), {
    description: 'What a matched entry paid, or what a suggested one may pay.',
  }),
  suggestions: Type.Optional(
    Type.Array(SuggestionSchema, { description: 'The likeliest first, with `suggestions=true`.' }),
  ),
  counted_on: Nullable(
    Type.String({
      format: 'date',
      description:
        'The first open day, on which the match counts because the booking date is in a closed month; else null.',
    }),
  ),
  returned_on: NullableString,
  bank_statement_id: Type.String(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const BankEntryData = Type.Object({ bank_entry: BankEntrySchema })
export const BankEntriesPage = Type.Object({ bank_entries: Type.Array(BankEntrySchema), page: PageSchema })
