import { Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { formatPeriod } from '#components/time.tsx'
import { isZeroAmount, sumOf } from '#pages/invoices/amounts.ts'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'
import { difference } from '#pages/transactions/amounts.ts'

type Line = Invoice['lines'][number]

/** What issued invoices, drafts and previews have in common. */
export type PricedInvoice = Pick<
  Invoice,
  | 'type'
  | 'currency'
  | 'tax_behavior'
  | 'lines'
  | 'taxes'
  | 'net_total'
  | 'tax_total'
  | 'total'
  | 'prepaid'
  | 'credited_total'
  | 'amount_due'
  | 'settlement'
>

/** Amounts contain tax if the prices do, as on the PDF. */
export function InvoiceLines({ invoice }: { readonly invoice: PricedInvoice }) {
  const { t, i18n } = useTranslation('invoices')
  const zone = useTimeZone()
  const { currency, lines } = invoice
  const isInclusive = invoice.tax_behavior === 'inclusive'
  const hasDiscount = lines.some(({ discount }) => !isZeroAmount(discount, currency))
  const percent = (value: string) => `${exact(value, i18n.language)} %`
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const taxOf = (line: Line) =>
    line.rates.length === 0
      ? t(`treatment.${line.treatment}`)
      : line.rates.map(({ percentage }) => percent(percentage)).join(' + ')
  const periodOf = ({ period }: Line) =>
    period !== undefined && (
      <Text size="xs" c="dimmed">
        {formatPeriod(period, i18n.language, zone)}
      </Text>
    )
  const total = t(isInclusive ? 'line.total' : 'line.net')
  if (isPhone) {
    return (
      <Table verticalSpacing="xs" aria-label={t('lines')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('line.label')}</Table.Th>
            <Table.Th ta="right">{total}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {line.label}
                {periodOf(line)}
                <Text size="xs" c="dimmed">
                  {exact(line.quantity, i18n.language)} ×{' '}
                  <Money amount={line.unit_amount} currency={currency} />
                  {!isZeroAmount(line.discount, currency) && (
                    <>
                      {' · '}
                      {t('line.discount')} <Money amount={line.discount} currency={currency} />
                    </>
                  )}
                  {line.rates.length === 0 ? ` · ${taxOf(line)}` : ` · ${t('line.tax')} ${taxOf(line)}`}
                </Text>
              </Table.Td>
              <Table.Td ta="right" style={{ verticalAlign: 'top' }}>
                <Money amount={isInclusive ? line.total : line.net} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )
  }
  return (
    <ScrollTable label={t('lines')} minWidth={480} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('line.label')}</Table.Th>
          <Table.Th ta="right">{t('line.quantity')}</Table.Th>
          <Table.Th ta="right">{t('line.unit_amount')}</Table.Th>
          {hasDiscount && <Table.Th ta="right">{t('line.discount')}</Table.Th>}
          <Table.Th ta="right">{t('line.tax')}</Table.Th>
          <Table.Th ta="right">{total}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td miw={150}>
              {line.label}
              {periodOf(line)}
            </Table.Td>
            <Table.Td ta="right">{exact(line.quantity, i18n.language)}</Table.Td>
            <Table.Td ta="right">
              <Money amount={line.unit_amount} currency={currency} />
            </Table.Td>
            {hasDiscount && (
              <Table.Td ta="right">
                {isZeroAmount(line.discount, currency) ? (
                  '—'
                ) : (
                  <Money amount={line.discount} currency={currency} />
                )}
              </Table.Td>
            )}
            <Table.Td ta="right">{taxOf(line)}</Table.Td>
            <Table.Td ta="right">
              <Money amount={isInclusive ? line.total : line.net} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

interface InvoiceTotalsProps {
  readonly invoice: PricedInvoice & Pick<Partial<Invoice>, 'payments'> & { readonly state?: string }
  readonly notes?: readonly Invoice[] | undefined
}

/** What notes gave as credit of the plan lowers nothing of what is due, and is taken back with a payment that is lost. */
export function InvoiceTotals({ invoice, notes = [] }: InvoiceTotalsProps) {
  const { t } = useTranslation('invoices')
  const { currency, type, settlement } = invoice
  const went = (['due', 'refunded', 'credited'] as const).map((place) => {
    const amount = settlement?.[place] ?? '0'
    return [`settlement_${place}`, amount, !isZeroAmount(amount, currency)] as const
  })
  const given = sumOf(
    notes.map((note) => note.settlement?.credited ?? '0'),
    currency,
  )
  const lowered = difference(invoice.credited_total, given, currency)
  const paid = sumOf(
    (invoice.payments ?? []).map(({ amount }) => amount),
    currency,
  )
  const rows = [
    ['net_total', invoice.net_total, true],
    ['tax_total', invoice.tax_total, true],
    ['total', invoice.total, true],
    ['prepaid', invoice.prepaid, !isZeroAmount(invoice.prepaid, currency)],
    ['credited_total', lowered, !isZeroAmount(lowered, currency)],
    ['paid', paid, !isZeroAmount(paid, currency)],
    ['amount_due', invoice.amount_due, type === 'invoice'],
    [
      invoice.state === 'open' ? 'credited_once_paid' : 'settlement_credited',
      given,
      !isZeroAmount(given, currency),
    ],
    ...went,
  ] as const
  return (
    <Table maw={360} ml="auto" mt="sm" withRowBorders={false} verticalSpacing={2} aria-label={t('totals')}>
      <Table.Tbody>
        {rows.map(
          ([name, amount, isShown]) =>
            isShown && (
              <Table.Tr key={name} fw={name === 'total' || name === 'amount_due' ? 600 : 400}>
                <Table.Th fw="inherit" scope="row">
                  {t(`column.${name}`)}
                </Table.Th>
                <Table.Td ta="right">
                  <Money amount={amount} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ),
        )}
      </Table.Tbody>
    </Table>
  )
}

export function InvoiceTaxes({ invoice: { taxes, currency } }: { readonly invoice: PricedInvoice }) {
  const { t, i18n } = useTranslation('invoices')
  return (
    <Table verticalSpacing="xs" aria-label={t('taxes')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('tax.name')}</Table.Th>
          <Table.Th ta="right">{t('tax.base')}</Table.Th>
          <Table.Th ta="right">{t('tax.amount')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {taxes.map(({ name, percentage, treatment, base, amount }) => (
          <Table.Tr key={`${treatment} ${name} ${percentage}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {treatment === 'taxed' && name !== '' ? name : t(`treatment.${treatment}`)}
              {treatment === 'taxed' && (
                <Text size="xs" c="dimmed">
                  {exact(percentage, i18n.language)} %
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right" style={{ verticalAlign: 'top' }}>
              <Money amount={base} currency={currency} />
            </Table.Td>
            <Table.Td ta="right" style={{ verticalAlign: 'top' }}>
              <Money amount={amount} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function exact(value: string, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 12 }).format(value as `${number}`)
}
