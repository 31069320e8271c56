import type { Schemas } from 'quittance'
import { PAYMENTS } from '#app/api.ts'
import { CustomerName } from '#components/customer-name.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { sentence } from '#components/sentence.ts'
import { Time } from '#components/time.tsx'
import { InstrumentText, TransactionState, TransactionType } from '#pages/transactions/transaction-table.tsx'

const TYPES = ['Sales', 'Authorization', 'Capture', 'Refund'] as const
const STATES = [
  'succeeded',
  'failed',
  'authorized',
  'pending',
  'requires_action',
  'unknown',
  'initiated',
  'voided',
  'expired',
] as const
const METHODS = [
  'payment_token',
  'credit_card',
  'wallet_a_pay',
  'wallet_b',
  'fps',
  'bank_transfer',
  'cash',
  'cheque',
  'other',
] as const

export const transactionList: ListDefinition<Schemas['ListedTransaction']> = {
  name: 'transactions',
  path: `${PAYMENTS}/transactions`,
  spreadsheet: {
    path: `${PAYMENTS}/transactions/spreadsheet.csv`,
    columns: ['created_at', 'order_reference', 'customer'],
  },
  load: ({ quittance }, query, signal) => quittance.transactions.list(query, { signal }),
  rowId: ({ uuid }) => uuid,
  rowLink: ({ uuid }) => `/transactions/${uuid}`,
  columns: [
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      exported: ['amount', 'currency'],
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'state',
      phone: 'end_detail',
      exported: ['state'],
      cell: (row) => <TransactionState transaction={row} />,
    },
    { id: 'type', phone: 'title', exported: ['type'], cell: (row) => <TransactionType transaction={row} /> },
    {
      id: 'method',
      exported: ['payment_method', 'card'],
      cell: (row) => <InstrumentText transaction={row} />,
    },
    { id: 'customer_uuid', cell: ({ customer_uuid }) => <CustomerName uuid={customer_uuid} /> },
    {
      id: 'acquirer',
      isHidden: true,
      exported: ['acquirer'],
      cell: ({ payment_data }) => sentence(payment_data.acquirer_name),
    },
    {
      id: 'order_number',
      isHidden: true,
      exported: ['order_number'],
      cell: ({ order_number }) => order_number,
    },
    {
      id: 'value_date',
      isHidden: true,
      exported: ['value_date'],
      cell: ({ value_date }) => <Time at={value_date} />,
    },
    { id: 'uuid', isHidden: true, exported: ['uuid'], cell: ({ uuid }) => uuid },
    {
      id: 'acquirer_reference',
      isHidden: true,
      exported: ['acquirer_reference'],
      cell: ({ payment_data }) => payment_data.new_gateway_txn_id || '—',
    },
    { id: 'created_at', phone: 'detail', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'decline_code', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'value_date', kind: 'time' },
    { field: 'amount', kind: 'number' },
    { field: 'currency', kind: 'exact' },
    { field: 'type', kind: 'word', words: TYPES },
    { field: 'acquirer', kind: 'exact' },
    { field: 'account_id', kind: 'exact' },
    { field: 'payment_method', kind: 'word', words: METHODS },
    { field: 'order_number', kind: 'exact' },
    { field: 'customer_uuid', kind: 'exact' },
    { field: 'last_4_digits', kind: 'exact' },
    { field: 'reference_id', kind: 'exact' },
    { field: 'uuid', kind: 'exact' },
  ],
  views: [
    { name: 'succeeded', filter: 'state = succeeded' },
    { name: 'failed', filter: 'state = failed' },
    { name: 'unknown', filter: 'state = unknown' },
    { name: 'refunds', filter: 'type = Refund' },
  ],
}
