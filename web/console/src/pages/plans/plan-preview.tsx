import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Time } from '#components/time.tsx'

interface PreviewedOrder {
  readonly date: string
  readonly amount: string
  readonly currency: string
  readonly line_items: readonly {
    readonly label?: string
    readonly quantity: number
    readonly total: string
  }[]
}

interface PlanPreviewProps {
  readonly orders: readonly PreviewedOrder[]
  /** The terms were changed since. */
  readonly isStale: boolean
}

/** The orders that a plan would make if each were paid at once. */
export function PlanPreview({ orders, isStale }: PlanPreviewProps) {
  const { t } = useTranslation('plans')
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t(isStale ? 'preview.stale' : 'preview.text', { count: orders.length })}
      </Text>
      <ScrollTable label={t('preview.title')} minWidth={300} opacity={isStale ? 0.6 : 1}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('preview.date')}</Table.Th>
            <Table.Th>{t('preview.lines')}</Table.Th>
            <Table.Th ta="right">{t('column.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <Table.Tr key={order.date}>
              <Table.Td>
                <Time at={order.date} />
              </Table.Td>
              <Table.Td>
                {order.line_items.map(({ label = '', quantity, total }) => (
                  <div key={label}>
                    {total.startsWith('-') ? (
                      <>
                        {label} <Money amount={total} currency={order.currency} />
                      </>
                    ) : (
                      `${quantity} × ${label}`
                    )}
                  </div>
                ))}
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={order.amount} currency={order.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </>
  )
}
