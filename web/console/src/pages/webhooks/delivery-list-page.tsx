import type { Delivery } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBulkActions } from '#components/bulk/use-bulk-actions.tsx'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { OpenButton } from '#components/list/open-button.tsx'
import { DeliveryDrawer } from '#pages/webhooks/delivery-drawer.tsx'
import { deliveryList } from '#pages/webhooks/delivery-list.tsx'

export function DeliveryListPage() {
  const { t } = useTranslation('deliveries')
  const [shown, setShown] = useState<Delivery>()
  const bulk = useBulkActions<Delivery>({ of: 'deliveries', idOf: ({ id }) => id })
  const list = useMemo(() => listWithDetails(setShown), [])
  return (
    <>
      <ListPage
        list={list}
        bulkActions={bulk.actions}
        actions={
          <ButtonLink to="/settings/webhooks" variant="default">
            {t('endpoints')}
          </ButtonLink>
        }
      />
      {shown !== undefined && <DeliveryDrawer delivery={shown} onClose={() => setShown(undefined)} />}
      {bulk.dialog}
    </>
  )
}

type OnOpen = (delivery: Delivery) => void

function listWithDetails(onOpen: OnOpen): ListDefinition<Delivery> {
  const cell = (delivery: Delivery) => <OpenButton area="deliveries" onOpen={() => onOpen(delivery)} />
  return {
    ...deliveryList,
    rowOpen: onOpen,
    columns: [...deliveryList.columns, { id: 'open', phone: 'end_detail', cell }],
  }
}
