import { Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'
import { useTranslation } from 'react-i18next'
import { NEW_STEP, type StepDraft } from '#pages/dunning/step-draft.ts'

interface StepsFieldProps {
  readonly steps: readonly StepDraft[]
  readonly onChange: (steps: readonly StepDraft[]) => void
}

const KINDS = ['after_days', 'days_of_month'] as const
const WHOLE = { allowDecimal: false, allowNegative: false, min: 1, max: 3650 } as const

export function StepsField({ steps, onChange }: StepsFieldProps) {
  const { t } = useTranslation('dunning')
  const change = (index: number, member: Partial<StepDraft>) =>
    onChange(steps.map((step, position) => (position === index ? { ...step, ...member } : step)))
  return (
    <Stack gap="xs">
      {steps.map((step, index) => (
        // A step has no id of its own, and only its place distinguishes it.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="xs" align="flex-end">
          <Select
            flex={2}
            miw={160}
            label={t('step.kind', { number: index + 1 })}
            data={KINDS.map((value) => ({ value, label: t(`step.${value}`) }))}
            value={step.kind}
            allowDeselect={false}
            onChange={(kind) => kind !== null && change(index, { kind })}
          />
          {step.kind === 'after_days' ? (
            <NumberInput
              {...WHOLE}
              flex={1}
              miw={80}
              label={t('step.days')}
              required
              value={step.afterDays}
              onChange={(afterDays) => change(index, { afterDays })}
            />
          ) : (
            <>
              <TextInput
                flex={1}
                miw={80}
                label={t('step.month_days')}
                required
                value={step.daysOfMonth}
                onChange={(event) => change(index, { daysOfMonth: event.currentTarget.value })}
              />
              <NumberInput
                {...WHOLE}
                flex={1}
                miw={80}
                label={t('step.min_days')}
                required
                value={step.minDays}
                onChange={(minDays) => change(index, { minDays })}
              />
            </>
          )}
          <TextInput
            flex={1}
            miw={110}
            type="time"
            label={t('step.time')}
            value={step.time}
            onChange={(event) => change(index, { time: event.currentTarget.value })}
          />
          <RemoveButton
            mb={4}
            {...(steps.length === 1 && { style: { visibility: 'hidden' } })}
            label={t('step.remove')}
            onClick={() => onChange(steps.filter((_, position) => position !== index))}
          />
        </Group>
      ))}
      <AddButton onClick={() => onChange([...steps, nextStep(steps.at(-1))])}>{t('step.add')}</AddButton>
    </Stack>
  )
}

function nextStep(last: StepDraft = NEW_STEP): StepDraft {
  return { ...last, afterDays: Number(last.afterDays) + 4 }
}
