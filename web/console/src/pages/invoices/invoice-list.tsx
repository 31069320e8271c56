import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { useToday } from '#components/range/use-today.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export type Invoice = Schemas['Invoice']
export type DraftInvoice = Schemas['InvoiceDraft']
type AnyInvoice = Invoice | DraftInvoice

export function isIssued(invoice: AnyInvoice): invoice is Invoice {
  return invoice.state !== 'draft'
}

const STATES = ['draft', 'open', 'paid', 'credited', 'uncollectible'] as const
const TYPES = ['invoice', 'credit_note'] as const

export const invoiceList: ListDefinition<AnyInvoice> = {
  name: 'invoices',
  path: `${BILLING}/invoices`,
  load: ({ quittance }, query, signal) => quittance.invoices.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/invoices/${id}`,
  columns: [
    { id: 'number', phone: 'title', cell: (invoice) => <InvoiceNumber invoice={invoice} /> },
    { id: 'state', phone: 'end_detail', cell: (invoice) => <InvoiceState invoice={invoice} /> },
    { id: 'customer', phone: 'detail', cell: ({ buyer }) => buyer.name },
    { id: 'type', isHidden: true, cell: ({ type }) => <StateBadge state={type} tone="plain" /> },
    {
      id: 'total',
      align: 'right',
      phone: 'end',
      cell: ({ type, total, currency }) => (
        // As the sums above the list count it.
        <Money amount={type === 'credit_note' ? `-${total}` : total} currency={currency} />
      ),
    },
    {
      id: 'amount_due',
      align: 'right',
      cell: ({ type, state, amount_due, currency }) =>
        type === 'credit_note' || state === 'draft' ? '—' : <Money amount={amount_due} currency={currency} />,
    },
    {
      id: 'issue_date',
      cell: (invoice) => (isIssued(invoice) ? <Time at={invoice.issue_date} /> : '—'),
    },
    {
      id: 'due_date',
      cell: (invoice) =>
        isIssued(invoice) && invoice.type === 'invoice' ? <Time at={invoice.due_date} /> : '—',
    },
    { id: 'seller', isHidden: true, cell: ({ seller }) => seller.name },
    {
      id: 'order_number',
      isHidden: true,
      cell: (invoice) => (isIssued(invoice) ? invoice.order_number : '—'),
    },
    { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'type', kind: 'word', words: TYPES },
    { field: 'number', kind: 'text' },
    { field: 'overdue', kind: 'word', words: ['true', 'false'] },
    { field: 'total', kind: 'number' },
    { field: 'amount_due', kind: 'number' },
    { field: 'buyer_tax_id', kind: 'exact' },
    { field: 'legal_entity_id', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'currency', kind: 'exact' },
    { field: 'customer.uuid', kind: 'exact' },
    { field: 'order_number', kind: 'exact' },
    { field: 'plan_id', kind: 'exact' },
    { field: 'invoice_id', kind: 'exact' },
    { field: 'reference_id', kind: 'text' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'open', filter: 'type = invoice AND state = open' },
    { name: 'overdue', filter: 'overdue = true' },
    { name: 'paid', filter: 'type = invoice AND state = paid' },
    { name: 'drafts', filter: 'state = draft' },
    { name: 'credit_notes', filter: 'type = credit_note' },
  ],
}

/** A credit note is a state of its own to a reader; an open invoice after its due date is overdue. */
export function InvoiceState({ invoice }: { readonly invoice: AnyInvoice }) {
  const { t } = useTranslation('invoices')
  const today = useToday()
  if (!isIssued(invoice)) return <StateBadge state="draft" label={t('draft.state')} tone="plain" />
  const { type, state, due_date } = invoice
  if (type === 'credit_note') return <StateBadge state={type} tone="plain" />
  if (state === 'open' && due_date < today)
    return <StateBadge state="overdue" label={t('overdue')} tone="bad" />
  return <StateBadge state={state} {...(state === 'open' && { label: t('view.open') })} />
}

function InvoiceNumber({ invoice }: { readonly invoice: AnyInvoice }) {
  const { t } = useTranslation('invoices')
  return isIssued(invoice) ? invoice.number : t('draft.no_number')
}
