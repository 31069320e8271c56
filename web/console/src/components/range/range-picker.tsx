import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PERIODS, type Range } from '#components/range/range.ts'

const OWN = 'own'

interface RangePickerProps {
  readonly range: Range
  /** The days of the range, from which a range of one's own begins. */
  readonly dates: { readonly from: string; readonly to: string } | undefined
  readonly onChange: (range: Range) => void
}

export function RangePicker({ range, dates, onChange }: RangePickerProps) {
  const { t } = useTranslation('components')
  return (
    <Group gap="xs" align="flex-start">
      <NativeSelect
        size="xs"
        aria-label={t('range.period')}
        data={[
          ...PERIODS.map((value) => ({ value, label: t(`range.${value}`) })),
          { value: OWN, label: t('range.own'), disabled: dates === undefined },
        ]}
        value={range.period ?? OWN}
        onChange={({ currentTarget: { value } }) => {
          const period = PERIODS.find((one) => one === value)
          if (period !== undefined) onChange({ period })
          else if (dates !== undefined) onChange({ from: dates.from, to: dates.to })
        }}
      />
      {range.period === undefined && <DateFields dates={range} onChange={onChange} />}
    </Group>
  )
}

interface Dates {
  readonly from: string
  readonly to: string
}

interface DateFieldsProps {
  readonly dates: Dates
  readonly onChange: (dates: Dates) => void
}

/** Two dates. Nothing changes before both fields are left, so that dates can be typed. */
function DateFields({ dates, onChange }: DateFieldsProps) {
  const { t } = useTranslation('components')
  const [draft, setDraft] = useState<Dates>()
  const { from, to } = draft ?? dates
  const isReversed = from > to
  const commit = () => {
    if (draft === undefined || from === '' || to === '' || isReversed) return
    onChange(draft)
    setDraft(undefined)
  }
  return (
    <Group
      component="form"
      gap="xs"
      align="flex-start"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) commit()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      <TextInput
        size="xs"
        type="date"
        aria-label={t('range.from')}
        value={from}
        onChange={({ currentTarget: { value } }) => setDraft({ from: value, to })}
        error={isReversed && t('range.reversed')}
      />
      <TextInput
        size="xs"
        type="date"
        aria-label={t('range.to')}
        value={to}
        onChange={({ currentTarget: { value } }) => setDraft({ from, to: value })}
      />
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Group>
  )
}
