import { useBulkActions } from '#components/bulk/use-bulk-actions.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { transactionList } from '#pages/transactions/transaction-list.tsx'

export function TransactionListPage() {
  const bulk = useBulkActions<{ readonly uuid: string }>({ of: 'transactions', idOf: ({ uuid }) => uuid })
  return (
    <>
      <ListPage list={transactionList} bulkActions={bulk.actions} />
      {bulk.dialog}
    </>
  )
}
