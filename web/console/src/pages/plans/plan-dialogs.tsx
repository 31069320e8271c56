import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { fromMinorUnits, type Plan, toMinorUnits } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useTimeZone } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { joinSentences } from '#components/joined.ts'
import { formatAmount } from '#components/money.tsx'
import { formatTime } from '#components/time.tsx'
import { useLengthText } from '#pages/plans/length-text.ts'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'
import { currencyOf, currentCycle } from '#pages/plans/plan.ts'

export function PauseDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const zone = useTimeZone()
  const [until, setUntil] = useState('')
  const { next_execute_time: next } = plan
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('pause.title')}
      confirmLabel={t('pause.confirm')}
      doneMessage={t('pause.done')}
      effect={
        next === null
          ? t('pause.effect')
          : t('pause.effect_next', { time: formatTime(next, i18n.language, zone) })
      }
      run={(quittance) => quittance.plans.pause(plan.id, until === '' ? {} : { until })}
    >
      <TextInput
        label={t('pause.until')}
        description={t('pause.until_hint')}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

export function ResumeDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation('plans')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('resume.title')}
      confirmLabel={t('resume.confirm')}
      doneMessage={t('resume.done')}
      effect={t(plan.current_order?.state === 'open' ? 'resume.effect_unpaid' : 'resume.effect')}
      run={(quittance) => quittance.plans.resume(plan.id)}
    />
  )
}

export function CancelDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const zone = useTimeZone()
  const { can } = useApi()
  const [when, setWhen] = useState('period_end')
  const [unused, setUnused] = useState<'keep' | 'refund'>('keep')
  const end = trialEnd(plan) ?? currentCycle(plan)?.next_execute_time ?? plan.next_execute_time
  const isAtEnd = when === 'period_end'
  const hasUnpaid = plan.current_order?.state === 'open'
  const lengthOf = useLengthText()
  const { minimum, notice, renewal } = plan.terms ?? {}
  const terms = {
    minimum: lengthOf(minimum ?? ''),
    notice: notice === undefined ? '–' : lengthOf(notice),
    renewal: renewal === undefined ? '–' : lengthOf(renewal),
  }
  const grace =
    plan.grace_period === null ? t('cancel.unpaid_forever') : t('cancel.unpaid', { count: plan.grace_period })
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('cancel.title')}
      dismissLabel={t('cancel.keep')}
      confirmLabel={t(isAtEnd ? 'cancel.confirm_end' : 'cancel.confirm_now')}
      doneMessage={t('cancel.done')}
      effect={joinSentences(i18n.language, [
        isAtEnd
          ? end === null || isBound(plan)
            ? t(isBound(plan) ? 'cancel.effect_term' : 'cancel.effect_end', terms)
            : t('cancel.effect_end_at', { time: formatTime(end, i18n.language, zone) })
          : t(unused === 'refund' ? 'cancel.effect_refund' : 'cancel.effect_now'),
        hasUnpaid ? grace : '',
      ])}
      run={(quittance) =>
        quittance.plans.cancel(plan.id, isAtEnd ? { at_period_end: true } : { at_period_end: false, unused })
      }
    >
      <Radio.Group label={t('cancel.when')} value={when} onChange={setWhen}>
        <Stack gap={6} mt={6}>
          <Radio value="period_end" label={t('cancel.at_end')} data-autofocus />
          <Radio value="now" label={t('cancel.now')} />
        </Stack>
      </Radio.Group>
      {!isAtEnd && can('payments:write') && (
        <Checkbox
          label={t('cancel.refund')}
          checked={unused === 'refund'}
          onChange={(event) => setUnused(event.currentTarget.checked ? 'refund' : 'keep')}
        />
      )}
    </ActionDialog>
  )
}

function trialEnd({ trial }: Plan): string | undefined {
  return trial?.state === 'running' ? trial.end : undefined
}

/** A trial ends with itself, whatever the terms. */
function isBound(plan: Plan): boolean {
  return plan.terms !== undefined && trialEnd(plan) === undefined
}

export function CreditDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const currency = currencyOf(plan)
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const isValid = amountProblem(amount, currency) === undefined
  const money = (value: string) => `${formatAmount(value, currency, i18n.language)} ${currency}`
  const after = () =>
    fromMinorUnits(toMinorUnits(plan.credit, currency) + toMinorUnits(amount, currency), currency)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('credit.title')}
      confirmLabel={isValid ? t('credit.confirm', { amount: money(amount) }) : t('credit.button')}
      isDisabled={!isValid}
      doneMessage={t('credit.done')}
      {...(isValid && {
        effect: t('credit.effect', {
          amount: money(amount),
          before: money(plan.credit),
          after: money(after()),
        }),
      })}
      run={(quittance) => quittance.plans.credit(plan.id, { amount, ...(note !== '' && { note }) })}
    >
      <AmountField label={t('credit.amount')} value={amount} currency={currency} onChange={setAmount} />
      <TextInput
        label={t('note')}
        value={note}
        maxLength={255}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
