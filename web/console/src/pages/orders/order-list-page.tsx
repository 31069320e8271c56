import { ListPage } from '#components/list/list-page.tsx'
import { orderList } from '#pages/orders/order-list.tsx'

export function OrderListPage() {
  return <ListPage list={orderList} />
}
