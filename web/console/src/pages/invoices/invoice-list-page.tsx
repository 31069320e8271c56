import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { invoiceList } from '#pages/invoices/invoice-list.tsx'

const NewInvoiceDialog = lazy(() =>
  import('#pages/invoices/new-invoice-dialog.tsx').then((page) => ({ default: page.NewInvoiceDialog })),
)

export function InvoiceListPage() {
  const { t } = useTranslation('invoices')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={invoiceList}
        actions={
          <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && (
        <Suspense fallback={null}>
          <NewInvoiceDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
