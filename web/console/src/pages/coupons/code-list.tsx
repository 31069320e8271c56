import type { PromotionCode } from 'quittance'
import { BILLING } from '#app/api.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { CustomerName } from '#components/customer-name.tsx'
import { TextLink } from '#components/links.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { TONES } from '#pages/coupons/coupon-list.tsx'
import { Redemptions } from '#pages/coupons/redemptions.tsx'

export const codeList: ListDefinition<PromotionCode> = {
  name: 'promotion-codes',
  path: `${BILLING}/promotion_codes`,
  load: ({ quittance }, query, signal) => quittance.promotionCodes.list(query, { signal }),
  rowId: ({ id }) => id,
  columns: [
    { id: 'code', phone: 'title', cell: ({ code }) => <CopyableId id={code} /> },
    {
      id: 'state',
      phone: 'end_detail',
      cell: ({ state }) => <StateBadge state={state} tone={TONES[state]} />,
    },
    { id: 'redemptions', phone: 'end', align: 'right', cell: (code) => <Redemptions of={code} /> },
    { id: 'redeem_until', phone: 'detail', cell: ({ redeem_until }) => <Time at={redeem_until} /> },
    { id: 'customer', cell: ({ customer_uuid: uuid }) => <CustomerLink uuid={uuid} /> },
    { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [],
}

function CustomerLink({ uuid }: { readonly uuid: string | null }) {
  if (uuid === null) return '—'
  return (
    <TextLink to="/customers/$uuid" params={{ uuid }}>
      <CustomerName uuid={uuid} />
    </TextLink>
  )
}
