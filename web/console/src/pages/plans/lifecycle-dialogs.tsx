import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { formatTime } from '#components/time.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'

export function UncancelDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const zone = useTimeZone()
  const time = plan.cancel_at === undefined ? '' : formatTime(plan.cancel_at, i18n.language, zone)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('uncancel.title')}
      confirmLabel={t('uncancel.confirm')}
      doneMessage={t('uncancel.done')}
      effect={t('uncancel.effect', { time })}
      run={(quittance) => quittance.plans.uncancel(plan.id)}
    />
  )
}

export function TrialDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const zone = useTimeZone()
  const [when, setWhen] = useState('date')
  const [date, setDate] = useState('')
  const isNow = when === 'now'
  const end = plan.trial === undefined ? '' : formatTime(plan.trial.end, i18n.language, zone)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('trial.title')}
      confirmLabel={t(isNow ? 'trial.confirm_now' : 'trial.confirm')}
      isDisabled={!isNow && date === ''}
      doneMessage={t('trial.done')}
      effect={isNow ? t('trial.effect_now') : t('trial.effect', { time: end })}
      run={(quittance) =>
        quittance.plans.moveTrial(plan.id, { until: isNow ? (plan.trial?.start ?? '') : date })
      }
    >
      <Radio.Group label={t('trial.when')} value={when} onChange={setWhen}>
        <Stack gap={6} mt={6}>
          <Radio value="date" label={t('trial.on_date')} data-autofocus />
          <Radio value="now" label={t('trial.now')} />
        </Stack>
      </Radio.Group>
      {!isNow && (
        <TextInput
          label={t('trial.date')}
          type="date"
          required
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}

export function ReactivateDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation('plans')
  const [from, setFrom] = useState<'now' | 'missed'>('now')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('reactivate.title')}
      confirmLabel={t('reactivate.confirm')}
      doneMessage={t('reactivate.done')}
      effect={t(`reactivate.effect_${from}`)}
      run={(quittance) => quittance.plans.reactivate(plan.id, { from })}
    >
      <Radio.Group
        label={t('reactivate.from')}
        value={from}
        onChange={(value) => setFrom(value === 'missed' ? value : 'now')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="now" label={t('reactivate.now')} data-autofocus />
          <Radio value="missed" label={t('reactivate.missed')} />
        </Stack>
      </Radio.Group>
    </ActionDialog>
  )
}
