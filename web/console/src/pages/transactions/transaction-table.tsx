import type { Order, Transaction } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ColumnTable } from '#components/column-table.tsx'
import { TextLink } from '#components/links.tsx'
import { declineText } from '#components/decline-text.ts'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { TransactionButtons } from '#pages/transactions/transaction-buttons.tsx'
import { instrumentOf } from '#pages/transactions/transaction-dialogs.tsx'

interface TransactionTableProps {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly label: string
}

/** Transactions of one order, with what can be done with each of them. */
export function TransactionTable({ order, transactions, label }: TransactionTableProps) {
  const { t } = useTranslation('transactions')
  return (
    <ColumnTable
      label={label}
      minWidth={560}
      verticalSpacing="xs"
      columns={[
        {
          name: t('column.type'),
          cell: ({ uuid, type }) => (
            <TextLink to="/transactions/$uuid" params={{ uuid }}>
              {t(`type.${type}`)}
            </TextLink>
          ),
        },
        {
          name: t('column.amount'),
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          align: 'right',
          isMain: true,
        },
        {
          name: t('column.state'),
          cell: (transaction) => <TransactionState transaction={transaction} />,
        },
        { name: t('column.method'), cell: (transaction) => instrumentOf(transaction, t) },
        { name: t('column.created_at'), cell: ({ created_at: at }) => <Time at={at} /> },
        {
          name: '',
          cell: (transaction) => (
            <TransactionButtons order={order} transaction={transaction} size="compact-xs" />
          ),
        },
      ]}
      rows={transactions}
      keyOf={({ uuid }) => uuid}
    />
  )
}

/** The state, and the word of the acquirer for a failure. */
export function TransactionState({ transaction }: { readonly transaction: Transaction }) {
  const { t } = useTranslation('components')
  const { transaction_state: state, resp_code: code } = transaction.payment_data
  if (transaction.void_is_pending) return <StateBadge state="void_pending" tone="wait" />
  if (state !== 'failed' || code === undefined || code === '') return <StateBadge state={state} />
  return <StateBadge state={state} label={`${t('state.failed')} · ${declineText(code, t)}`} tone="bad" />
}

export function TransactionType({ transaction }: { readonly transaction: Transaction }) {
  const { t } = useTranslation('transactions')
  return t(`type.${transaction.type}`)
}

export function InstrumentText({ transaction }: { readonly transaction: Transaction }) {
  const { t } = useTranslation('transactions')
  return instrumentOf(transaction, t)
}
