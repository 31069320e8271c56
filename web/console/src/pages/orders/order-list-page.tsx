import type { Order } from 'quittance'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { useBulkActions } from '#components/bulk/use-bulk-actions.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { orderList } from '#pages/orders/order-list.tsx'

const NewOrderDialog = lazy(() =>
  import('#pages/orders/new-order-dialog.tsx').then((page) => ({ default: page.NewOrderDialog })),
)

export function OrderListPage() {
  const { t } = useTranslation('orders')
  const [isCreating, setCreating] = useState(false)
  const bulk = useBulkActions<Order>({ of: 'orders', idOf: ({ number }) => number })
  return (
    <>
      <ListPage
        list={orderList}
        bulkActions={bulk.actions}
        actions={
          <ActionButton scope="payments:write" variant="filled" onClick={() => setCreating(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isCreating && (
        <Suspense fallback={null}>
          <NewOrderDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
      {bulk.dialog}
    </>
  )
}
