import { Group, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface Limits {
  readonly max: number | string
  readonly until: string
}

interface LimitFieldsProps {
  readonly value: Limits
  readonly onChange: (limits: Limits) => void
}

/** How often, and until when, a coupon or a code can be redeemed. Empty fields are no limit. */
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  const { t } = useTranslation('coupons')
  return (
    <Group grow align="flex-start">
      <NumberInput
        label={t('column.max_redemptions')}
        placeholder={t('no_limit')}
        allowDecimal={false}
        allowNegative={false}
        min={1}
        value={value.max}
        onChange={(max) => onChange({ ...value, max })}
      />
      <TextInput
        label={t('column.redeem_until')}
        type="date"
        value={value.until}
        onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
      />
    </Group>
  )
}
