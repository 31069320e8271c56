import { Table } from '@mantine/core'
import type { Order } from 'quittance'
import { useTranslation } from 'react-i18next'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { LineText } from '#pages/orders/line-text.tsx'

export function LineItems({ order }: { readonly order: Order }) {
  const { t } = useTranslation(['orders', 'order'])
  return (
    <ScrollTable label={t('order:lines')} minWidth={320}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('line_item.label')}</Table.Th>
          <Table.Th ta="right">{t('line_item.quantity')}</Table.Th>
          <Table.Th ta="right">{t('line_item.price')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {order.line_items?.map((item, index) => (
          // Line items have no identifier, and their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <Table.Tr key={index}>
            <Table.Td>
              <LineText {...item} />
            </Table.Td>
            <Table.Td ta="right">{item.quantity}</Table.Td>
            <Table.Td ta="right">
              <Money amount={item.price} currency={order.currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
