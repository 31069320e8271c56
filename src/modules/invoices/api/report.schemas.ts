import Type from 'typebox'
import { TREATMENTS } from '#modules/taxes'
import { DATE_RANGE_QUERY } from '#platform/http/validation/date-range'
import { PageSchema } from '#platform/http/validation/list'
import { AmountOut, Nullable, OneOf, Resource, strictObject, Text } from '#platform/http/validation/schemas'
import { BUYER_ROWS_FILTER, OPEN_SCOPE, REPORT_SCOPE, TAX_ROWS_FILTER } from '../reports/report-query.ts'

const FORMAT = {
  format: Type.Optional(
    OneOf(['json', 'csv'], { description: 'Default `json`. `csv` sends every row, while they are read.' }),
  ),
}

const BY_ISSUE = { ...DATE_RANGE_QUERY, ...REPORT_SCOPE, ...FORMAT }

/** The bound of reference/billing-reports#rows. */
export const MAX_DOCUMENTS = 100
/** The bound of reference/billing-reports#open-items. */
export const MAX_OPEN = 1_000

function paging(max: number, what: string) {
  return {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, description: `${what} of a page: at most ${max}, which is the default.` }),
    ),
    cursor: Type.Optional(Text({ max: 512, description: 'next_cursor of the previous page.' })),
  }
}

export const TaxesQuery = strictObject(BY_ISSUE)
export const BuyersQuery = strictObject(BY_ISSUE)

export const TaxRowsQuerySchema = strictObject({
  ...BY_ISSUE,
  ...TAX_ROWS_FILTER,
  ...paging(MAX_DOCUMENTS, 'Documents'),
})

export const BuyerRowsQuerySchema = strictObject({
  ...BY_ISSUE,
  ...BUYER_ROWS_FILTER,
  ...paging(MAX_DOCUMENTS, 'Documents'),
})

export const OpenItemsQuery = strictObject({
  ...OPEN_SCOPE,
  ...FORMAT,
  ...paging(MAX_OPEN, 'Invoices'),
})
export const OpenAgesQuery = strictObject(OPEN_SCOPE)

const Day = (description: string) => Type.String({ format: 'date', description })
const RANGE = { from: Day('A local day of the business.'), to: Day('Included.') }

const TAX = {
  legal_entity_id: Type.String(),
  currency: Type.String(),
  country: Type.String({ description: "The rate's; the place of what is not taxed." }),
  region: Nullable(Type.String({ description: 'Of a rate that holds in a region.' })),
  treatment: OneOf(TREATMENTS),
  name: Type.String(),
  percentage: AmountOut(),
  category: Nullable(Type.String({ description: 'Of a rate that holds for one category.' })),
}
const NET_AND_TAX = {
  net: AmountOut({ description: 'Of credit notes negative.' }),
  tax: AmountOut({ description: 'Of credit notes negative.' }),
}

const DOCUMENT = {
  document_id: Type.String(),
  type: OneOf(['invoice', 'credit_note']),
  number: Type.String(),
  issue_date: Day("In the business's zone."),
  customer_uuid: Type.String(),
  line_id: Type.String(),
  label: Type.String(),
}

const BUYER = {
  legal_entity_id: Type.String(),
  currency: Type.String(),
  buyer_tax_id: Nullable(Type.String({ description: 'The VAT id if there is one, else the first tax id.' })),
  buyer_country: Nullable(Type.String()),
  buyer_name: Type.String(),
  treatment: OneOf(TREATMENTS),
}

const CONVERTED = {
  tax_currency: Type.Optional(
    Type.String({
      description:
        'The currency in which the seller reports tax, where documents have their tax in it, too. Others are in rows of their own.',
    }),
  ),
  net_in_tax_currency: Type.Optional(AmountOut({ description: 'By the rates of the documents.' })),
  tax_in_tax_currency: Type.Optional(AmountOut({ description: 'By the rates of the documents.' })),
}

export const TaxSumSchema = Resource('TaxSum', {
  ...TAX,
  ...NET_AND_TAX,
  documents: Type.Integer({ description: 'In how many documents it stands.' }),
  ...CONVERTED,
})
export const BuyerSumSchema = Resource('BuyerSum', { ...BUYER, ...NET_AND_TAX })
export const TaxRowSchema = Resource('TaxRow', {
  ...DOCUMENT,
  buyer_name: Type.String(),
  ...TAX,
  ...NET_AND_TAX,
  ...CONVERTED,
})
export const BuyerRowSchema = Resource('BuyerRow', { ...DOCUMENT, ...BUYER, ...NET_AND_TAX })

export const TaxesData = Type.Object({ ...RANGE, taxes: Type.Array(TaxSumSchema) })
export const BuyersData = Type.Object({ ...RANGE, buyers: Type.Array(BuyerSumSchema) })
export const TaxRowsData = Type.Object({ rows: Type.Array(TaxRowSchema), page: PageSchema })
export const BuyerRowsData = Type.Object({ rows: Type.Array(BuyerRowSchema), page: PageSchema })

export const OpenItemSchema = Resource('OpenItem', {
  legal_entity_id: Type.String(),
  currency: Type.String(),
  invoice_id: Type.String(),
  number: Type.String(),
  customer_uuid: Type.String(),
  buyer_name: Type.String(),
  issue_date: Day("In the business's zone."),
  due_date: Day('It is due until the end of this day.'),
  days_overdue: Type.Integer({ description: '0 until the due date has passed.' }),
  total: AmountOut(),
  prepaid: AmountOut({ description: 'What credit and balances had paid at the issue.' }),
  paid: AmountOut({ description: 'Less what was refunded, returned and moved to the credit of a plan.' }),
  credited: AmountOut({
    description: 'By notes that were issued until then, without what they gave as credit of the plan.',
  }),
  written_off: AmountOut({ description: 'Given up until then without a note.' }),
  due: AmountOut({ description: 'total less prepaid, paid, credited and written_off.' }),
  plan_id: Nullable(Type.String()),
})

export const OpenData = Type.Object({ open: Type.Array(OpenItemSchema), page: PageSchema })

export const OpenRowSchema = Resource('OpenRow', {
  legal_entity_id: Type.String(),
  currency: Type.String(),
  invoice_id: Type.String(),
  number: Type.String(),
  line: OneOf(['invoice', 'prepaid', 'payment', 'refund', 'credit_note', 'write_off', 'moved_to_credit']),
  object_id: Type.String({
    description: 'The id of the document, write-off or credit, or the uuid of the transaction.',
  }),
  date: Day('On which it counts.'),
  amount: AmountOut({ description: 'What it adds to what is due.' }),
})

export const OpenRowsData = Type.Object({ rows: Type.Array(OpenRowSchema), page: PageSchema })

export const OpenAgesData = Type.Object({
  at: Day('The end of this local day.'),
  ages: Type.Array(
    Resource('OpenAges', {
      legal_entity_id: Type.String(),
      currency: Type.String(),
      invoices: Type.Integer(),
      due: AmountOut(),
      not_due: AmountOut({ description: 'Until the end of the due date.' }),
      '1_30': AmountOut({ description: 'Days past the due date.' }),
      '31_60': AmountOut(),
      '61_90': AmountOut(),
      over_90: AmountOut(),
    }),
  ),
})
