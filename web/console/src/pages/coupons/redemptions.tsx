import type { Coupon, PromotionCode } from 'quittance'
import { useTranslation } from 'react-i18next'

interface RedemptionsProps {
  readonly of: Pick<Coupon | PromotionCode, 'redemptions' | 'max_redemptions'>
}

export function Redemptions({ of: { redemptions, max_redemptions: max } }: RedemptionsProps) {
  const { t } = useTranslation('coupons')
  return max === null ? redemptions : t('of_max', { redemptions, max })
}
