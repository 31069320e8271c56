import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { PolicySelect } from '#pages/dunning/policy-select.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'

export function EditPlanDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation(['plans', 'components'])
  const [name, setName] = useState(plan.name)
  const [attempts, setAttempts] = useState<number | string>(plan.payment_retry_count)
  const [days, setDays] = useState<number | string>(plan.payment_retry_day_period)
  const before = plan.dunning_policy_id ?? null
  const [policy, setPolicy] = useState(before)
  const [url, setUrl] = useState(plan.callback_url ?? '')
  const isValid = name.trim() !== '' && typeof attempts === 'number' && typeof days === 'number'
  const changes = {
    ...(name !== plan.name && { name }),
    ...(policy !== before && { dunning_policy_id: policy }),
    ...(policy === null &&
      (before !== null || attempts !== plan.payment_retry_count) && {
        payment_retry_count: Number(attempts),
      }),
    ...(policy === null &&
      (before !== null || days !== plan.payment_retry_day_period) && {
        payment_retry_day_period: Number(days),
      }),
    ...(url !== '' && url !== plan.callback_url && { callback_url: url }),
  }
  const isUnchanged = Object.keys(changes).length === 0
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('edit.title')}
      confirmLabel={t('edit.confirm')}
      isDisabled={!isValid || isUnchanged}
      disabledReason={isValid && isUnchanged ? t('components:dialog.unchanged') : undefined}
      doneMessage={t('edit.done')}
      effect={t('edit.effect')}
      run={(quittance) => quittance.plans.update(plan.id, changes)}
    >
      <TextInput
        label={t('column.name')}
        value={name}
        required
        maxLength={255}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PolicySelect value={policy} onChange={setPolicy} />
      {policy === null && (
        <>
          <NumberInput
            label={t('attempts')}
            description={t('attempts_hint')}
            value={attempts}
            min={1}
            max={100}
            allowDecimal={false}
            required
            onChange={setAttempts}
          />
          <NumberInput
            label={t('days_between')}
            value={days}
            min={1}
            max={3650}
            allowDecimal={false}
            required
            onChange={setDays}
          />
        </>
      )}
      <TextInput
        label={t('callback_url')}
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
    </ActionDialog>
  )
}
