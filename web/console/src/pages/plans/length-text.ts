import { useTranslation } from 'react-i18next'

const UNITS = { Y: 'year', M: 'month', W: 'week', D: 'day' } as const

/** "1 year, 6 months" of P1Y6M, the whole days of a term. */
export function useLengthText(): (duration: string) => string {
  const { t } = useTranslation('plans')
  return (duration) =>
    [...duration.matchAll(/(\d+)([YMWD])/g)]
      .map(([, count, letter]) =>
        t(`length.${UNITS[letter as keyof typeof UNITS]}`, { count: Number(count) }),
      )
      .join(', ')
}
