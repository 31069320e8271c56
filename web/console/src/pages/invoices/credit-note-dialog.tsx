import { Radio, Select, Stack, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { joinSentences } from '#components/joined.ts'
import { formatAmount } from '#components/money.tsx'
import { isZeroAmount, leftOfLines, leftToCredit, partsOf, sumOf } from '#pages/invoices/amounts.ts'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'
import { useNotesOf } from '#pages/invoices/notes-of.ts'

const KINDS = ['rest', 'amount', 'lines'] as const
const REFUNDS = ['payment', 'credit', 'none'] as const

type Kind = (typeof KINDS)[number]

interface CreditNoteDialogProps {
  readonly invoice: Invoice
  readonly onClose: () => void
}

/** Shows the effect of the note in advance: it lowers the amount due first, and the rest is returned as chosen. */
export function CreditNoteDialog({ invoice, onClose }: CreditNoteDialogProps) {
  const { t, i18n } = useTranslation('invoices')
  const { can } = useApi()
  const navigate = useNavigate()
  const { id, currency } = invoice
  const left = leftToCredit(invoice)
  const [kind, setKind] = useState<Kind>('rest')
  const [amount, setAmount] = useState(left)
  const [ofLines, setOfLines] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const refunds = REFUNDS.filter(
    (value) =>
      (value !== 'payment' || can('payments:write')) && (value !== 'credit' || invoice.plan_id !== undefined),
  )
  const [refund, setRefund] = useState<(typeof REFUNDS)[number]>(refunds[0] ?? 'none')
  const leftByLine = leftOfLines(invoice, useNotesOf(invoice) ?? [])
  const chosen = Object.entries(ofLines).filter(([, value]) => value !== '')
  const isValid = {
    rest: true,
    amount: amountProblem(amount, currency, left) === undefined,
    lines:
      chosen.length > 0 &&
      chosen.every(([line, value]) => amountProblem(value, currency, leftByLine.get(line)) === undefined),
  }[kind]
  const whole = {
    rest: left,
    amount,
    lines:
      isValid && kind === 'lines'
        ? sumOf(
            chosen.map(([, value]) => value),
            currency,
          )
        : '0',
  }[kind]
  const money = (value: string) => `${formatAmount(value, currency, i18n.language)} ${currency}`
  const parts = isValid ? partsOf(whole, invoice) : undefined
  const hasRest = parts !== undefined && !isZeroAmount(parts.rest, currency)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('note.title')}
      confirmLabel={isValid ? t('note.confirm', { amount: money(whole) }) : t('note.button')}
      doneMessage={t('note.done')}
      isDisabled={!isValid || reason.trim() === ''}
      {...(parts !== undefined && {
        effect: joinSentences(i18n.language, [
          t('note.effect'),
          isZeroAmount(parts.lowered, currency) ? '' : t('note.lowers', { amount: money(parts.lowered) }),
          hasRest ? t(`note.gives_${refund}`, { amount: money(parts.rest) }) : '',
        ]),
      })}
      run={(quittance) =>
        quittance.invoices.createCreditNote(id, {
          reason,
          ...(kind === 'amount' && { amount }),
          ...(kind === 'lines' && {
            lines: chosen.map(([line_id, value]) => ({ line_id, amount: value })),
          }),
          ...(hasRest && { refund }),
        })
      }
      onDone={({ credit_note: note }) => void navigate({ to: '/invoices/$id', params: { id: note.id } })}
    >
      <Radio.Group label={t('note.what')} value={kind} onChange={setKind}>
        <Stack gap={6} mt={6}>
          {KINDS.map((value) => (
            <Radio key={value} value={value} label={t(`note.${value}`, { amount: money(left) })} />
          ))}
        </Stack>
      </Radio.Group>
      {kind === 'amount' && (
        <AmountField
          label={t('note.amount_label')}
          description={t('note.left', { amount: money(left) })}
          value={amount}
          currency={currency}
          max={left}
          onChange={setAmount}
        />
      )}
      {kind === 'lines' &&
        invoice.lines
          .filter((line) => leftByLine.has(line.id))
          .map((line) => (
            <AmountField
              key={line.id}
              label={line.label}
              description={t('note.left', { amount: money(leftByLine.get(line.id) ?? '0') })}
              value={ofLines[line.id] ?? ''}
              currency={currency}
              max={leftByLine.get(line.id)}
              isRequired={false}
              onChange={(value) => setOfLines({ ...ofLines, [line.id]: value })}
            />
          ))}
      <Textarea
        label={t('column.reason')}
        description={t('note.reason_hint')}
        required
        autosize
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {hasRest && (
        <Select
          label={t('note.refund')}
          data={refunds.map((value) => ({ value, label: t(`refund.${value}`) }))}
          value={refund}
          allowDeselect={false}
          onChange={(value) => value !== null && setRefund(value)}
        />
      )}
    </ActionDialog>
  )
}
