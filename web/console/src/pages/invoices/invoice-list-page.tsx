import { Button } from '@mantine/core'
import { IconDownload } from '#components/icons.tsx'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { invoiceList } from '#pages/invoices/invoice-list.tsx'

const NewInvoiceDialog = lazy(() =>
  import('#pages/invoices/new-invoice-dialog.tsx').then((page) => ({ default: page.NewInvoiceDialog })),
)
const DownloadMonth = lazy(() =>
  import('#pages/invoices/download-month.tsx').then((page) => ({ default: page.DownloadMonth })),
)

export function InvoiceListPage() {
  const { t } = useTranslation('invoices')
  const [isOpen, setOpen] = useState(false)
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <ListPage
        list={invoiceList}
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
