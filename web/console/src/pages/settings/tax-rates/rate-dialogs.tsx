import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import type { Country } from '#components/countries.ts'
import { CountrySelect } from '#components/country-select.tsx'
import { useToday } from '#components/range/use-today.ts'
import type { TaxRate } from '#pages/settings/tax-rates/rate-list.tsx'

const PERCENTAGE = /^\d{1,3}(?:\.\d{1,6})?$/

export function NewRateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('tax-rates')
  const today = useToday()
  const [country, setCountry] = useState<Country | null>(null)
  const [values, setValues] = useState({
    name: '',
    percentage: '',
    region: '',
    category: '',
    valid_from: today,
    valid_until: '',
  })
  const field = (name: keyof typeof values) => ({
    label: t(`column.${name}`),
    value: values[name],
    maxLength: 255,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((before) => ({ ...before, [name]: value }))
    },
  })
  const isWrong = values.percentage !== '' && !PERCENTAGE.test(values.percentage)
  const isComplete =
    values.name.trim() !== '' && PERCENTAGE.test(values.percentage) && values.valid_from !== ''
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      doneMessage={t('new.done')}
      effect={t('new.effect')}
      isDisabled={!isComplete || country === null}
      run={async (quittance) =>
        country === null
          ? undefined
          : quittance.taxRates.create({
              name: values.name,
              country,
              percentage: values.percentage,
              valid_from: values.valid_from,
              region: values.region || null,
              category: values.category || null,
              valid_until: values.valid_until || null,
            })
      }
    >
      <Group grow align="flex-start">
        <TextInput {...field('name')} required placeholder="VAT" data-autofocus />
        <TextInput
          {...field('percentage')}
          required
          inputMode="decimal"
          rightSection="%"
          error={isWrong && t('new.percentage_invalid')}
        />
      </Group>
      <Group grow align="flex-start">
        <CountrySelect label={t('column.country')} value={country} onChange={setCountry} />
        <TextInput {...field('region')} placeholder={t('whole_country')} />
      </Group>
      <TextInput
        {...field('category')}
        placeholder={t('all_categories')}
        description={t('new.category_hint')}
      />
      <Group grow align="flex-start">
        <TextInput {...field('valid_from')} type="date" required />
        <TextInput {...field('valid_until')} type="date" />
      </Group>
    </ActionDialog>
  )
}

/** Only the end of a rate changes. */
export function EndDialog({ rate, onClose }: { readonly rate: TaxRate; readonly onClose: () => void }) {
  const { t } = useTranslation('tax-rates')
  const [until, setUntil] = useState(rate.valid_until ?? '')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('end.title', { name: rate.name, percentage: rate.percentage })}
      confirmLabel={t('end.confirm')}
      doneMessage={t('end.done')}
      effect={t('end.effect')}
      run={(quittance) => quittance.taxRates.update(rate.id, { valid_until: until || null })}
    >
      <TextInput
        label={t('column.valid_until')}
        description={t('end.hint')}
        type="date"
        data-autofocus
        min={rate.valid_from}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
