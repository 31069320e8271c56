import { Checkbox, Group, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useDecimalError } from '#components/decimal-error.ts'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'
import { LimitFields } from '#pages/coupons/limit-fields.tsx'
import { useProducts } from '#pages/coupons/products.ts'

const KINDS = ['percent', 'amount'] as const
const LASTS = ['forever', 'times', 'until'] as const
const NUMBER = /^\d+(?:\.\d{1,6})?$/
const WHOLE = { allowDecimal: false, allowNegative: false, clampBehavior: 'strict', min: 1 } as const

export function NewCouponDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const navigate = useNavigate()
  const decimalError = useDecimalError()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('percent')
  const [off, setOff] = useState('')
  const [currency, setCurrency] = useEnteredCurrency()
  const [lasts, setLasts] = useState<(typeof LASTS)[number]>('times')
  const [times, setTimes] = useState<number | string>(1)
  const [until, setUntil] = useState('')
  const [products, setProducts] = useState<string[]>([])
  const [minimum, setMinimum] = useState('')
  const [isExclusive, setExclusive] = useState(false)
  const [isFirst, setFirst] = useState(false)
  const [limits, setLimits] = useState({ max: '' as number | string, until: '' })
  const needsCurrency = kind === 'amount' || minimum !== ''
  const isComplete =
    name.trim() !== '' &&
    NUMBER.test(off) &&
    (minimum === '' || NUMBER.test(minimum)) &&
    (!needsCurrency || isCurrency(currency)) &&
    (lasts !== 'times' || times !== '') &&
    (lasts !== 'until' || until !== '')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      doneMessage={t('new.done')}
      effect={t('new.effect')}
      isDisabled={!isComplete}
      run={(quittance) =>
        quittance.coupons.create({
          name,
          ...(kind === 'percent' ? { percent_off: off } : { amount_off: off }),
          ...(needsCurrency && { currency }),
          ...(lasts === 'times' && { times: Number(times) }),
          ...(lasts === 'until' && { until }),
          ...(products.length > 0 && { product_ids: products }),
          ...(minimum !== '' && { minimum_amount: minimum }),
          ...(isExclusive && { exclusive: true }),
          ...(isFirst && { first_order_only: true }),
          ...(limits.max !== '' && { max_redemptions: Number(limits.max) }),
          ...(limits.until !== '' && { redeem_until: limits.until }),
        })
      }
      onDone={({ id }) => void navigate({ to: '/coupons/$id', params: { id } })}
    >
      <TextInput
        label={t('column.name')}
        description={t('new.name_hint')}
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group grow align="flex-start">
        <Select
          label={t('new.kind')}
          data={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          allowDeselect={false}
          onChange={(value) => value !== null && setKind(value)}
        />
        <TextInput
          label={t(`kind.${kind}`)}
          required
          inputMode="decimal"
          autoComplete="off"
          value={off}
          error={decimalError(off, NUMBER.test(off), t('new.number_invalid'))}
          onChange={(event) => setOff(event.currentTarget.value.trim())}
        />
      </Group>
      <Group grow align="flex-start">
        <Select
          label={t('new.lasts')}
          data={LASTS.map((value) => ({ value, label: t(`duration.${value}`) }))}
          value={lasts}
          allowDeselect={false}
          onChange={(value) => value !== null && setLasts(value)}
        />
        {lasts === 'times' && (
          <NumberInput {...WHOLE} label={t('column.times')} required value={times} onChange={setTimes} />
        )}
        {lasts === 'until' && (
          <TextInput
            label={t('column.until')}
            type="date"
            required
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        )}
      </Group>
      <ProductsField value={products} onChange={setProducts} />
      <Group grow align="flex-start">
        <TextInput
          label={t('column.minimum_amount')}
          inputMode="decimal"
          autoComplete="off"
          value={minimum}
          error={decimalError(minimum, NUMBER.test(minimum), t('new.number_invalid'))}
          onChange={(event) => setMinimum(event.currentTarget.value.trim())}
        />
        {needsCurrency && (
          <TextInput
            label={t('column.currency')}
            required
            maxLength={3}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        )}
      </Group>
      <LimitFields value={limits} onChange={setLimits} />
      <Checkbox
        label={t('new.exclusive')}
        checked={isExclusive}
        onChange={(event) => setExclusive(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('new.first_order_only')}
        checked={isFirst}
        onChange={(event) => setFirst(event.currentTarget.checked)}
      />
    </ActionDialog>
  )
}

interface ProductsFieldProps {
  readonly value: string[]
  readonly onChange: (ids: string[]) => void
}

function ProductsField({ value, onChange }: ProductsFieldProps) {
  const { t } = useTranslation('coupons')
  const products = useProducts()
  return (
    <MultiSelect
      label={t('column.product_ids')}
      placeholder={value.length === 0 ? t('all_products') : ''}
      data={products.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      searchable
      onChange={onChange}
    />
  )
}
