import { useTranslation } from 'react-i18next'

const UNITS = { Y: 'year', M: 'month', W: 'week', D: 'day' } as const

/** "1 year, 6 months" of P1Y6M, the whole days of a term. */
export function useLengthText(): (duration: string) => string {
  const { t, i18n } = useTranslation('plans')
  const units = new Intl.ListFormat(i18n.language, { type: 'unit' })
  return (duration) =>
    units.format(
      [...duration.matchAll(/(\d+)([YMWD])/g)].map(([, count, letter]) =>
        t(`length.${UNITS[letter as keyof typeof UNITS]}`, { count: Number(count) }),
      ),
    )
}
