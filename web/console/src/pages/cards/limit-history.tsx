import type { Card, Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Time } from '#components/time.tsx'

export function LimitHistory({ card }: { readonly card: Card }) {
  const { t } = useTranslation('cards')
  return <RelatedList list={historyOf(card)} label={t('history')} empty={t('no_history')} />
}

function historyOf(card: Card): ListDefinition<Schemas['CardLimitChange']> {
  return {
    name: 'limit-history',
    query: { card: card.id },
    load: ({ quittance }, query, signal) => quittance.cards.listLimitHistory(card.id, query, { signal }),
    rowId: ({ id }) => id,
    filters: [],
    columns: [
      { id: 'period', cell: ({ card_limit }) => <Period card={card} limit={card_limit} /> },
      {
        id: 'amount',
        align: 'right',
        cell: ({ limit_amount }) => <Money amount={limit_amount} currency={card.settlement_currency} />,
      },
      { id: 'remark', cell: ({ remark }) => remark || '—' },
      { id: 'created_at', cell: ({ p_created_at }) => <Time at={p_created_at} /> },
    ],
  }
}

function Period({ card, limit }: { readonly card: Card; readonly limit: string }) {
  const { t } = useTranslation('cards')
  const period = card.limits.find(({ id }) => id === limit)?.period
  return period === undefined ? limit : t(`period.${period}`)
}
