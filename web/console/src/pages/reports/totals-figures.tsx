import { SimpleGrid, Text } from '@mantine/core'
import { type Schemas, toMinorUnits } from 'quittance'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { joinSentences } from '#components/joined.ts'
import { formatAmount, Money } from '#components/money.tsx'
import { rangeText } from '#components/range/range.ts'
import { Section } from '#components/section.tsx'
import classes from '#pages/home/today.module.css'

type Totals = Schemas['Totals']
type OfCurrency = Schemas['CurrencyTotals']

const AMOUNTS = ['paid', 'refunded', 'net'] as const
const COUNTS = ['orders_paid', 'payments_declined'] as const

interface TotalsFiguresProps {
  readonly totals: Totals
  readonly currency: string
  readonly actions?: ReactNode
}

/** What moved in a range of days, beside those with which it is compared. */
export function TotalsFigures({ totals, currency, actions }: TotalsFiguresProps) {
  const { t, i18n } = useTranslation('reports')
  const found = totals.currencies.find((one) => one.currency === currency)
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <Section title={rangeText(totals, i18n.language)} actions={actions}>
      {found === undefined ? (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      ) : (
        <>
          <SimpleGrid component="dl" m={0} cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
            {[...AMOUNTS, ...(wasDisputed(found) ? (['disputed'] as const) : [])].map((name) => (
              <Figure
                key={name}
                name={t(`figure.${name}`)}
                value={<Money amount={found[`${name}_total`]} currency={currency} />}
                note={changeText(
                  toMinorUnits(found[`${name}_total`], currency),
                  toMinorUnits(found.before[`${name}_total`], currency),
                  formatAmount(found.before[`${name}_total`], currency, i18n.language),
                )}
              />
            ))}
            <Figure
              name={t('figure.fees')}
              value={found.fee_total === null ? '—' : <Money amount={found.fee_total} currency={currency} />}
              note={feesNote(found)}
            />
            {COUNTS.map((name) => (
              <Figure
                key={name}
                name={t(`figure.${name}`)}
                value={number.format(found[name])}
                note={changeText(
                  BigInt(found[name]),
                  BigInt(found.before[name]),
                  number.format(found.before[name]),
                )}
              />
            ))}
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt="xs">
            {joinSentences(i18n.language, [
              t('compared', { range: rangeText(totals.before, i18n.language) }),
              t('compared_rule'),
            ])}
          </Text>
        </>
      )}
    </Section>
  )

  function changeText(now: bigint, before: bigint, beforeText: string): string {
    if (before === 0n) return t('before', { before: beforeText })
    const change = changeOf(now, before)
    const percent = new Intl.NumberFormat(i18n.language, {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    })
    return t('change', { change: percent.format(change), before: beforeText })
  }

  function feesNote({ fee_total, paid_total, settled_paid_total }: OfCurrency): string {
    if (fee_total === null) return t('fees.unknown')
    const paid = toMinorUnits(paid_total, currency)
    if (paid === 0n) return t('fees.booked')
    const known = toMinorUnits(settled_paid_total, currency)
    if (known >= paid) return t('fees.all')
    const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
    return t('fees.part', { share: share.format(Number((known * 100n) / paid) / 100) })
  }
}

function Figure({
  name,
  value,
  note,
}: {
  readonly name: string
  readonly value: ReactNode
  readonly note: string
}) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  )
}

/** Most businesses have no disputes, and need no figure for them. */
function wasDisputed({ disputed_total: now, before }: OfCurrency): boolean {
  return Number(now) !== 0 || Number(before.disputed_total) !== 0
}

/** A share of the value before, exact to a thousandth. */
function changeOf(now: bigint, before: bigint): number {
  const size = before < 0n ? -before : before
  return Number(((now - before) * 1_000n) / size) / 1_000
}
