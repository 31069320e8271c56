import { Group, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { ApiError } from 'quittance'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import type { Country } from '#components/countries.ts'
import { CountrySelect } from '#components/country-select.tsx'
import { useToday } from '#components/range/use-today.ts'
import { formatDate } from '#components/time.tsx'
import type { TaxRate } from '#pages/settings/tax-rates/rate-list.tsx'

const PERCENTAGE = /^\d{1,3}(?:\.\d{1,6})?$/

export function NewRateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('tax-rates')
  const today = useToday()
  const [country, setCountry] = useState<Country | null>(null)
  const [sum, setSum] = useState<Sum>()
  const [meaning, setMeaning] = useState('')
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
      setSum(undefined)
      setMeaning('')
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
      isDisabled={!isComplete || country === null || (sum !== undefined && meaning === '')}
      run={async (quittance) =>
        country === null
          ? undefined
          : quittance.taxRates
              .create({
                name: values.name,
                country,
                percentage: values.percentage,
                valid_from: values.valid_from,
                region: values.region || null,
                category: values.category || null,
                valid_until: values.valid_until || null,
                ...(meaning === ADDS ? { adds: true } : meaning !== '' && { replaces: meaning }),
              })
              .catch((error: unknown) => {
                setSum(sumOf(error))
                throw error
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
        <CountrySelect
          label={t('column.country')}
          value={country}
          onChange={(chosen) => {
            setCountry(chosen)
            setSum(undefined)
            setMeaning('')
          }}
        />
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
      {sum !== undefined && (
        <SumWarning sum={sum} from={values.valid_from} value={meaning} onChange={setMeaning} />
      )}
    </ActionDialog>
  )
}

const ADDS = 'adds'

/** Rates that are valid at the same time, and what lines would pay. */
interface Sum {
  readonly sum: string
  readonly rates: readonly { readonly id: string; readonly name: string; readonly percentage: string }[]
}

function sumOf(error: unknown): Sum | undefined {
  if (!(error instanceof ApiError) || error.reason !== 'tax_rate_adds_up') return undefined
  const { sum, rates } = error.data as Pick<Sum, 'rates'> & { readonly sum: number | string }
  return { sum: String(sum), rates }
}

interface SumWarningProps {
  readonly sum: Sum
  readonly from: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function SumWarning({ sum: { sum, rates }, from, value, onChange }: SumWarningProps) {
  const { t, i18n } = useTranslation('tax-rates')
  const last = formatDate(dayBefore(from), i18n.language)
  return (
    <Radio.Group label={t('sum.title', { sum })} value={value} onChange={onChange} required>
      <Stack gap="xs" mt="xs">
        {rates.map(({ id, name, percentage }) => (
          <Radio key={id} value={id} label={t('sum.replaces', { name, percentage, last })} />
        ))}
        <Radio value={ADDS} label={t('sum.adds', { sum })} />
      </Stack>
    </Radio.Group>
  )
}

function dayBefore(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 10)
}

const ACTS = ['change', 'end', 'remove'] as const

interface RateDialogProps {
  readonly rate: TaxRate
  readonly onClose: () => void
}

/** A rate that another one follows, that ends, or that is taken back. */
export function RateDialog({ rate, onClose }: RateDialogProps) {
  const { t } = useTranslation('tax-rates')
  const [act, setAct] = useState<(typeof ACTS)[number]>('change')
  const choice = (
    <SegmentedControl
      aria-label={t('act.title')}
      fullWidth
      data={ACTS.map((value) => ({ value, label: t(`act.${value}`) }))}
      value={act}
      onChange={setAct}
    />
  )
  const props = { rate, onClose, choice }
  if (act === 'end') return <EndDialog {...props} />
  return act === 'remove' ? <RemoveDialog {...props} /> : <ChangeDialog {...props} />
}

interface ActProps extends RateDialogProps {
  readonly choice: ReactNode
}

/** The new rate has the name, place and category of the old one. */
function ChangeDialog({ rate, onClose, choice }: ActProps) {
  const { t, i18n } = useTranslation('tax-rates')
  const [percentage, setPercentage] = useState('')
  const [from, setFrom] = useState('')
  const { name, country, region, category } = rate
  const isWrong = percentage !== '' && !PERCENTAGE.test(percentage)
  const values = { old: rate.percentage, percentage, name }
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('change.title', { name, percentage: rate.percentage })}
      confirmLabel={t('change.confirm')}
      doneMessage={t('change.done')}
      effect={
        from === '' || percentage === ''
          ? t('change.hint')
          : t('change.effect', {
              ...values,
              from: formatDate(from, i18n.language),
              last: formatDate(dayBefore(from), i18n.language),
            })
      }
      isDisabled={!PERCENTAGE.test(percentage) || from === ''}
      run={(quittance) =>
        quittance.taxRates.create({
          name,
          country: country as Country,
          region,
          category,
          percentage,
          valid_from: from,
          replaces: rate.id,
        })
      }
    >
      {choice}
      <Group grow align="flex-start">
        <TextInput
          label={t('change.percentage')}
          required
          inputMode="decimal"
          rightSection="%"
          autoComplete="off"
          value={percentage}
          error={isWrong && t('new.percentage_invalid')}
          onChange={(event) => setPercentage(event.currentTarget.value)}
        />
        <TextInput
          label={t('change.from')}
          type="date"
          required
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </Group>
    </ActionDialog>
  )
}

function RemoveDialog({ rate, onClose, choice }: ActProps) {
  const { t } = useTranslation('tax-rates')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('remove.title', { name: rate.name, percentage: rate.percentage })}
      confirmLabel={t('remove.confirm')}
      doneMessage={t('remove.done')}
      effect={t('remove.effect')}
      run={(quittance) => quittance.taxRates.delete(rate.id)}
    >
      {choice}
    </ActionDialog>
  )
}

function EndDialog({ rate, onClose, choice }: ActProps) {
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
      {choice}
      <TextInput
        label={t('column.valid_until')}
        description={t('end.hint')}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
