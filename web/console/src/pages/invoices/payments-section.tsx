import { Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { ColumnTable } from '#components/column-table.tsx'
import { beforeValue } from '#components/joined.ts'
import { useApiQuery } from '#components/loaded.tsx'
import { TextLink } from '#components/links.tsx'
import { formatAmount, Money } from '#components/money.tsx'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { isZeroAmount } from '#pages/invoices/amounts.ts'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'

const SCOPE = 'billing:write'
const METHODS = ['bank_transfer', 'cash', 'cheque', 'other'] as const
const MAX_PLANS = 100

type Payment = NonNullable<Invoice['payments']>[number]
type Action =
  | { readonly kind: 'pay' | 'repay' | 'move' | 'write_off' }
  | { readonly kind: 'undo'; readonly payment: Payment }

/** What was paid of an invoice, and what can be recorded by hand. */
export function PaymentsSection({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const [action, setAction] = useState<Action>()
  const { currency, order_number, payments = [], overpaid = '0', state, replaced_by } = invoice
  const isGivenAway = overpaid.startsWith('-')
  const isOverpaid = !isGivenAway && !isZeroAmount(overpaid, currency)
  const close = () => setAction(undefined)
  return (
    <Section title={t('payments.title')}>
      {payments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('payments.none')}
        </Text>
      ) : (
        <PaymentsTable
          payments={payments}
          currency={currency}
          orderNumber={order_number}
          onUndo={(payment) => setAction({ kind: 'undo', payment })}
        />
      )}
      {isOverpaid && (
        <Text size="sm" mt="xs" fw={600}>
          {beforeValue(t('payments.overpaid'))}
          <Money amount={overpaid} currency={currency} />
        </Text>
      )}
      {isGivenAway && (
        <Text size="sm" mt="xs" fw={600}>
          {beforeValue(t('payments.given_away'))}
          <Money amount={overpaid.slice(1)} currency={currency} />
        </Text>
      )}
      <Group gap="xs" mt="sm">
        {replaced_by === undefined && state !== 'uncollectible' && (
          <ActionButton scope={SCOPE} onClick={() => setAction({ kind: 'pay' })}>
            {t('payments.pay')}
          </ActionButton>
        )}
        {isOverpaid && (
          <>
            <ActionButton scope={SCOPE} onClick={() => setAction({ kind: 'repay' })}>
              {t('payments.repay')}
            </ActionButton>
            <ActionButton scope={SCOPE} onClick={() => setAction({ kind: 'move' })}>
              {t('payments.move')}
            </ActionButton>
          </>
        )}
        {state === 'open' && (
          <ActionButton scope={SCOPE} onClick={() => setAction({ kind: 'write_off' })}>
            {t('payments.write_off')}
          </ActionButton>
        )}
      </Group>
      {action?.kind === 'pay' && <PayDialog invoice={invoice} onClose={close} />}
      {action?.kind === 'repay' && <RepayDialog invoice={invoice} onClose={close} />}
      {action?.kind === 'move' && <MoveDialog invoice={invoice} onClose={close} />}
      {action?.kind === 'write_off' && <WriteOffDialog invoice={invoice} onClose={close} />}
      {action?.kind === 'undo' && <UndoDialog payment={action.payment} currency={currency} onClose={close} />}
    </Section>
  )
}

interface PaymentsTableProps {
  readonly payments: readonly Payment[]
  readonly currency: string
  readonly orderNumber: string
  readonly onUndo: (payment: Payment) => void
}

/** A transfer of a statement is unmatched at its entry, which may pay other invoices, too. */
function PaymentsTable({ payments, currency, orderNumber, onUndo }: PaymentsTableProps) {
  const { t } = useTranslation('invoices')
  return (
    <ColumnTable
      label={t('payments.title')}
      minWidth={440}
      columns={[
        {
          name: t('payments.value_date'),
          cell: ({ value_date: date }) => (date === null ? null : <Time at={date} />),
        },
        { name: t('payments.method'), cell: (payment) => t(`payments.methods.${methodOf(payment)}`) },
        {
          name: t('payments.reference'),
          cell: ({ payer_name: name, reference }) =>
            [name, reference].filter((part) => part != null).join(' · ') || null,
        },
        {
          name: t('payments.amount'),
          cell: ({ amount }) => <Money amount={amount} currency={currency} />,
          align: 'right',
          isMain: true,
        },
        {
          name: '',
          cell: (payment) => {
            if (payment.acquirer_type === 'manual') {
              return (
                <ActionButton scope={SCOPE} size="compact-sm" onClick={() => onUndo(payment)}>
                  {t('payments.undo')}
                </ActionButton>
              )
            }
            return (
              payment.acquirer_type === 'bank' && (
                <TextLink
                  to="/bank-entries"
                  search={{ filter: `state = matched AND order_number = ${orderNumber}` }}
                  fz="sm"
                >
                  {t('payments.entry')}
                </TextLink>
              )
            )
          },
          align: 'right',
        },
      ]}
      rows={payments}
      keyOf={(payment) => payment.transaction_uuid}
    />
  )
}

function methodOf({ method }: Payment): (typeof METHODS)[number] | 'acquirer' {
  return METHODS.find((one) => one === method) ?? 'acquirer'
}

interface DialogProps {
  readonly invoice: Invoice
  readonly onClose: () => void
}

function useMoney(currency: string): (amount: string) => string {
  const { i18n } = useTranslation()
  return (amount) => `${formatAmount(amount, currency, i18n.language)} ${currency}`
}

