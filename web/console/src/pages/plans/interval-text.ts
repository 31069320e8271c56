import type { TFunction } from 'i18next'

interface Interval {
  readonly count: number
  readonly unit: string
  readonly day: number | undefined
}

/** "every 3 months on day 31". Chinese has no plural, so the text of one (每月) is chosen here, not by the library. */
export function intervalText(t: TFunction<'plans'>, { count, unit, day }: Interval): string {
  const every = count === 1 ? t(`every.${unit}_one`) : t(`every.${unit}`, { count })
  return day === undefined ? every : t('every.on_day', { every, day })
}
