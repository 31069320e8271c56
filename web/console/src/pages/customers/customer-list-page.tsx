import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { CustomerDialog } from '#pages/customers/customer-dialog.tsx'
import { customerList } from '#pages/customers/customer-list.tsx'

export function CustomerListPage() {
  const { t } = useTranslation('customers')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={customerList}
        actions={
          <ActionButton scope="customers:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <CustomerDialog onClose={() => setOpen(false)} />}
    </>
  )
}
