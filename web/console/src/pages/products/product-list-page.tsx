import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { ProductDialog } from '#pages/products/product-dialog.tsx'
import { productList } from '#pages/products/product-list.tsx'

export function ProductListPage() {
  const { t } = useTranslation('products')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={productList}
        actions={
          <ActionButton scope="recurring:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <ProductDialog onClose={() => setOpen(false)} />}
    </>
  )
}
