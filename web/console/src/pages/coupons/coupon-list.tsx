import type { Coupon } from 'quittance'
import { BILLING } from '#app/api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { useCouponText } from '#pages/coupons/coupon-text.ts'
import { Redemptions } from '#pages/coupons/redemptions.tsx'

export const couponList: ListDefinition<Coupon> = {
  name: 'coupons',
  path: `${BILLING}/coupons`,
  load: ({ quittance }, query, signal) => quittance.coupons.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/coupons/${id}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name },
    { id: 'terms', phone: 'detail', cell: (coupon) => <CouponText coupon={coupon} /> },
    {
      id: 'state',
      phone: 'end_detail',
      cell: ({ state }) => <StateBadge state={state} tone={TONES[state]} />,
    },
    { id: 'redemptions', phone: 'end', align: 'right', cell: (coupon) => <Redemptions of={coupon} /> },
    { id: 'redeem_until', isHidden: true, cell: ({ redeem_until }) => <Time at={redeem_until} /> },
    { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'state', kind: 'word', words: ['active', 'expired', 'exhausted'] },
    { field: 'reference_id', kind: 'text' },
    { field: 'created_at', kind: 'time' },
    { field: 'id', kind: 'exact' },
  ],
}

/** A coupon is made to run out, so `exhausted` is no failure. */
export const TONES = { active: 'good', expired: 'plain', exhausted: 'plain' } as const

function CouponText({ coupon }: { readonly coupon: Coupon }) {
  return useCouponText()(coupon)
}
