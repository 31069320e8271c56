import { Stack, Text, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AddressText } from '#components/address.tsx'
import { beforeValue } from '#components/joined.ts'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { TaxIdList } from '#components/tax-id-list.tsx'
import { InvoiceTaxes, InvoiceTotals } from '#pages/invoices/invoice-lines.tsx'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'

interface CorrectDialogProps {
  readonly invoice: Invoice
  readonly onClose: () => void
}

/** Shows the credit note and the new invoice before either has a number. */
export function CorrectDialog({ invoice: { id, currency }, onClose }: CorrectDialogProps) {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const query = useApiQuery(
    ['invoices', id, 'reissue'],
    (api, signal) => api.quittance.invoices.previewReissue(id, {}, { signal }),
    { retry: false, gcTime: 0 },
  )
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('correct.title')}
      confirmLabel={t('correct.confirm')}
      doneMessage={t('correct.done')}
      effect={t('correct.effect')}
      isDisabled={query.data === undefined}
      run={(quittance) => quittance.invoices.reissue(id, reason.trim() === '' ? {} : { reason })}
      onDone={({ invoice }) => void navigate({ to: '/invoices/$id', params: { id: invoice.id } })}
    >
      <Loaded query={query}>
        {({ credit_note: note, invoice }) => (
          <Stack gap="xs">
            <Text size="sm">
              {beforeValue(t('correct.note'))}
              <Money amount={note.total} currency={currency} />
            </Text>
            <Text size="sm" fw={500}>
              {t('correct.invoice')}
            </Text>
            <Text size="sm">{invoice.buyer.name}</Text>
            {invoice.buyer.address === null ? (
              <Text size="sm" c="dimmed">
                {t('no_address')}
              </Text>
            ) : (
              <AddressText address={invoice.buyer.address} />
            )}
            {invoice.buyer.tax_ids.length > 0 && <TaxIdList ids={invoice.buyer.tax_ids} />}
            {invoice.taxes.length > 0 && <InvoiceTaxes invoice={invoice} />}
            <InvoiceTotals invoice={invoice} />
          </Stack>
        )}
      </Loaded>
      <Textarea
        label={t('column.reason')}
        description={t('note.reason_hint')}
        autosize
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
