import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Coupon } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { CodeDialog } from '#pages/coupons/code-dialog.tsx'
import { codeList } from '#pages/coupons/code-list.tsx'
import { TONES } from '#pages/coupons/coupon-list.tsx'
import { useCouponText } from '#pages/coupons/coupon-text.ts'
import { EditCouponDialog } from '#pages/coupons/edit-coupon-dialog.tsx'
import { useProducts } from '#pages/coupons/products.ts'
import { Redemptions } from '#pages/coupons/redemptions.tsx'
import { planList } from '#pages/plans/plan-list.tsx'

const route = getRouteApi('/shell/coupons/$id')

export function CouponPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['coupons', id], ({ quittance }, signal) => quittance.coupons.get(id, { signal }))
  return <Loaded query={query}>{(coupon) => <CouponDetails coupon={coupon} />}</Loaded>
}

function CouponDetails({ coupon }: { readonly coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const [open, setOpen] = useState<'edit' | 'code'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHeader
        title={coupon.name}
        badges={<StateBadge state={coupon.state} tone={TONES[coupon.state]} />}
        back={<TextLink to="/coupons">{t('title')}</TextLink>}
        actions={
          <ActionButton scope="recurring:write" onClick={() => setOpen('edit')}>
            {t('edit.button')}
          </ActionButton>
        }
      />
      <Columns
        main={
          <>
            <Section
              title={t('codes')}
              actions={
                <ActionButton scope="recurring:write" onClick={() => setOpen('code')}>
                  {t('code.button')}
                </ActionButton>
              }
            >
              <RelatedList
                list={codeList}
                label={t('codes')}
                empty={t('no_codes')}
                filter={`coupon_id = ${coupon.id}`}
              />
            </Section>
            <Section title={t('plans')}>
              <RelatedList
                list={planList}
                label={t('plans')}
                empty={t('no_plans')}
                filter={`coupon_id = ${coupon.id}`}
                columns={['name', 'state', 'amount', 'customer']}
              />
            </Section>
            <RawObject value={coupon} />
          </>
        }
        side={
          <Stack gap="lg">
            <CouponFields coupon={coupon} />
            <Metadata value={coupon} />
          </Stack>
        }
      />
      {open === 'edit' && <EditCouponDialog coupon={coupon} onClose={close} />}
      {open === 'code' && <CodeDialog couponId={coupon.id} onClose={close} />}
    </>
  )
}

function CouponFields({ coupon }: { readonly coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const text = useCouponText()
  const { minimum_amount: minimum, currency, product_ids: products, customer_uuids: customers } = coupon
  return (
    <Section title={t('details')}>
      <Fields
        fields={[
          [t('column.terms'), text(coupon)],
          [t('column.id'), <CopyableId key="id" id={coupon.id} />],
          [t('column.redemptions'), <Redemptions key="redemptions" of={coupon} />],
          coupon.redeem_until !== null && [
            t('column.redeem_until'),
            <Time key="redeem_until" at={coupon.redeem_until} />,
          ],
          [t('column.product_ids'), products === null ? t('all_products') : <Products ids={products} />],
          customers !== null && [t('column.customer_uuids'), customers.length],
          minimum !== null && [
            t('column.minimum_amount'),
            <Money key="minimum" amount={minimum} currency={currency ?? ''} />,
          ],
          coupon.exclusive && [t('column.exclusive'), t('yes')],
          coupon.first_order_only && [t('column.first_order_only'), t('yes')],
          coupon.reference_id !== null && [
            t('column.reference_id'),
            <CopyableId key="ref" id={coupon.reference_id} />,
          ],
          [t('column.created_at'), <Time key="at" at={coupon.created_at} />],
        ]}
      />
    </Section>
  )
}

function Products({ ids }: { readonly ids: readonly string[] }) {
  const products = useProducts()
  return ids.map((id) => (
    <div key={id}>
      <TextLink to="/products/$id" params={{ id }}>
        {products.find((product) => product.id === id)?.name ?? id}
      </TextLink>
    </div>
  ))
}
