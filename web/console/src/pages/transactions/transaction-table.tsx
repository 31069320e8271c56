import { Table } from '@mantine/core'
import type { Order, Transaction } from 'quittance'
import { useTranslation } from 'react-i18next'
import { TextLink } from '#components/links.tsx'
import { declineText } from '#components/decline-text.ts'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
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
    <ScrollTable label={label} minWidth={560} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('column.type')}</Table.Th>
          <Table.Th ta="right">{t('column.amount')}</Table.Th>
          <Table.Th>{t('column.state')}</Table.Th>
          <Table.Th>{t('column.method')}</Table.Th>
          <Table.Th>{t('column.created_at')}</Table.Th>
          <Table.Th>{t('column.actions')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {transactions.map((transaction) => (
          <Table.Tr key={transaction.uuid}>
            <Table.Td>
              <TextLink to="/transactions/$uuid" params={{ uuid: transaction.uuid }}>
                {t(`type.${transaction.type}`)}
              </TextLink>
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={transaction.amount} currency={transaction.currency} />
            </Table.Td>
            <Table.Td>
              <TransactionState transaction={transaction} />
            </Table.Td>
            <Table.Td>{instrumentOf(transaction, t)}</Table.Td>
            <Table.Td>
              <Time at={transaction.created_at} />
            </Table.Td>
            <Table.Td>
              <TransactionButtons order={order} transaction={transaction} size="compact-xs" />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
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
