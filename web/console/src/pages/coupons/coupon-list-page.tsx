import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { couponList } from '#pages/coupons/coupon-list.tsx'
import { NewCouponDialog } from '#pages/coupons/new-coupon-dialog.tsx'

export function CouponListPage() {
  const { t } = useTranslation('coupons')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={couponList}
        actions={
          <ActionButton scope="recurring:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <NewCouponDialog onClose={() => setOpen(false)} />}
    </>
  )
}
