import type { Customer } from 'quittance'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ButtonLink } from '#components/links.tsx'
import { CardLinkDialog } from '#pages/customers/card-link-dialog.tsx'
import { CustomerDialog } from '#pages/customers/customer-dialog.tsx'

const NewOrderDialog = lazy(() =>
  import('#pages/orders/new-order-dialog.tsx').then((page) => ({ default: page.NewOrderDialog })),
)

/** What somebody who has the customer on the phone needs at once. */
export function CustomerActions({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation(['customers', 'orders', 'plans'])
  const { can } = useApi()
  const [shown, setShown] = useState<'order' | 'card' | 'edit' | null>(null)
  const close = () => setShown(null)
  return (
    <>
      <ActionButton scope="payments:write" onClick={() => setShown('order')}>
        {t('orders:new.button')}
      </ActionButton>
      {can('recurring:write') && (
        <ButtonLink to="/plans/new" search={{ customer: customer.uuid }} variant="default">
          {t('plans:new.button')}
        </ButtonLink>
      )}
      <ActionButton scope="customers:write" onClick={() => setShown('card')}>
        {t('card_link.button')}
      </ActionButton>
      <ActionButton scope="customers:write" onClick={() => setShown('edit')}>
        {t('edit.button')}
      </ActionButton>
      {shown === 'order' && (
        <Suspense fallback={null}>
          <NewOrderDialog customerUuid={customer.uuid} onClose={close} />
        </Suspense>
      )}
      {shown === 'card' && <CardLinkDialog uuid={customer.uuid} onClose={close} />}
      {shown === 'edit' && <CustomerDialog customer={customer} onClose={close} />}
    </>
  )
}
