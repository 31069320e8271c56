import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiQuery } from '#components/loaded.tsx'
import { useCouponText } from '#pages/coupons/coupon-text.ts'

const MAX_OFFERED = 100
const MAX_PLAN_COUPONS = 20

/** The coupons that a plan can take, for a select. */
export function useCouponOptions(): { readonly value: string; readonly label: string }[] {
  const text = useCouponText()
  const { data = [] } = useApiQuery(['coupons', 'to_attach'], async ({ quittance }, signal) => {
    const page = await quittance.coupons.list({ limit: MAX_OFFERED, filter: 'state = active' }, { signal })
    return page.data
  })
  return data.map((one) => ({ value: one.id, label: `${one.name} · ${text(one)}` }))
}

interface CouponsFieldProps {
  /** Ids and codes, in the order in which they lower an order. */
  readonly value: readonly string[]
  readonly onChange: (coupons: string[]) => void
}

/** Chooses coupons by name. Any other typed text counts as a promotion code. */
export function CouponsField({ value, onChange }: CouponsFieldProps) {
  const { t } = useTranslation('coupons')
  const coupons = useCouponOptions()
  const [typed, setTyped] = useState('')
  const known = new Set(coupons.map(({ value: id }) => id))
  const code = typed.trim()
  const codes = value.filter((text) => !known.has(text))
  const offered = code === '' || codes.includes(code) ? [] : [code]
  return (
    <MultiSelect
      label={t('title')}
      description={t('field.hint')}
      placeholder={value.length === 0 ? t('field.none') : ''}
      data={[
        ...coupons,
        ...[...codes, ...offered].map((text) => ({ value: text, label: t('field.code', { code: text }) })),
      ]}
      maxValues={MAX_PLAN_COUPONS}
      searchable
      clearable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      value={[...value]}
      onChange={onChange}
    />
  )
}
