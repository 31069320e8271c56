import { Fieldset, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { DunningPolicy } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'
import { draftOf, isCompleteStep, NEW_STEP, type StepDraft, stepOf } from '#pages/dunning/step-draft.ts'
import { StepsField } from '#pages/dunning/steps-field.tsx'

interface PolicyDialogProps {
  /** Without one the dialog creates a policy. */
  readonly policy?: DunningPolicy
  readonly onClose: () => void
}

interface SoftDraft {
  readonly codes: string[]
  readonly steps: readonly StepDraft[]
}

/** Codes that every acquirer uses. Others can be typed. */
const CODES = [
  'insufficient_funds',
  'card_declined',
  'expired_card',
  'card_velocity_exceeded',
  'authentication_required',
]
const HARD = ['wait', 'step'] as const
const NEW_TOKEN = ['retry', 'wait'] as const
const EXHAUSTED = ['uncollectible', 'cancel'] as const

export function PolicyDialog({ policy, onClose }: PolicyDialogProps) {
  const { t } = useTranslation('dunning')
  const navigate = useNavigate()
  const [name, setName] = useState(policy?.name ?? '')
  const [reference, setReference] = useState('')
  const [steps, setSteps] = useState<readonly StepDraft[]>(policy?.steps.map(draftOf) ?? [NEW_STEP])
  const [soft, setSoft] = useState<readonly SoftDraft[]>(
    policy?.soft.map((one) => ({ codes: one.decline_codes, steps: one.steps.map(draftOf) })) ?? [],
  )
  const [rules, setRules] = useState<Pick<DunningPolicy, 'hard' | 'new_token' | 'exhausted'>>({
    hard: policy?.hard ?? 'wait',
    new_token: policy?.new_token ?? 'retry',
    exhausted: policy?.exhausted ?? 'uncollectible',
  })
  const isComplete =
    name.trim() !== '' &&
    steps.every(isCompleteStep) &&
    soft.every((group) => group.codes.length > 0 && group.steps.every(isCompleteStep))
  const members = {
    name,
    steps: steps.map(stepOf),
    soft: soft.map((group) => ({ decline_codes: group.codes, steps: group.steps.map(stepOf) })),
    ...rules,
  }
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(policy === undefined ? 'new.title' : 'edit.title')}
      confirmLabel={t(policy === undefined ? 'new.confirm' : 'edit.confirm')}
      doneMessage={t(policy === undefined ? 'new.done' : 'edit.done')}
      {...(policy !== undefined && { effect: t('edit.effect') })}
      isDisabled={!isComplete}
      run={(quittance) =>
        policy === undefined
          ? quittance.dunningPolicies.create({
              ...members,
              ...(reference !== '' && { reference_id: reference }),
            })
          : quittance.dunningPolicies.update(policy.id, members)
      }
      onDone={({ id }) => {
        if (policy === undefined) void navigate({ to: '/dunning-policies/$id', params: { id } })
      }}
    >
      <TextInput
        label={t('column.name')}
        value={name}
        required
        maxLength={255}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <StepsField steps={steps} onChange={setSteps} />
      {soft.map((group, index) => (
        // A group has no id of its own, and only its place distinguishes it.
        // oxlint-disable-next-line react/no-array-index-key
        <Fieldset key={index} legend={t('soft.legend', { number: index + 1 })}>
          <Stack gap="xs">
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <TagsInput
                flex={1}
                label={t('soft.codes')}
                required
                data={CODES}
                value={group.codes}
                onChange={(codes) => setSoft(replaced(soft, index, { ...group, codes }))}
              />
              <RemoveButton
                mb={4}
                label={t('soft.remove')}
                onClick={() => setSoft(soft.filter((_, position) => position !== index))}
              />
            </Group>
            <StepsField
              steps={group.steps}
              onChange={(changed) => setSoft(replaced(soft, index, { ...group, steps: changed }))}
            />
          </Stack>
        </Fieldset>
      ))}
      <AddButton onClick={() => setSoft([...soft, { codes: ['insufficient_funds'], steps: [NEW_STEP] }])}>
        {t('soft.add')}
      </AddButton>
      <Select
        label={t('column.hard')}
        data={HARD.map((value) => ({ value, label: t(`hard.${value}`) }))}
        value={rules.hard}
        allowDeselect={false}
        onChange={(hard) => hard !== null && setRules({ ...rules, hard })}
      />
      <Select
        label={t('column.new_token')}
        data={NEW_TOKEN.map((value) => ({ value, label: t(`new_token.${value}`) }))}
        value={rules.new_token}
        allowDeselect={false}
        onChange={(new_token) => new_token !== null && setRules({ ...rules, new_token })}
      />
      <Select
        label={t('column.exhausted')}
        data={EXHAUSTED.map((value) => ({ value, label: t(`exhausted.${value}`) }))}
        value={rules.exhausted}
        allowDeselect={false}
        onChange={(exhausted) => exhausted !== null && setRules({ ...rules, exhausted })}
      />
      {policy === undefined && (
        <TextInput
          label={t('column.reference_id')}
          description={t('new.reference_hint')}
          maxLength={255}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}

function replaced<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((one, position) => (position === index ? item : one))
}
