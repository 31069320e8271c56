import { Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiQuery } from '#components/loaded.tsx'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'
import { NewItemDialog } from '#pages/plans/new-item-dialog.tsx'
import type { PlanDraft } from '#pages/plans/plan-draft.ts'
import { priceValues } from '#pages/products/price-list.tsx'

interface ItemsFieldProps {
  readonly items: PlanDraft['items']
  readonly onChange: (items: PlanDraft['items']) => void
}

const MAX_ITEMS = 100

/** What the plan sells, out of the catalogue. */
export function ItemsField({ items, onChange }: ItemsFieldProps) {
  const { t, i18n } = useTranslation('plans')
  const [isNew, setNew] = useState(false)
  const { t: priceText } = useTranslation('prices')
  const { data = [] } = useApiQuery(['prices', 'to_take'], async ({ quittance }, signal) => {
    const [prices, archived] = await Promise.all([
      quittance.prices.list({ limit: MAX_ITEMS, filter: 'state = active' }, { signal }),
      quittance.products.list({ limit: MAX_ITEMS, filter: 'state = archived' }, { signal }),
    ])
    const archivedIds = new Set<string | null>(archived.data.map(({ id }) => id))
    return prices.data.filter(({ product_id: id }) => !archivedIds.has(id))
  })
  const options = data.map((price) => ({
    value: price.id,
    label: `${price.label} · ${priceText(`text.${price.model}`, priceValues(price, i18n.language))}`,
  }))
  const unused = options.filter(({ value }) => !items.some(({ id }) => id === value))
  return (
    <Stack gap={6}>
      {items.map((item) => (
        <Group key={item.id} gap="xs" wrap="nowrap">
          <Text size="sm" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {options.find(({ value }) => value === item.id)?.label ?? item.label ?? item.id}
          </Text>
          <NumberInput
            size="xs"
            w={84}
            min={1}
            allowDecimal={false}
            aria-label={t('form.quantity')}
            value={item.quantity}
            onChange={(quantity) =>
              onChange(
                items.map((one) => (one.id === item.id ? { ...one, quantity: Number(quantity) } : one)),
              )
            }
          />
          <RemoveButton
            label={t('form.remove_item')}
            onClick={() => onChange(items.filter(({ id }) => id !== item.id))}
          />
        </Group>
      ))}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          flex={1}
          label={t('form.item')}
          placeholder={t('form.item_hint')}
          searchable
          value={null}
          data={unused}
          nothingFoundMessage={t('form.no_item')}
          onChange={(id) => id !== null && onChange([...items, { id, quantity: 1 }])}
        />
        <AddButton onClick={() => setNew(true)}>{t('item.button')}</AddButton>
      </Group>
      {isNew && (
        <NewItemDialog
          onClose={() => setNew(false)}
          onDone={(id) => onChange([...items, { id, quantity: 1 }])}
        />
      )}
    </Stack>
  )
}
