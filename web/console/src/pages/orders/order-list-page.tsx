import type { Order } from 'quittance'
import { useBulkActions } from '#components/bulk/use-bulk-actions.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { orderList } from '#pages/orders/order-list.tsx'

export function OrderListPage() {
  const bulk = useBulkActions<Order>({ of: 'orders', idOf: ({ number }) => number })
  return (
    <>
      <ListPage list={orderList} bulkActions={bulk.actions} />
      {bulk.dialog}
    </>
  )
}
