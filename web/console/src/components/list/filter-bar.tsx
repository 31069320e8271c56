import { Button, Group, Menu, Popover, TextInput } from '@mantine/core'
import { IconFilter } from '#components/icons.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COMPARATOR_NAMES } from '#components/list/comparators.ts'
import { ConditionForm } from '#components/list/condition-form.tsx'
import { type Condition, readFilter, writeFilter } from '#components/list/filter-language.ts'
import type { FilterField, ListDefinition } from '#components/list/list-types.ts'
import { joinParts, joinWords } from '#components/joined.ts'
import { RemoveButton } from '#components/row-buttons.tsx'

interface FilterBarProps<Row> {
  readonly list: ListDefinition<Row>
  readonly filter: string
  readonly onChange: (filter: string) => void
}

/** Writes filters of AIP-160. What it cannot show as conditions, it shows as the text of the filter. */
export function FilterBar<Row>({ list, filter, onChange }: FilterBarProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  const [added, setAdded] = useState<FilterField>()
  const [isText, setText] = useState(false)
  const conditions = readFilter(filter)
  const change = (changed: readonly Condition[]) => {
    setAdded(undefined)
    onChange(writeFilter(changed))
  }
  if (list.filters.length === 0) return null
  if (conditions === undefined || isText) {
    return (
      <FilterText
        filter={filter}
        onChange={onChange}
        onClose={() => setText(false)}
        canClose={conditions !== undefined}
      />
    )
  }
  return (
    <Group gap={6}>
      {conditions.map((condition, index) => {
        const field = list.filters.find((known) => known.field === condition.field)
        const replace = (...changed: Condition[]) => change(conditions.toSpliced(index, 1, ...changed))
        return (
          <ConditionPill
            // The comparator distinguishes two conditions of one field.
            key={`${condition.field} ${condition.comparator}`}
            list={list}
            field={field ?? { field: condition.field, kind: 'exact' }}
            condition={condition}
            onChange={(changed) => replace(changed)}
            onRemove={() => replace()}
          />
        )
      })}
      {added !== undefined && (
        <ConditionPill
          key={`new ${added.field}`}
          list={list}
          field={added}
          onChange={(condition) => change([...conditions, condition])}
          onRemove={() => setAdded(undefined)}
        />
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconFilter size={14} aria-hidden />}>
            {t('components:filter.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {list.filters.map((field) => (
            <Menu.Item key={field.field} onClick={() => setAdded(field)}>
              {t(`filter.${field.field.replaceAll('.', '_')}`)}
            </Menu.Item>
          ))}
          {list.hasPlainFilters === undefined && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setText(true)}>{t('components:filter.as_text')}</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {conditions.length > 0 && (
        <Button size="xs" variant="subtle" onClick={() => onChange('')}>
          {t('components:filter.clear')}
        </Button>
      )}
    </Group>
  )
}

interface ConditionPillProps<Row> {
  readonly list: ListDefinition<Row>
  readonly field: FilterField
  readonly condition?: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionPill<Row>({ list, field, condition, onChange, onRemove }: ConditionPillProps<Row>) {
  const { t, i18n } = useTranslation([list.name, 'components'])
  const [isOpen, setOpen] = useState(condition === undefined)
  const name = t(`filter.${field.field.replaceAll('.', '_')}`, { defaultValue: field.field })
  const word = (value: string) =>
    field.wordLabel?.(value) ?? t(`components:state.${value}`, { defaultValue: value })
  const text =
    condition === undefined
      ? name
      : joinWords([
          name,
          t(
            `components:comparator.${field.kind === 'time' ? 'time_' : ''}${COMPARATOR_NAMES[condition.comparator]}`,
          ),
          joinParts(
            i18n.language,
            condition.values.map((value) => (field.kind === 'word' ? word(value) : value)),
          ),
        ])
  const close = (opened: boolean) => {
    setOpen(opened)
    if (!opened && condition === undefined) onRemove()
  }
  return (
    <Group gap={0} wrap="nowrap">
      <Popover opened={isOpen} onChange={close} position="bottom-start" trapFocus returnFocus width={280}>
        <Popover.Target>
          <Button size="xs" variant="light" onClick={() => close(!isOpen)} maw={320}>
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={name}>
          <ConditionForm
            field={field}
            name={name}
            word={word}
            isPlain={list.hasPlainFilters === true}
            {...(condition && { condition })}
            onChange={(changed) => {
              setOpen(false)
              onChange(changed)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {condition !== undefined && (
        <RemoveButton onClick={onRemove} label={t('components:filter.remove', { name })} />
      )}
    </Group>
  )
}

interface FilterTextProps {
  readonly filter: string
  readonly canClose: boolean
  readonly onChange: (filter: string) => void
  readonly onClose: () => void
}

function FilterText({ filter, canClose, onChange, onClose }: FilterTextProps) {
  const { t } = useTranslation('components')
  const [text, setText] = useState(filter)
  return (
    <form
      style={{ flex: 1 }}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim())
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          size="xs"
          aria-label={t('filter.text')}
          placeholder={'state = open AND created_at >= 2026-01-01'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          ff="monospace"
        />
        <Button size="xs" type="submit">
          {t('filter.apply')}
        </Button>
        <Button size="xs" variant="default" onClick={() => (canClose ? onClose() : onChange(''))}>
          {t(canClose ? 'filter.as_conditions' : 'filter.clear')}
        </Button>
      </Group>
    </form>
  )
}
