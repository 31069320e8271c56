import { Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { Card, Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { formatAmount } from '#components/money.tsx'

interface LimitDialogProps {
  readonly card: Card
  readonly onClose: () => void
}

type Period = Schemas['NewCardLimit']['period']

const PERIODS: readonly Period[] = ['Transaction', 'Daily', 'Monthly', 'Lifetime']

export function AddLimitDialog({ card, onClose }: LimitDialogProps) {
  const { t } = useTranslation('cards')
  const free = PERIODS.filter((period) => !card.limits.some((limit) => limit.period === period))
  const [period, setPeriod] = useState(free[0] ?? 'Daily')
  const [amount, setAmount] = useState('')
  const { settlement_currency: currency } = card
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('limit.add_title')}
      confirmLabel={t('limit.add')}
      doneMessage={t('limit.added')}
      isDisabled={amountProblem(amount, currency) !== undefined}
      effect={t('limit.add_effect')}
      run={(quittance) => quittance.cards.addLimit(card.id, { period, limit_amount: amount })}
    >
      <Select
        label={t('limit.period')}
        data={free.map((value) => ({ value, label: t(`period.${value}`) }))}
        value={period}
        allowDeselect={false}
        onChange={(value) => setPeriod(free.find((one) => one === value) ?? period)}
      />
      <AmountField label={t('limit.amount')} value={amount} currency={currency} onChange={setAmount} />
    </ActionDialog>
  )
}

export function EditLimitsDialog({ card, onClose }: LimitDialogProps) {
  const { t, i18n } = useTranslation(['cards', 'components'])
  const { settlement_currency: currency } = card
  const [limits, setLimits] = useState(card.limits)
  const [remark, setRemark] = useState('')
  const changed = limits.filter((limit) => {
    const before = card.limits.find(({ id }) => id === limit.id)
    return before?.limit_amount !== limit.limit_amount || before.status !== limit.status
  })
  const isValid = limits.every(({ limit_amount }) => {
    const problem = amountProblem(limit_amount, currency)
    return problem === undefined || problem === 'zero'
  })
  const change = (id: string, changes: Partial<Card['limits'][number]>) =>
    setLimits(limits.map((limit) => (limit.id === id ? { ...limit, ...changes } : limit)))
  const money = (amount: string) => `${formatAmount(amount, currency, i18n.language)} ${currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('limit.edit_title')}
      confirmLabel={t('limit.save')}
      doneMessage={t('limit.saved')}
      isDisabled={changed.length === 0 || !isValid}
      disabledReason={isValid ? t('components:dialog.unchanged') : undefined}
      {...(changed.length > 0 &&
        isValid && {
          effect: (
            <Stack gap={2}>
              {changed.map(({ id, period, limit_amount, status }) => (
                <span key={id}>
                  {t(status === 'Inactive' ? 'limit.effect_inactive' : 'limit.effect', {
                    period: t(`period.${period}`),
                    before: money(card.limits.find((limit) => limit.id === id)?.limit_amount ?? '0'),
                    after: money(limit_amount),
                  })}
                </span>
              ))}
            </Stack>
          ),
        })}
      run={(quittance) =>
        quittance.cards.updateLimits(card.id, {
          limits: changed.map(({ id, period, limit_amount, status }) => ({
            id,
            period,
            limit_amount,
            status,
          })),
          ...(remark !== '' && { remark }),
        })
      }
    >
      {limits.map((limit) => (
        <Group key={limit.id} align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t(`period.${limit.period}`)}
            value={limit.limit_amount}
            inputMode="decimal"
            rightSectionWidth={52}
            rightSection={currency}
            onChange={(event) => change(limit.id, { limit_amount: event.currentTarget.value.trim() })}
          />
          <Switch
            mb={8}
            label={t('limit.active')}
            checked={limit.status === 'Active'}
            onChange={(event) =>
              change(limit.id, { status: event.currentTarget.checked ? 'Active' : 'Inactive' })
            }
          />
        </Group>
      ))}
      <TextInput
        label={t('remark')}
        value={remark}
        maxLength={255}
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
