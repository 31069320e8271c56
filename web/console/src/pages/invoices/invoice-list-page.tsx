import { Button } from '@mantine/core'
import { IconDownload } from '#components/icons.tsx'
import { lazy, Suspense, useState } from 'react'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { invoiceList } from '#pages/invoices/invoice-list.tsx'
import type { InvoicesSearch } from '#pages/invoices/invoice-search.ts'
import { InvoiceSums } from '#pages/invoices/invoice-sums.tsx'

const NewInvoiceDialog = lazy(() =>
  import('#pages/invoices/new-invoice-dialog.tsx').then((page) => ({ default: page.NewInvoiceDialog })),
)
const DownloadMonth = lazy(() =>
  import('#pages/invoices/download-month.tsx').then((page) => ({ default: page.DownloadMonth })),
)

function sortedBy(sort: NonNullable<InvoicesSearch['sort']>): typeof invoiceList {
  return {
    ...invoiceList,
    query: { sort },
    load: ({ quittance }, query, signal) => quittance.invoices.list({ ...query, sort }, { signal }),
  }
}

export function InvoiceListPage() {
  const { t } = useTranslation('invoices')
  const { sort }: InvoicesSearch = useSearch({ strict: false })
  const [isOpen, setOpen] = useState(false)
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <ListPage
        list={sort === undefined ? invoiceList : sortedBy(sort)}
        above={<InvoiceSums />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => setExporting(true)}
            >
              {t('month.button')}
            </Button>
            <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen(true)}>
              {t('new.button')}
            </ActionButton>
          </>
        }
      />
      {isExporting && (
        <Suspense fallback={null}>
          <DownloadMonth onClose={() => setExporting(false)} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <NewInvoiceDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
