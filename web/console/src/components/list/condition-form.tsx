import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BlockableButton } from '#components/blockable-button.tsx'
import { COMPARATOR_NAMES } from '#components/list/comparators.ts'
import type { Comparator, Condition } from '#components/list/filter-language.ts'
import { DEFAULT_COMPARATORS, type FilterField } from '#components/list/list-types.ts'

const CHOICES: Readonly<Record<FilterField['kind'], readonly Comparator[]>> = {
  word: ['=', '!='],
  text: [':', '=', '!='],
  exact: ['=', '!='],
  time: ['>=', '<=', '='],
  number: ['>=', '<=', '=', '>', '<'],
}

interface ConditionFormProps {
  readonly field: FilterField
  readonly name: string
  readonly word: (value: string) => string
  /** Only one value, and only "is". */
  readonly isPlain: boolean
  readonly condition?: Condition
  readonly onChange: (condition: Condition) => void
}

export function ConditionForm({ field, name, word, isPlain, condition, onChange }: ConditionFormProps) {
  const { t } = useTranslation('components')
  const { kind, words = [] } = field
  const [comparator, setComparator] = useState(
    condition?.comparator ?? (isPlain ? '=' : DEFAULT_COMPARATORS[kind]),
  )
  const [values, setValues] = useState(condition?.values ?? [])
  const trimmed = values.map((value) => value.trim()).filter((value) => value !== '')
  // "Not this or not that" is true of every row.
  const isTooMuch = (isPlain || comparator === '!=') && trimmed.length > 1
  const blocked = trimmed.length === 0 ? t('filter.no_value') : isTooMuch ? t('filter.one_value') : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked === undefined) onChange({ field: field.field, comparator, values: trimmed })
      }}
    >
      <Stack gap="xs">
        {kind !== 'word' && !isPlain && (
          <Select
            size="xs"
            aria-label={t('filter.comparison')}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            value={comparator}
            data={CHOICES[kind].map((value) => ({
              value,
              label: t(`comparator.${kind === 'time' ? 'time_' : ''}${COMPARATOR_NAMES[value]}`),
            }))}
            onChange={(value) => setComparator(value ?? comparator)}
          />
        )}
        {kind === 'word' ? (
          <Checkbox.Group value={[...values]} onChange={setValues} aria-label={name}>
            <Stack gap={8}>
              {words.map((value) => (
                <Checkbox key={value} value={value} label={word(value)} size="sm" />
              ))}
            </Stack>
          </Checkbox.Group>
        ) : (
          <TextInput
            size="xs"
            data-autofocus
            type={kind === 'time' ? 'date' : 'text'}
            inputMode={kind === 'number' ? 'decimal' : undefined}
            aria-label={name}
            value={values[0] ?? ''}
            onChange={(event) => setValues([event.currentTarget.value])}
          />
        )}
        <Group justify="flex-end">
          <BlockableButton size="xs" type="submit" blocked={blocked}>
            {t('filter.apply')}
          </BlockableButton>
        </Group>
      </Stack>
    </form>
  )
}
