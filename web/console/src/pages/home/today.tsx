import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '#components/money.tsx'
import type { Overview } from '#pages/home/report-types.ts'
import classes from './today.module.css'

export function Today({ overview }: { readonly overview: Overview }) {
  const { t, i18n } = useTranslation('home')
  const { today, currency, recurring } = overview
  const number = new Intl.NumberFormat(i18n.language)
  const figures: readonly (readonly [name: string, value: ReactNode])[] = [
    ['paid', <Money key="paid" amount={today.paid_total} currency={currency} />],
    ['refunded', <Money key="refunded" amount={today.refunded_total} currency={currency} />],
    ['orders_paid', number.format(today.orders_paid)],
    ['payments_failed', number.format(today.payments_failed)],
    ['monthly', <Money key="monthly" amount={recurring.monthly_total ?? undefined} currency={currency} />],
    ['active_plans', recurring.active_plans === null ? '—' : number.format(recurring.active_plans)],
  ]
  return (
    <section aria-label={t('today.title')}>
      <SimpleGrid component="dl" m={0} cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
        {figures.map(([name, value]) => (
          <div key={name} className={classes.figure}>
            <dt>{t(`today.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </SimpleGrid>
    </section>
  )
}
