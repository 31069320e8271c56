import type { Coupon, Plan } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { formatAmount } from '#components/money.tsx'
import { formatTime } from '#components/time.tsx'

type Terms = Pick<Coupon, 'percent_off' | 'amount_off' | 'currency' | 'times' | 'until'>

export type PlanCoupon = NonNullable<Plan['coupons']>[number]

/** "25% off for 3 periods". */
export function useCouponText(): (coupon: Terms) => string {
  const { t, i18n } = useTranslation('coupons')
  const zone = useTimeZone()
  return ({ percent_off, amount_off, currency, times, until }) => {
    const off =
      percent_off === null
        ? t('off.amount', {
            amount: `${formatAmount(amount_off ?? '0', currency ?? '', i18n.language)} ${currency}`,
          })
        : t('off.percent', { percent: percent_off })
    if (times !== null) return t('lasts.times', { off, count: times })
    if (until !== null) return t('lasts.until', { off, time: formatTime(until, i18n.language, zone) })
    return t('lasts.forever', { off })
  }
}
