import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { PAYMENTS } from '#app/api.ts'
import { TextLink } from '#components/links.tsx'
import { plainQuery } from '#components/list/filter-language.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

type Entry = Schemas['ReconciliationEntry']

const RESULTS = ['matched', 'missing_here', 'missing_there', 'different_amount', 'fee', 'other'] as const

/** The lines of a reconciliation. */
export function entriesOf(id: string): ListDefinition<Entry> {
  return {
    name: 'entries',
    path: `${PAYMENTS}/reconciliations/${id}/entries`,
    hasPlainFilters: true,
    query: {},
    load: ({ quittance }, { filter, ...query }, signal) => {
      const { result } = plainQuery(filter)
      const wanted = RESULTS.find((one) => one === result)
      return quittance.reconciliations.listEntries(
        id,
        { ...query, ...(wanted && { result: wanted }) },
        { signal },
      )
    },
    rowId: (entry) => entry.id,
    columns: [
      { id: 'result', phone: 'end_detail', cell: ({ result }) => <Result result={result} /> },
      { id: 'type', phone: 'title', cell: ({ acquirer_type }) => sentence(acquirer_type) },
      {
        id: 'gross',
        align: 'right',
        phone: 'end',
        cell: ({ gross, currency }) => <Money amount={gross} currency={currency} />,
      },
      { id: 'fee', align: 'right', cell: ({ fee, currency }) => <Money amount={fee} currency={currency} /> },
      { id: 'net', align: 'right', cell: ({ net, currency }) => <Money amount={net} currency={currency} /> },
      {
        id: 'expected',
        align: 'right',
        isHidden: true,
        cell: ({ expected }) =>
          expected === null ? '—' : <Money amount={expected.amount} currency={expected.currency} />,
      },
      {
        id: 'order',
        phone: 'detail',
        cell: ({ order_number: number }) =>
          number === null ? (
            '—'
          ) : (
            <TextLink to="/orders/$number" params={{ number }} fz="sm">
              {number}
            </TextLink>
          ),
      },
      {
        id: 'acquirer_reference',
        isHidden: true,
        cell: ({ acquirer_reference }) => acquirer_reference ?? '—',
      },
      { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    filters: [{ field: 'result', kind: 'word', words: RESULTS }],
  }
}

function Result({ result }: { readonly result: Entry['result'] }) {
  const { t } = useTranslation('reconciliations')
  const tone = result === 'matched' ? 'good' : result === 'fee' || result === 'other' ? 'plain' : 'bad'
  return <StateBadge state={result} label={t(`result.${result}`)} tone={tone} />
}
