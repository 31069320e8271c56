import { Box, Text } from '@mantine/core'
import type { Price } from 'quittance'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export const priceList: ListDefinition<Price> = {
  name: 'prices',
  path: `${BILLING}/prices`,
  load: ({ quittance }, query, signal) => quittance.prices.list(query, { signal }),
  rowId: ({ id }) => id,
  columns: [
    { id: 'label', phone: 'title', cell: (price) => <Label price={price} /> },
    { id: 'price', phone: 'end', cell: (price) => <PriceText price={price} /> },
    { id: 'version', align: 'right', cell: ({ version }) => version },
    { id: 'state', phone: 'end_detail', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'tax_behavior', isHidden: true, cell: ({ tax_behavior }) => tax_behavior },
    { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [],
}

function PriceText({ price }: { readonly price: Price }) {
  const { t, i18n } = useTranslation('prices')
  const amountOf = (amount: string) => `${exactly(amount, i18n.language)} ${price.currency}`
  return (
    <Box miw={160}>
      {t(`text.${price.model}`, priceValues(price, i18n.language))}
      {price.tiers?.map(({ up_to, unit_amount, flat_amount }) => (
        <Text key={up_to} size="xs" c="dimmed">
          {up_to === null
            ? t('tier.text_last', { amount: amountOf(unit_amount) })
            : t('tier.text', { last: up_to, amount: amountOf(unit_amount) })}
          {flat_amount !== null && ` + ${amountOf(flat_amount)}`}
        </Text>
      ))}
    </Box>
  )
}

function Label({ price: { label, id } }: { readonly price: Price }) {
  return (
    <Box maw={140}>
      {label}
      <br />
      <CopyableId id={id} />
    </Box>
  )
}

/** The values of the text of a price, such as "9.00 EUR for each unit". */
export function priceValues({ unit_amount, package_size, tiers, currency }: Price, language: string) {
  const amount = unit_amount ?? tiers?.[0]?.unit_amount ?? '0'
  return { amount: `${exactly(amount, language)} ${currency}`, size: package_size, count: tiers?.length ?? 0 }
}

/** All decimals of an amount of one unit, of which there may be more than the currency has. */
function exactly(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 12 })
  return format.format(amount as `${number}`)
}
