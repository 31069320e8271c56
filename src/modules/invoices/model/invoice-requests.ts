import Type, { type Static } from 'typebox'
import { COLLECTIONS, TAX_MODES } from '#modules/taxes'
import {
  Amount,
  MetadataBody,
  Nullable,
  OneOf,
  strictObject,
  Text,
  Timestamp,
} from '#platform/http/validation/schemas'

const NOTE_REFUNDS = ['payment', 'credit', 'none'] as const
const MAX_LINES = 1_000

const ReferenceId = Type.Optional(
  Text({ max: 255, description: 'Your own id, unique among invoices and credit notes.' }),
)

export const NewCreditNoteSchema = strictObject(
  {
    lines: Type.Optional(
      Type.Array(
        strictObject({
          line_id: Text({ max: 64 }),
          amount: Amount({ description: 'With tax, more than 0.' }),
        }),
        { minItems: 1, maxItems: MAX_LINES },
      ),
    ),
    amount: Type.Optional(
      Amount({
        description:
          'With tax; goes over the lines by what is left of each. Without lines and amount: all that is left.',
      }),
    ),
    reason: Text({ max: 500 }),
    refund: Type.Optional(
      OneOf(NOTE_REFUNDS, {
        description:
          'What becomes of the part that is not due any more: refunds of payments, newest first, credit of the plan, or nothing. Default none.',
      }),
    ),
    reference_id: ReferenceId,
    metadata: MetadataBody(),
  },
  { title: 'NewCreditNote' },
)
export type NewCreditNote = Static<typeof NewCreditNoteSchema>

const Period = strictObject({ start: Timestamp(), end: Timestamp() })

const NewInvoiceLine = strictObject(
  {
    label: Text({ max: 255 }),
    quantity: Amount({ description: 'More than 0, up to 12 decimals.' }),
    unit_amount: Amount({ description: 'Up to 12 decimals, not negative.' }),
    tax_category: Type.Optional(Text({ max: 255, description: 'Default standard.' })),
    period: Type.Optional(Period),
  },
  { title: 'NewInvoiceLine' },
)

const NEW_INVOICE = {
  customer_uuid: Text({ max: 64 }),
  currency: Text({ max: 3 }),
  lines: Type.Array(NewInvoiceLine, { minItems: 1, maxItems: MAX_LINES }),
  legal_entity_id: Type.Optional(Text({ max: 64, description: "Default the settings'." })),
  series: Type.Optional(Text({ max: 64, description: 'Default the first of the legal entity.' })),
  tax: Type.Optional(OneOf(TAX_MODES)),
  collection: Type.Optional(
    OneOf(COLLECTIONS, {
      description: 'automatic charges the default token once; otherwise the order is payable by link.',
    }),
  ),
  days_until_due: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
  buyer_reference: Type.Optional(
    Nullable(Text({ max: 255, description: 'BT-10, such as the Leitweg-ID in Germany.' })),
  ),
  purchase_order: Type.Optional(
    Nullable(Text({ max: 255, description: "BT-13, the number of the buyer's order." })),
  ),
  memo: Type.Optional(Text({ max: 2_000, description: 'Printed on the document as it is.' })),
  reference_id: ReferenceId,
  metadata: MetadataBody(),
}

export const NewInvoiceSchema = strictObject(
  {
    ...NEW_INVOICE,
    draft: Type.Optional(
      Type.Boolean({ description: 'true makes a draft, without a number, an order and a charge.' }),
    ),
  },
  { title: 'NewInvoice' },
)

export const DraftReplacementSchema = strictObject(
  {
    ...NEW_INVOICE,
    draft: Type.Optional(Type.Literal(true, { description: 'Needs not be sent.' })),
  },
  { title: 'DraftInvoice' },
)

/** What a merchant asks a one-off invoice to bill. What is left out comes from the billing settings. */
export type NewInvoice = Static<typeof NewInvoiceSchema>
export type InvoiceRequest = Omit<NewInvoice, 'draft'>
export type InvoiceLineRequest = Static<typeof NewInvoiceLine>
