import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { TextLink } from '#components/links.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { formatAmount, Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { type BankEntry, isPaidTwice, isWaiting, type Suggestion } from '#pages/bank-transfers/bank-entry.ts'
import { EntryActions } from '#pages/bank-transfers/entry-actions.tsx'

const STATES = ['unmatched', 'suggested', 'matched', 'ignored'] as const
const TO_DO = '(state = unmatched OR state = suggested)'

export const entryList: ListDefinition<BankEntry> = {
  name: 'bank-entries',
  path: `${BILLING}/bank_entries`,
  load: ({ quittance }, query, signal) =>
    quittance.bankEntries.list({ ...query, suggestions: true }, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/bank-entries/${id}`,
  columns: [
    { id: 'booking_date', phone: 'detail', cell: ({ booking_date }) => <Time at={booking_date} /> },
    { id: 'payer', phone: 'title', cell: (entry) => <Payer entry={entry} /> },
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { id: 'state', phone: 'end_detail', cell: (entry) => <EntryState entry={entry} /> },
    {
      id: 'invoice',
      phone: 'below',
      cell: (entry) => <Invoices entry={entry} />,
      phoneCell: (entry) => hasInvoices(entry) && <Invoices entry={entry} wraps />,
    },
    { id: 'action', align: 'right', phone: 'actions', cell: (entry) => <EntryActions entry={entry} /> },
    { id: 'debtor_iban', isHidden: true, cell: ({ debtor_iban }) => debtor_iban ?? '—' },
    { id: 'bank_reference', isHidden: true, cell: ({ bank_reference }) => bank_reference ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: STATES },
    { field: 'debtor_name', kind: 'text' },
    { field: 'remittance', kind: 'text' },
    { field: 'amount', kind: 'number' },
    { field: 'currency', kind: 'exact' },
    { field: 'booking_date', kind: 'exact' },
    { field: 'debtor_iban', kind: 'exact' },
    { field: 'bank_reference', kind: 'text' },
    { field: 'bank_statement_id', kind: 'exact' },
    { field: 'customer.uuid', kind: 'exact' },
    { field: 'order_number', kind: 'exact' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
  views: [
    { name: 'to_do', filter: TO_DO },
    { name: 'matched', filter: 'state = matched' },
    { name: 'ignored', filter: 'state = ignored' },
  ],
  defaultFilter: TO_DO,
}

/** A transfer that the bank took back is a state of its own to a reader. */
export function EntryState({ entry }: { readonly entry: BankEntry }) {
  const { t } = useTranslation('bank-entries')
  const { state, returned_on, suggestions = [] } = entry
  if (returned_on !== null) return <StateBadge state="returned" label={t('returned')} tone="bad" />
  if (isWaiting(entry)) {
    if (isPaidTwice(entry)) return <StateBadge state="paid_twice" label={t('reason.paid_twice')} tone="bad" />
    const shown = state === 'suggested' || suggestions.length > 0 ? 'suggested' : 'unmatched'
    return <StateBadge state={shown} tone={shown === 'suggested' ? 'info' : 'wait'} />
  }
  return <StateBadge state={state} />
}

function Payer({ entry: { debtor_name, debtor_iban, remittance } }: { readonly entry: BankEntry }) {
  return (
    <Stack gap={0} title={[debtor_name, debtor_iban, remittance].filter((text) => text !== null).join('\n')}>
      <Text span size="sm" fw={500} truncate>
        {debtor_name ?? debtor_iban ?? '—'}
      </Text>
      <Text span size="xs" c="dimmed" truncate>
        {remittance}
      </Text>
    </Stack>
  )
}

function hasInvoices(entry: BankEntry): boolean {
  const { invoices, suggestions = [] } = entry
  return (isWaiting(entry) ? suggestions : invoices).length > 0
}

interface InvoicesProps {
  readonly entry: BankEntry
  readonly wraps?: true
}

/** What the entry paid, or most likely pays. */
function Invoices({ entry, wraps }: InvoicesProps) {
  const [suggestion] = entry.suggestions ?? []
  if (!isWaiting(entry)) return <InvoiceLinks invoices={entry.invoices} />
  if (suggestion === undefined) return '—'
  return (
    <Stack gap={0}>
      <Text span size="sm" truncate={!wraps}>
        {suggestion.invoices.length > 0 && (
          <>
            <InvoiceLinks invoices={suggestion.invoices} /> ·{' '}
          </>
        )}
        {suggestion.customer_name}
      </Text>
      <Text span size="xs" c="dimmed" truncate={!wraps}>
        <ReasonText suggestion={suggestion} currency={entry.currency} />
      </Text>
    </Stack>
  )
}

export function InvoiceLinks({ invoices }: Pick<BankEntry, 'invoices'>) {
  return invoices.length === 0
    ? '—'
    : invoices.map(({ id, number }, index) => (
        <span key={id} style={{ whiteSpace: 'nowrap' }}>
          {index > 0 && ', '}
          <TextLink to="/invoices/$id" params={{ id }} underline="always">
            {number}
          </TextLink>
        </span>
      ))
}

/** Why the match is suggested, and what is due if the transfer is less or more. */
export function ReasonText({ suggestion, currency }: ReasonTextProps) {
  const { t, i18n } = useTranslation('bank-entries')
  const { reasons, invoices } = suggestion
  const dues = reasons.includes('amount')
    ? []
    : invoices.map(({ amount_due }) =>
        t('match.due', { amount: `${formatAmount(amount_due, currency, i18n.language)} ${currency}` }),
      )
  return [...reasons.map((reason) => t(`reason.${reason}`)), ...dues].join(' · ')
}

interface ReasonTextProps {
  readonly suggestion: Suggestion
  readonly currency: string
}
