import { Progress, Stack, Text } from '@mantine/core'
import { type Card, toMinorUnits } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { Money } from '#components/money.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { AddLimitDialog, EditLimitsDialog } from '#pages/cards/limit-dialogs.tsx'
import classes from './card-limits.module.css'

type Limit = Card['limits'][number]

/** What may be spent, and how much of it is used in the window of now. */
export function CardLimits({ card }: { readonly card: Card }) {
  const { t } = useTranslation('cards')
  const [dialog, setDialog] = useState<'add' | 'edit'>()
  const close = () => setDialog(undefined)
  return (
    <Section
      title={t('limits')}
      actions={
        <span className={classes.actions}>
          <ActionButton
            size="xs"
            scope="cards:write"
            blocked={card.limits.length === 4 ? t('limit.all_exist') : undefined}
            onClick={() => setDialog('add')}
          >
            {t('limit.add')}
          </ActionButton>
          <ActionButton
            size="xs"
            scope="cards:write"
            blocked={card.limits.length === 0 ? t('limit.none') : undefined}
            onClick={() => setDialog('edit')}
          >
            {t('limit.edit')}
          </ActionButton>
        </span>
      }
    >
      {card.limits.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('limit.none')}
        </Text>
      ) : (
        <Stack gap="md">
          {card.limits.map((limit) => (
            <LimitRow key={limit.id} limit={limit} currency={card.settlement_currency} />
          ))}
        </Stack>
      )}
      {dialog === 'add' && <AddLimitDialog card={card} onClose={close} />}
      {dialog === 'edit' && <EditLimitsDialog card={card} onClose={close} />}
    </Section>
  )
}

function LimitRow({ limit, currency }: { readonly limit: Limit; readonly currency: string }) {
  const { t } = useTranslation('cards')
  const percent = percentUsed(limit, currency)
  const name = t(`period.${limit.period}`)
  return (
    <div>
      <div className={classes.row}>
        <Text size="sm" fw={500}>
          {name} {limit.status === 'Inactive' && <StateBadge state="Inactive" label={t('limit.inactive')} />}
        </Text>
        <Text size="sm">
          {limit.period !== 'Transaction' && (
            <>
              <Money amount={limit.used_amount} currency={currency} /> /{' '}
            </>
          )}
          <Money amount={limit.limit_amount} currency={currency} />
        </Text>
      </div>
      {limit.period !== 'Transaction' && (
        <Progress
          value={percent}
          color={limit.status === 'Inactive' ? 'gray' : percent >= 90 ? 'red' : 'indigo'}
          aria-label={t('limit.used', { period: name, percent })}
        />
      )}
    </div>
  )
}

/** For the bar only. */
function percentUsed({ used_amount, limit_amount }: Limit, currency: string): number {
  const limit = toMinorUnits(limit_amount, currency)
  if (limit === 0n) return 100
  return Math.max(0, Math.min(100, Number((toMinorUnits(used_amount, currency) * 100n) / limit)))
}
