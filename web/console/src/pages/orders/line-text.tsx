import { Text } from '@mantine/core'
import type { Order } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { formatPeriod } from '#components/time.tsx'

type Line = Pick<NonNullable<Order['line_items']>[number], 'kind' | 'label' | 'period'>

/** What a line bills and for which days. Lines of a change say which part of the period they give back or charge. */
export function LineText({ kind, label = '', period }: Line) {
  const { t, i18n } = useTranslation('orders')
  const zone = useTimeZone()
  return (
    <>
      {kind === 'proration_credit' || kind === 'proration_charge' ? t(`line_item.${kind}`, { label }) : label}
      {period !== undefined && (
        <Text size="xs" c="dimmed">
          {formatPeriod(period, i18n.language, zone)}
        </Text>
      )}
    </>
  )
}
