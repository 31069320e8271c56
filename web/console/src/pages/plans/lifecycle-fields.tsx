import { Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Length, type PlanDraft, TRIAL_ENDS, UNITS, WITHOUT_TOKEN } from '#pages/plans/plan-draft.ts'

export const WHOLE = { allowDecimal: false, allowNegative: false, clampBehavior: 'strict' } as const
const MAX_TRIAL_DAYS = 3650

interface TrialFieldsProps {
  readonly trial: PlanDraft['trial']
  readonly onChange: (trial: PlanDraft['trial']) => void
}

export function TrialFields({ trial, onChange }: TrialFieldsProps) {
  const { t } = useTranslation('plans')
  const change = (changes: Partial<PlanDraft['trial']>) => onChange({ ...trial, ...changes })
  return (
    <>
      <Group grow align="flex-end">
        <Select
          label={t('form.trial')}
          data={TRIAL_ENDS.map((value) => ({ value, label: t(`trial_ends.${value}`) }))}
          value={trial.ends}
          allowDeselect={false}
          onChange={(ends) => ends !== null && change({ ends })}
        />
        {trial.ends === 'days' && (
          <NumberInput
            {...WHOLE}
            label={t('form.trial_days')}
            value={trial.days}
            min={1}
            max={MAX_TRIAL_DAYS}
            required
            onChange={(days) => change({ days: Number(days) })}
          />
        )}
        {trial.ends === 'until' && (
          <TextInput
            label={t('form.trial_until')}
            type="date"
            value={trial.until}
            required
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        )}
      </Group>
      {trial.ends !== 'none' && (
        <>
          <Checkbox
            label={t('form.token_required')}
            checked={trial.tokenRequired}
            onChange={(event) => change({ tokenRequired: event.currentTarget.checked })}
          />
          <Select
            label={t('form.without_token')}
            data={WITHOUT_TOKEN.map((value) => ({ value, label: t(`without_token.${value}`) }))}
            value={trial.withoutToken}
            allowDeselect={false}
            onChange={(withoutToken) => withoutToken !== null && change({ withoutToken })}
          />
        </>
      )}
    </>
  )
}

interface TermFieldsProps {
  readonly terms: PlanDraft['terms']
  readonly onChange: (terms: PlanDraft['terms']) => void
}

/** Without a minimum nothing binds the customer. */
export function TermFields({ terms, onChange }: TermFieldsProps) {
  const { t } = useTranslation('plans')
  const { minimum, notice, renewal } = terms
  return (
    <>
      <LengthField
        label={t('form.minimum')}
        hint={t('form.minimum_hint')}
        value={minimum}
        onChange={(value) => onChange({ ...terms, minimum: value })}
      />
      {minimum.count !== null && (
        <>
          <LengthField
            label={t('form.notice')}
            hint={t('form.notice_hint')}
            value={notice}
            onChange={(value) => onChange({ ...terms, notice: value })}
          />
          <LengthField
            label={t('form.renewal')}
            hint={t('form.renewal_hint')}
            value={renewal}
            onChange={(value) => onChange({ ...terms, renewal: value })}
          />
        </>
      )}
    </>
  )
}

interface LengthFieldProps {
  readonly label: string
  readonly hint: string
  readonly value: Length
  readonly onChange: (length: Length) => void
}

function LengthField({ label, hint, value, onChange }: LengthFieldProps) {
  const { t } = useTranslation('plans')
  return (
    <Group grow align="flex-end">
      <NumberInput
        {...WHOLE}
        label={label}
        description={hint}
        value={value.count ?? ''}
        min={1}
        max={1000}
        onChange={(count) => onChange({ ...value, count: count === '' ? null : Number(count) })}
      />
      <Select
        aria-label={`${label}: ${t('form.unit')}`}
        data={UNITS.map((unit) => ({ value: unit, label: t(`unit.${unit}`) }))}
        value={value.unit}
        allowDeselect={false}
        onChange={(unit) => unit !== null && onChange({ ...value, unit })}
      />
    </Group>
  )
}
