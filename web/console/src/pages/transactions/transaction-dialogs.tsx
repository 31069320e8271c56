import { Radio, Stack, TextInput } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { Order, Transaction } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { joinSentences } from '#components/joined.ts'
import { formatAmount } from '#components/money.tsx'
import { brandName } from '#components/brand-name.ts'
import type { TransactionAction } from '#pages/transactions/offered-actions.ts'
import { amountLeft, difference, isAll } from '#pages/transactions/amounts.ts'

interface DialogProps {
  readonly order: Order
  readonly transaction: Transaction
  readonly onClose: () => void
}

/** The dialog of an action, whose effect is shown before it is confirmed. */
export function TransactionDialog({
  action,
  ...props
}: DialogProps & { readonly action: TransactionAction | null }) {
  if (action === 'refund') return <RefundDialog {...props} />
  if (action === 'capture') return <CaptureDialog {...props} />
  if (action === 'void') return <VoidDialog {...props} />
  if (action === 'decide') return <DecideDialog {...props} />
  if (action === 'undo') return <UndoDialog {...props} />
  return null
}

function RefundDialog({ order, transaction, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('transactions')
  const { currency } = transaction
  const left = amountLeft(transaction, order.transactions)
  const [amount, setAmount] = useState(left)
  const [note, setNote] = useState('')
  const isValid = amountProblem(amount, currency, left) === undefined
  const money = (value: string) => `${formatAmount(value, currency, i18n.language)} ${currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('refund.title')}
      confirmLabel={isValid ? t('refund.confirm', { amount: money(amount) }) : t('refund.confirm_empty')}
      isDisabled={!isValid}
      doneMessage={t('refund.done')}
      run={(quittance) =>
        quittance.transactions.refund(transaction.uuid, { amount, ...(note !== '' && { note }) })
      }
      {...(isValid && {
        effect: t(isAll(amount, order.paid_total, currency) ? 'refund.effect_all' : 'refund.effect', {
          amount: money(amount),
          to: instrumentOf(transaction, t),
          before: money(order.paid_total),
          after: money(difference(order.paid_total, amount, currency)),
        }),
      })}
    >
      <AmountField
        label={t('refund.amount')}
        description={t('refund.left', { amount: money(left) })}
        value={amount}
        currency={currency}
        max={left}
        onChange={setAmount}
      />
      <TextInput
        label={t('note')}
        description={t('note_hint')}
        value={note}
        maxLength={255}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

function CaptureDialog({ order, transaction, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('transactions')
  const { currency, payment_data } = transaction
  const left = amountLeft(transaction, order.transactions)
  const [amount, setAmount] = useState(left)
  const isValid = amountProblem(amount, currency, left) === undefined
  const money = (value: string) => `${formatAmount(value, currency, i18n.language)} ${currency}`
  // Only the simulator takes several captures of one authorization (reference/acquirers#settling-and-captures).
  const keepsRest = payment_data.acquirer_name === 'simulator'
  const rest = isAll(amount || '0', left, currency) ? 'none' : keepsRest ? 'held' : 'released'
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('capture.title')}
      confirmLabel={isValid ? t('capture.confirm', { amount: money(amount) }) : t('capture.confirm_empty')}
      isDisabled={!isValid}
      doneMessage={t('capture.done')}
      run={(quittance) => quittance.transactions.capture(transaction.uuid, { amount })}
      {...(isValid && {
        effect: joinSentences(i18n.language, [
          t('capture.effect', { amount: money(amount), from: instrumentOf(transaction, t) }),
          rest === 'none'
            ? ''
            : t(`capture.rest_${rest}`, { amount: money(difference(left, amount, currency)) }),
        ]),
      })}
    >
      <AmountField
        label={t('capture.amount')}
        description={t('capture.left', { amount: money(left) })}
        value={amount}
        currency={currency}
        max={left}
        onChange={setAmount}
      />
    </ActionDialog>
  )
}

function VoidDialog({ order, transaction, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('transactions')
  const { currency, type } = transaction
  const amount = `${formatAmount(transaction.amount, currency, i18n.language)} ${currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('void.title')}
      confirmLabel={t('void.confirm', { amount })}
      doneMessage={t('void.done')}
      run={(quittance) => quittance.transactions.void(transaction.uuid, {})}
      effect={joinSentences(i18n.language, [
        t(type === 'Authorization' ? 'void.effect_authorization' : 'void.effect', {
          amount,
          to: instrumentOf(transaction, t),
        }),
        order.state === 'completed' ? t('void.reopens') : '',
      ])}
    />
  )
}

/** Of what was recorded by hand: a payment or a repayment. */
function UndoDialog({ transaction, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('transactions')
  const { currency, type, uuid } = transaction
  const amount = `${formatAmount(transaction.amount.replace('-', ''), currency, i18n.language)} ${currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('undo.title')}
      confirmLabel={t('undo.button')}
      doneMessage={t('undo.done')}
      run={({ transactions }) => transactions.undo(uuid)}
      effect={t(type === 'Refund' ? 'undo.effect_refund' : 'undo.effect', { amount })}
    />
  )
}

function DecideDialog({ transaction, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('transactions')
  const [outcome, setOutcome] = useState<'succeeded' | 'failed' | ''>('')
  const [reference, setReference] = useState('')
  const amount = `${formatAmount(transaction.amount, transaction.currency, i18n.language)} ${transaction.currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('decide.title')}
      confirmLabel={t('decide.confirm')}
      isDisabled={outcome === ''}
      doneMessage={t('decide.done')}
      run={async (quittance) => {
        if (outcome === '') return undefined
        const reply = { outcome, ...(reference !== '' && { new_gateway_txn_id: reference }) }
        return quittance.transactions.decide(transaction.uuid, reply)
      }}
      effect={outcome === '' ? t('decide.look') : t(`decide.effect_${outcome}`, { amount })}
    >
      <Radio.Group
        label={t('decide.outcome')}
        required
        value={outcome}
        onChange={(value) => setOutcome(value === 'succeeded' ? 'succeeded' : 'failed')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="succeeded" label={t('decide.succeeded')} />
          <Radio value="failed" label={t('decide.failed')} />
        </Stack>
      </Radio.Group>
      <TextInput
        label={t('decide.reference')}
        description={t('decide.reference_hint')}
        value={reference}
        maxLength={255}
        onChange={(event) => setReference(event.currentTarget.value.trim())}
      />
    </ActionDialog>
  )
}

/** "Visa •••• 4242", or the name of the real wallet, or else of the method. */
export function instrumentOf(
  { payment_data: data, payment_method }: Transaction,
  t: TFunction<'transactions'>,
): string {
  const { credit_card_type: brand, last_4_digits: digits, wallet } = data
  if (digits !== undefined && digits !== '')
    return `${brand === undefined ? t('method.credit_card') : brandName(brand)} •••• ${digits}`
  return wallet === undefined ? t(`method.${payment_method}`) : t(`wallet.${wallet}`)
}
