import Type from 'typebox'
import { filteredListQuery, PageSchema } from '#platform/http/validation/list'
import { SortBy } from '#platform/http/validation/sorted-list'
import {
  AmountOut,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { COLLECTIONS, TAX_BEHAVIORS, TAX_MODES, TREATMENTS } from '#modules/taxes'
import { DOCUMENT_FORMATS } from '../documents/formats.ts'
import { INVOICE_SORTS, invoiceFields } from '../storage/invoice-list.repository.ts'
import { DraftReplacementSchema, NewCreditNoteSchema, NewInvoiceSchema } from '../model/invoice-requests.ts'

const DOCUMENT_TYPES = ['invoice', 'credit_note'] as const
const STATES = ['open', 'paid', 'credited', 'uncollectible'] as const

const AddressOut = Type.Object({
  line1: Type.String(),
  line2: Nullable(Type.String()),
  postal_code: Nullable(Type.String()),
  city: Type.String(),
  region: Nullable(Type.String()),
  country: Type.String(),
})
const TaxIdOut = Type.Object({ type: Type.String(), value: Type.String() })

const ElectronicAddressOut = Type.Object({ scheme: Type.String(), value: Type.String() })
const NullableDate = Nullable(Type.String({ format: 'date' }))

const LineOut = Resource('InvoiceLine', {
  id: Type.String(),
  line_id: Type.Optional(
    Type.String({ description: 'The line of the invoice that a line of a credit note lowers.' }),
  ),
  label: Type.String(),
  quantity: AmountOut({ description: 'Negative on lines that credit something.' }),
  unit_amount: AmountOut(),
  amount: AmountOut({ description: 'quantity × unit_amount.' }),
  discount: AmountOut({ description: 'The share of discounts and coupons.' }),
  net: AmountOut(),
  tax: AmountOut(),
  total: AmountOut({ description: 'net + tax.' }),
  period: Type.Optional(Type.Object({ start: TimestampOut(), end: TimestampOut() })),
  treatment: OneOf(TREATMENTS),
  rates: Type.Array(Type.Object({ name: Type.String(), percentage: AmountOut() })),
})

const DraftRequestOut = Resource(
  'DraftRequest',
  {
    customer_uuid: Type.String(),
    currency: Type.String(),
    lines: Type.Array(
      Type.Object({
        label: Type.String(),
        quantity: AmountOut(),
        unit_amount: AmountOut(),
        tax_category: Type.Optional(Type.String()),
        period: Type.Optional(Type.Object({ start: TimestampOut(), end: TimestampOut() })),
      }),
    ),
    legal_entity_id: Type.Optional(Type.String()),
    series: Type.Optional(Type.String()),
    tax: Type.Optional(OneOf(TAX_MODES)),
    collection: Type.Optional(OneOf(COLLECTIONS)),
    days_until_due: Type.Optional(Type.Integer()),
    buyer_reference: Type.Optional(Nullable(Type.String())),
    purchase_order: Type.Optional(Nullable(Type.String())),
    memo: Type.Optional(Type.String()),
    reference_id: Type.Optional(Type.String()),
    metadata: MetadataOut(),
  },
  { description: 'What was asked for, which the issue bills.' },
)

const INVOICE = {
  id: Type.String(),
  type: OneOf(DOCUMENT_TYPES),
  number: Type.String(),
  state: OneOf(STATES),
  order_number: Type.String(),
  plan_id: Type.Optional(Type.String()),
  invoice_id: Type.Optional(Type.String({ description: 'The invoice that a credit note lowers.' })),
  replaces: Type.Optional(Type.String({ description: 'The invoice that this one corrects as a whole.' })),
  replaced_by: Type.Optional(Type.String({ description: 'The invoice that corrects this one as a whole.' })),
  invoice_number: Type.Optional(
    Type.String({
      description:
        'Of the invoice that a credit note corrects; of a change of a plan that took something back from several invoices, separated by commas.',
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why a credit note was issued.' })),
  settlement: Type.Optional(
    Type.Object(
      { due: AmountOut(), refunded: AmountOut(), credited: AmountOut() },
      {
        description:
          "Where the amount of a credit note went when it was issued: off what was due, back to the payments, to the plan's credit. The rest was not given back.",
      },
    ),
  ),
  seller: Type.Object({
    legal_entity_id: Type.String(),
    name: Type.String(),
    address: AddressOut,
    tax_ids: Type.Array(TaxIdOut),
    bank: Nullable(
      Type.Object({
        iban: Type.Optional(Type.String()),
        bic: Nullable(Type.String()),
        account_number: Type.Optional(Type.String()),
        bank_code: Type.Optional(Type.String()),
        branch_code: Type.Optional(Type.String()),
        bank_name: Type.Optional(Type.String()),
        account_holder: Type.Optional(Type.String()),
        fps_id: Type.Optional(Type.String()),
      }),
    ),
    electronic_address: Type.Optional(ElectronicAddressOut),
    contact: Type.Optional(Type.Object({ name: Type.String(), phone: Type.String(), email: Type.String() })),
    footer: Nullable(Type.String()),
  }),
  buyer: Type.Object({
    customer_uuid: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    address: Nullable(AddressOut),
    tax_ids: Type.Array(TaxIdOut),
    electronic_address: Type.Optional(ElectronicAddressOut),
    language: Nullable(Type.String()),
  }),
  issue_date: Type.String({ format: 'date', description: "In the business's zone." }),
  due_date: Type.String({ format: 'date' }),
  currency: Type.String(),
  tax_behavior: OneOf(TAX_BEHAVIORS),
  lines: Type.Array(LineOut),
  taxes: Type.Array(
    Type.Object({
      name: Type.String(),
      percentage: AmountOut(),
      treatment: OneOf(TREATMENTS),
      base: AmountOut(),
      amount: AmountOut(),
      base_in_tax_currency: Type.Optional(AmountOut()),
      amount_in_tax_currency: Type.Optional(
        AmountOut({ description: 'A running share, so that the taxes sum to tax_total_in_tax_currency.' }),
      ),
    }),
  ),
  tax_currency: Type.Optional(
    Type.String({
      description:
        'Of taxed documents in another currency: the one in which the seller reports its tax. The members that follow belong to it.',
    }),
  ),
  exchange_rate: Type.Optional(
    Nullable(
      AmountOut({
        description:
          'As you gave it: one unit of exchange_rate_base in the other currency. Null until there is a rate.',
      }),
    ),
  ),
  exchange_rate_base: Type.Optional(Type.String()),
  exchange_rate_date: Type.Optional(NullableDate),
  tax_total_in_tax_currency: Type.Optional(
    AmountOut({ description: 'tax_total by the rate, rounded once; of credit notes a running share.' }),
  ),
  net_total: AmountOut(),
  tax_total: AmountOut(),
  total: AmountOut(),
  prepaid: AmountOut({ description: 'What credit and balances had paid at the issue.' }),
  amount_due: AmountOut(),
  credited_total: AmountOut({ description: 'By how much credit notes lowered the invoice.' }),
  payments: Type.Optional(
    Type.Array(
      Type.Object({
        transaction_uuid: Type.String(),
        value_date: NullableDate,
        method: Type.String({ description: 'The `payment_method` of the transaction.' }),
        acquirer_type: Type.String({
          description:
            'Who recorded the payment. `manual`: by hand, and undone as a transaction. `bank`: from a bank statement, and unmatched at its entry.',
        }),
        amount: AmountOut(),
        fee: Type.Optional(AmountOut({ description: 'What of the amount the bank kept.' })),
        reference: Nullable(
          Type.String({ description: "The bank's, the acquirer's or your own of the payment." }),
        ),
        payer_name: Type.Optional(
          Type.String({
            description: 'Of a transfer of a bank statement: who sent it, as the bank names them.',
          }),
        ),
      }),
      { description: 'The payments that count, oldest first. Not of credit notes and in events.' },
    ),
  ),
  overpaid: Type.Optional(
    AmountOut({
      description:
        'What was paid beyond what is owed, and neither given back nor moved. Negative: what was given back by hand beyond it, until a credit note covers it. Not of credit notes and in events.',
    }),
  ),
  payment_reference: Type.String({ description: 'Creditor reference, ISO 11649.' }),
  buyer_reference: Type.Optional(Type.String({ description: 'Such as the Leitweg-ID in Germany.' })),
  purchase_order: Type.Optional(Type.String({ description: "The number of the buyer's order." })),
  notes: Type.Array(Type.String()),
  memo: Type.Optional(Type.String()),
  reference_id: Nullable(Type.String()),
  metadata: MetadataOut(),
  created_at: TimestampOut({ description: 'When the number was given.' }),
  updated_at: TimestampOut(),
}

export const InvoiceSchema = Resource('Invoice', INVOICE)

const {
  id: _id,
  number: _number,
  order_number: _order,
  payment_reference: _reference,
  created_at: _created,
  updated_at: _updated,
  ...PREVIEW
} = INVOICE
const PreviewSchema = Resource('InvoicePreview', PREVIEW)
export const InvoicePreviewData = Type.Object({ invoice: PreviewSchema })
export const PreviewedReissueData = Type.Object({ credit_note: PreviewSchema, invoice: PreviewSchema })

const { issue_date: _issued, due_date: _due, state: _state, ...DRAFT } = PREVIEW
export const DraftSchema = Resource('InvoiceDraft', {
  id: Type.String(),
  state: Type.Literal('draft'),
  ...DRAFT,
  draft: DraftRequestOut,
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})
export const DraftData = Type.Object({ invoice: DraftSchema })

const AnyInvoice = Type.Union([InvoiceSchema, DraftSchema])
export const AnyInvoiceData = Type.Object({ invoice: AnyInvoice })
export const InvoiceData = Type.Object({ invoice: InvoiceSchema })
export const CreditNoteEventData = Type.Object({ credit_note: InvoiceSchema })
export const CreditNoteData = Type.Object({ credit_note: InvoiceSchema, invoice: InvoiceSchema })
export const InvoicesPage = Type.Object({ invoices: Type.Array(AnyInvoice), page: PageSchema })

export const DocumentQuery = strictObject({
  format: Type.Optional(OneOf(DOCUMENT_FORMATS, { description: 'Default `pdf`.' })),
})

export const EINVOICE_INCOMPLETE = {
  name: 'EinvoiceIncomplete',
  data: Type.Object({ missing: Type.Array(Type.String()) }),
}

const MissingRates = Type.Array(
  Type.Object({
    date: Type.String({ format: 'date' }),
    base: Type.String(),
    quote: Type.String(),
  }),
  { description: 'The rates that are missing, in one direction or the other.' },
)
export const EXPORT_REFUSED = {
  name: 'ExportRefused',
  data: Type.Object({
    accounts: Type.Optional(
      Type.Array(
        Type.Object({
          kind: OneOf(['receivables', 'bank', 'cash', 'fees', 'revenue', 'tax', 'datev', 'currency'], {
            description:
              '`datev`: the settings of DATEV. `currency`: that of the legal entity, for amounts with more than the two decimals that DATEV has.',
          }),
          percentage: Type.Optional(AmountOut()),
          treatment: Type.Optional(OneOf(TREATMENTS)),
        }),
      ),
    ),
    exchange_rates: Type.Optional(MissingRates),
  }),
}

export const RATE_MISSING = {
  name: 'ExchangeRateMissing',
  data: Type.Object({ exchange_rates: Type.Optional(MissingRates) }),
}

export const INVOICE_REFUSED = {
  name: 'InvoiceRefused',
  data: Type.Object({
    invoice: Type.Optional(Type.Object({ id: Type.String() })),
    exchange_rates: Type.Optional(MissingRates),
  }),
}
export const CREDIT_NOTE_EXISTS = {
  name: 'CreditNoteExists',
  data: Type.Object({ credit_note: Type.Optional(Type.Object({ id: Type.String() })) }),
}

export const CreditNoteBody = strictObject({ credit_note: NewCreditNoteSchema })

export const ReissueBody = strictObject(
  {
    reason: Type.Optional(
      Text({ max: 500, description: 'Shown on the credit note. Default: `Correction`.' }),
    ),
  },
  { title: 'Reissue' },
)

export const CreateInvoiceBody = strictObject({ invoice: NewInvoiceSchema })

export const ReplaceDraftBody = strictObject({ invoice: DraftReplacementSchema })

export const InvoicesQuery = filteredListQuery(invoiceFields(''), {
  sort: Type.Optional(SortBy(INVOICE_SORTS)),
})

export const TotalsQuery = strictObject({ filter: InvoicesQuery.properties.filter })

export const InvoiceTotalsData = Type.Object({
  totals: Type.Array(
    Resource('InvoiceTotals', {
      currency: Type.String(),
      documents: Type.Integer(),
      net_total: AmountOut({ description: 'Credit notes count negative.' }),
      tax_total: AmountOut(),
      total: AmountOut(),
      amount_due: AmountOut(),
    }),
  ),
})
