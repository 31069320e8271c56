import {
  ActionIcon,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '#components/icons.tsx'
import { useTranslation } from 'react-i18next'
import { Section } from '#components/section.tsx'
import type { Accounts, Rule } from '#pages/settings/routing.ts'

interface RuleEditorProps {
  readonly rule: Rule
  readonly position: number
  readonly accounts: Accounts
  readonly isReadOnly: boolean
  readonly onChange: (rule: Rule) => void
  readonly onRemove: () => void
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
}

const MAX_WEIGHT = 1_000_000
const METHODS = ['credit_card', 'payment_token', 'wallet_a_pay', 'wallet_b', 'fps']
const HIDDEN = { visibility: 'hidden' } as const
const SOURCES = ['recurring', 'one_off']

/** One rule. An empty field matches every payment. */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, position, accounts, isReadOnly, onChange, onRemove, onUp, onDown } = props
  const { t } = useTranslation(['settings', 'components'])
  const { when } = rule
  const setCondition = (name: keyof Rule['when'], value: string | null) => {
    const { [name]: _, ...rest } = when
    const trimmed = value?.trim() ?? ''
    onChange({ ...rule, when: trimmed === '' ? rest : { ...rest, [name]: trimmed } })
  }
  const options = accounts.map(({ id, name }) => ({ value: id, label: name }))
  const chosen = rule.accounts.map(({ id }) => id)
  const text = (name: 'currency' | 'min_amount' | 'max_amount' | 'brand' | 'country', maxLength: number) => (
    <TextInput
      size="xs"
      label={t(`routing.when.${name}`)}
      placeholder={t('routing.any')}
      readOnly={isReadOnly}
      maxLength={maxLength}
      value={when[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        setCondition(name, name === 'currency' || name === 'country' ? value.toUpperCase() : value)
      }
    />
  )
  return (
    <Section
      title={t('routing.rule', { position })}
      actions={
        !isReadOnly && (
          <Group gap={4}>
            <ActionIcon
              variant="default"
              aria-label={t('routing.up', { position })}
              {...(onUp === undefined && { style: HIDDEN })}
              onClick={onUp}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t('routing.down', { position })}
              {...(onDown === undefined && { style: HIDDEN })}
              onClick={onDown}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="default" aria-label={t('routing.remove', { position })} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        )
      }
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs">
          {text('currency', 3)}
          {text('min_amount', 20)}
          {text('max_amount', 20)}
          {text('brand', 32)}
          {text('country', 2)}
          <Select
            size="xs"
            label={t('routing.when.payment_method')}
            placeholder={t('routing.any')}
            clearable
            readOnly={isReadOnly}
            data={METHODS.map((value) => ({ value, label: t(`components:method.${value}`) }))}
            value={when.payment_method ?? null}
            onChange={(value) => setCondition('payment_method', value)}
          />
          <Select
            size="xs"
            label={t('routing.when.source')}
            placeholder={t('routing.any')}
            clearable
            readOnly={isReadOnly}
            data={SOURCES.map((value) => ({ value, label: t(`routing.source.${value}`) }))}
            value={when.source ?? null}
            onChange={(value) => setCondition('source', value)}
          />
        </SimpleGrid>
        <MultiSelect
          size="xs"
          label={t('routing.accounts')}
          readOnly={isReadOnly}
          data={options}
          value={chosen}
          onChange={(ids) => {
            if (ids.length === 0) return
            const weightOf = (id: string) => rule.accounts.find((account) => account.id === id)?.weight ?? 1
            onChange({ ...rule, accounts: ids.map((id) => ({ id, weight: weightOf(id) })) })
          }}
        />
        {rule.accounts.length > 1 && (
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs">
            {rule.accounts.map((account, index) => (
              <NumberInput
                key={account.id}
                size="xs"
                label={t('routing.weight', {
                  account: accounts.find(({ id }) => id === account.id)?.name ?? account.id,
                })}
                min={1}
                max={MAX_WEIGHT}
                allowDecimal={false}
                readOnly={isReadOnly}
                value={account.weight}
                onChange={(weight) =>
                  onChange({
                    ...rule,
                    accounts: rule.accounts.with(index, { ...account, weight: Number(weight) || 1 }),
                  })
                }
              />
            ))}
          </SimpleGrid>
        )}
        {rule.accounts.length > 1 && (
          <Checkbox
            size="sm"
            label={t('routing.by_success_rate')}
            disabled={isReadOnly}
            checked={rule.by === 'success_rate'}
            onChange={({ currentTarget: { checked } }) => {
              const { by: _, ...rest } = rule
              onChange(checked ? { ...rest, by: 'success_rate' } : rest)
            }}
          />
        )}
        <MultiSelect
          size="xs"
          label={t('routing.fallback')}
          description={t('routing.fallback_text')}
          readOnly={isReadOnly}
          data={options}
          value={[...rule.fallback]}
          onChange={(fallback) => onChange({ ...rule, fallback })}
        />
      </Stack>
    </Section>
  )
}
