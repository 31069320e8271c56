import { ActionIcon, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '#components/icons.tsx'
import { fromMinorUnits, toMinorUnits } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { formatAmount, Money } from '#components/money.tsx'
import { allocate } from '#pages/bank-transfers/allocate.ts'
import type { BankEntry } from '#pages/bank-transfers/bank-entry.ts'
import { useOpenInvoices } from '#pages/bank-transfers/use-open-invoices.ts'
import { sumOf } from '#pages/invoices/amounts.ts'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'

interface MatchDialogProps {
  readonly entry: BankEntry
  readonly onClose: () => void
}

type Chosen = Pick<Invoice, 'id' | 'number' | 'amount_due'> & { readonly customer: string }

/** Finds the invoices that a transfer pays. All of it is booked: more than is due makes the order overpaid, less leaves it open. */
export function MatchDialog({ entry, onClose }: MatchDialogProps) {
  const { t, i18n } = useTranslation('bank-entries')
  const { amount, currency } = entry
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const { data = [], error } = useOpenInvoices(text, currency)
  const dues = chosen.map(({ amount_due }) => amount_due)
  const usual = allocate(amount, dues, currency)
  const shares = chosen.map(({ id }, index) => ({ id, amount: typed[id] ?? usual[index] ?? '0' }))
  const areValid = shares.every((share) => amountProblem(share.amount, currency) === undefined)
  const left = areValid ? leftOf(amount, shares, currency) : undefined
  const money = (value: string) => `${formatAmount(value, currency, i18n.language)} ${currency}`
  const toggle = (invoice: Invoice) => {
    setTyped({})
    setChosen(
      chosen.some(({ id }) => id === invoice.id)
        ? chosen.filter(({ id }) => id !== invoice.id)
        : [...chosen, { ...invoice, customer: invoice.buyer.name }],
    )
  }
  return (
    <ActionDialog
      opened
      onClose={onClose}
      size="lg"
      title={t('match.title', { amount: money(amount) })}
      confirmLabel={t('match.confirm', { amount: money(amount) })}
      doneMessage={t('done.match')}
      isDisabled={chosen.length === 0 || left === undefined || toMinorUnits(left, currency) !== 0n}
      run={(quittance) => quittance.bankEntries.match(entry.id, shares)}
    >
      <Text size="sm">
        {[entry.debtor_name, entry.remittance].filter((part) => part !== null && part !== '').join(' · ')}
      </Text>
      <TextInput
        label={t('match.search')}
        description={t('match.search_hint')}
        data-autofocus
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {error !== null && <ErrorState error={error} />}
      <Stack gap={6} role="group" aria-label={t('match.found')}>
        {data.length === 0 && error === null && (
          <Text size="sm" c="dimmed">
            {t('match.nothing')}
          </Text>
        )}
        {data.map((invoice) => (
          <Group key={invoice.id} justify="space-between" wrap="nowrap" gap="sm">
            <Checkbox
              label={`${invoice.number} · ${invoice.buyer.name}`}
              checked={chosen.some(({ id }) => id === invoice.id)}
              onChange={() => toggle(invoice)}
            />
            <Money amount={invoice.amount_due} currency={currency} />
          </Group>
        ))}
      </Stack>
      {chosen.map(({ id, number, customer, amount_due }, index) => (
        <Group key={id} align="flex-start" wrap="nowrap" gap="xs">
          <div style={{ flex: 1 }}>
            <AmountField
              label={`${number} · ${customer}`}
              description={t('match.due', { amount: money(amount_due) })}
              value={shares[index]?.amount ?? ''}
              currency={currency}
              onChange={(value) => setTyped({ ...typed, [id]: value })}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('match.remove', { number })}
            onClick={() => {
              setTyped({})
              setChosen(chosen.filter((one) => one.id !== id))
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {chosen.length > 0 && left !== undefined && (
        <Text size="sm" role="status" c={toMinorUnits(left, currency) === 0n ? 'dimmed' : 'red'}>
          {t('match.left', { left: money(left), amount: money(amount) })}
        </Text>
      )}
    </ActionDialog>
  )
}

function leftOf(whole: string, shares: readonly { readonly amount: string }[], currency: string): string {
  const taken = sumOf(
    shares.map(({ amount }) => amount),
    currency,
  )
  return fromMinorUnits(toMinorUnits(whole, currency) - toMinorUnits(taken, currency), currency)
}
