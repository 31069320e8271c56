import { Stack, Table, Text } from '@mantine/core'
import type { Order, Transaction } from 'quittance'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export function transactionState({
  success,
  is_pending,
  void_is_pending,
  allow_void,
  type,
}: Transaction): string {
  if (is_pending || void_is_pending) return 'pending'
  if (success) return type === 'Authorization' && allow_void ? 'authorized' : 'succeeded'
  return 'failed'
}

/** The transactions of an order, the newest first. */
export function Transactions({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  if (order.transactions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no_transactions')}
      </Text>
    )
  }
  const transactions = order.transactions.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('transaction.type')}</Table.Th>
            <Table.Th>{t('transaction.state')}</Table.Th>
            <Table.Th ta="right">{t('column.amount')}</Table.Th>
            <Table.Th>{t('transaction.id')}</Table.Th>
            <Table.Th>{t('column.created_at')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transactions.map((transaction) => (
            <Table.Tr key={transaction.uuid}>
              <Table.Td>{t(`transaction.${transaction.type}`)}</Table.Td>
              <Table.Td>
                <Stack gap={2} align="flex-start">
                  <StateBadge state={transactionState(transaction)} />
                  {transaction.payment_data.resp_msg !== undefined &&
                    transaction.payment_data.resp_msg !== '' && (
                      <Text size="xs" c="dimmed">
                        {transaction.payment_data.resp_msg}
                      </Text>
                    )}
                </Stack>
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={transaction.amount} currency={transaction.currency} />
              </Table.Td>
              <Table.Td maw={180}>
                <CopyableId id={transaction.uuid} />
              </Table.Td>
              <Table.Td>
                <Time at={transaction.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