function PayDialog({ invoice: { id, currency, amount_due: due }, onClose }: DialogProps) {
  const { t } = useTranslation('invoices')
  const [amount, setAmount] = useState(isZeroAmount(due, currency) ? '' : due)
  const [fee, setFee] = useState('')
  const [method, setMethod] = useState<(typeof METHODS)[number]>('bank_transfer')
  const [date, setDate] = useState('')
  const [reference, setReference] = useState('')
  const isValid =
    amountProblem(amount, currency) === undefined &&
    (fee === '' || amountProblem(fee, currency) === undefined)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('payments.pay')}
      confirmLabel={t('payments.pay')}
      doneMessage={t('payments.done_pay')}
      isDisabled={!isValid}
      run={({ invoices }) =>
        invoices.recordPayment(id, {
          amount,
          method,
          ...(fee !== '' && { fee }),
          ...(date !== '' && { value_date: date }),
          ...(reference.trim() !== '' && { reference: reference.trim() }),
        })
      }
    >
      <AmountField label={t('payments.amount')} value={amount} currency={currency} onChange={setAmount} />
      <Select
        label={t('payments.method')}
        data={METHODS.map((value) => ({ value, label: t(`payments.methods.${value}`) }))}
        value={method}
        allowDeselect={false}
        onChange={(value) => setMethod(METHODS.find((one) => one === value) ?? 'other')}
      />
      <ValueDate value={date} onChange={setDate} />
      <TextInput
        label={t('payments.reference')}
        value={reference}
        maxLength={255}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <AmountField
        label={t('payments.fee')}
        description={t('payments.fee_hint')}
        value={fee}
        currency={currency}
        isRequired={false}
        onChange={setFee}
      />
    </ActionDialog>
  )
}

interface ValueDateProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueDate({ value, onChange }: ValueDateProps) {
  const { t } = useTranslation('invoices')
  return (
    <TextInput
      type="date"
      label={t('payments.value_date')}
      description={t('payments.value_date_hint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function RepayDialog({ invoice, onClose }: DialogProps) {
  const { t } = useTranslation('invoices')
  const { currency, order_number: number, overpaid = '0' } = invoice
  const [amount, setAmount] = useState(overpaid)
  const [date, setDate] = useState('')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('payments.repay')}
      effect={t('payments.repay_effect')}
      confirmLabel={t('payments.repay')}
      doneMessage={t('payments.done_repay')}
      isDisabled={amountProblem(amount, currency) !== undefined}
      run={({ orders }) =>
        orders.recordRepayment(number, { amount, ...(date !== '' && { value_date: date }) })
      }
    >
      <AmountField label={t('payments.amount')} value={amount} currency={currency} onChange={setAmount} />
      <ValueDate value={date} onChange={setDate} />
    </ActionDialog>
  )
}

function MoveDialog({ invoice, onClose }: DialogProps) {
  const { t } = useTranslation('invoices')
  const { currency, order_number: number, overpaid = '0', buyer } = invoice
  const money = useMoney(currency)
  const [planId, setPlanId] = useState<string | null>(invoice.plan_id ?? null)
  const plans = useApiQuery(
    ['plans', 'of', buyer.customer_uuid],
    async (api, signal) =>
      (
        await api.quittance.plans.list(
          { filter: `customer.uuid = ${buyer.customer_uuid}`, limit: MAX_PLANS },
          { signal },
        )
      ).data,
  )
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('payments.move')}
      effect={t('payments.move_effect', { amount: money(overpaid) })}
      confirmLabel={t('payments.move')}
      doneMessage={t('payments.done_move')}
      isDisabled={planId === null}
      run={({ orders }) => orders.moveOverpayment(number, planId ?? '')}
    >
      <Select
        label={t('payments.plan')}
        placeholder={plans.data?.length === 0 ? t('payments.no_plan') : undefined}
        data={(plans.data ?? []).map((plan) => ({ value: plan.id, label: plan.name }))}
        value={planId}
        onChange={setPlanId}
      />
    </ActionDialog>
  )
}

function WriteOffDialog({ invoice: { id, currency, amount_due: due }, onClose }: DialogProps) {
  const { t } = useTranslation('invoices')
  const money = useMoney(currency)
  const [amount, setAmount] = useState(due)
  const [reason, setReason] = useState('')
  const isValid = amountProblem(amount, currency, due) === undefined
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('payments.write_off')}
      effect={isValid ? t('payments.write_off_effect', { amount: money(amount) }) : undefined}
      confirmLabel={t('payments.write_off')}
      doneMessage={t('payments.done_write_off')}
      isDisabled={!isValid || reason.trim() === ''}
      run={({ invoices }) => invoices.writeOff(id, { amount, reason })}
    >
      <AmountField
        label={t('payments.amount')}
        value={amount}
        currency={currency}
        max={due}
        onChange={setAmount}
      />
      <Textarea
        label={t('column.reason')}
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

interface UndoDialogProps {
  readonly payment: Payment
  readonly currency: string
  readonly onClose: () => void
}

function UndoDialog({ payment, currency, onClose }: UndoDialogProps) {
  const { t } = useTranslation('invoices')
  const money = useMoney(currency)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('payments.undo_title')}
      effect={t('payments.undo_effect', { amount: money(payment.amount) })}
      confirmLabel={t('payments.undo')}
      doneMessage={t('payments.done_undo')}
      run={({ transactions }) => transactions.undo(payment.transaction_uuid)}
    />
  )
}
