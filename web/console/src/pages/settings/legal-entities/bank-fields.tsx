import { Group, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LegalEntity } from '#pages/settings/legal-entities/entity-list.tsx'

const KINDS = ['none', 'iban', 'account_number'] as const

const NAMES = [
  'iban',
  'account_number',
  'bank_code',
  'branch_code',
  'bank_name',
  'account_holder',
  'bic',
  'fps_id',
] as const

type Name = (typeof NAMES)[number]

/** A bank account as it is typed. */
export interface BankDraft extends Readonly<Record<Name, string>> {
  readonly kind: (typeof KINDS)[number]
}

const SHOWN: Readonly<Record<BankDraft['kind'], readonly Name[]>> = {
  none: [],
  iban: ['iban', 'bic', 'bank_name', 'account_holder', 'fps_id'],
  account_number: NAMES.filter((name) => name !== 'iban'),
}

export function bankDraft(bank: LegalEntity['bank']): BankDraft {
  const kind = bank === null ? 'none' : bank.iban === undefined ? 'account_number' : 'iban'
  const texts = NAMES.map((name) => [name, bank?.[name] ?? ''])
  return { ...(Object.fromEntries(texts) as Record<Name, string>), kind }
}

/** The account as the API takes it. */
export function readBank(draft: BankDraft) {
  if (draft.kind === 'none') return null
  const texts = SHOWN[draft.kind].map((name) => [name, draft[name].trim() || null])
  return Object.fromEntries(texts) as Partial<Record<Name, string | null>>
}

interface BankFieldsProps {
  readonly value: BankDraft
  readonly onChange: (value: BankDraft) => void
}

export function BankFields({ value, onChange }: BankFieldsProps) {
  const { t } = useTranslation('legal-entities')
  const shown = SHOWN[value.kind]
  const field = (name: Name) =>
    shown.includes(name) && (
      <TextInput
        label={t(`column.${name}`)}
        {...(name === 'account_holder' && { description: t('form.account_holder') })}
        {...(name === 'fps_id' && { description: t('form.fps_id') })}
        required={name === value.kind}
        value={value[name]}
        maxLength={255}
        autoComplete="off"
        onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
      />
    )
  return (
    <>
      <Select
        label={t('bank.title')}
        description={t('form.bank')}
        data={KINDS.map((kind) => ({ value: kind, label: t(`bank.${kind}`) }))}
        value={value.kind}
        allowDeselect={false}
        onChange={(kind) => kind !== null && onChange({ ...value, kind })}
      />
      {value.kind !== 'none' && (
        <>
          <Group grow align="flex-start">
            {field('iban')}
            {field('account_number')}
            {field('bic')}
          </Group>
          <Group grow align="flex-start">
            {field('bank_code')}
            {field('branch_code')}
          </Group>
          <Group grow align="flex-start">
            {field('bank_name')}
            {field('account_holder')}
          </Group>
          {field('fps_id')}
        </>
      )}
    </>
  )
}
