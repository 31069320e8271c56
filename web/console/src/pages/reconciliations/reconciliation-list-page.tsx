import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PAYMENTS } from '#app/api.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { plainQuery } from '#components/list/filter-language.ts'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

type Reconciliation = Schemas['Reconciliation']

const reconciliationList: ListDefinition<Reconciliation> = {
  name: 'reconciliations',
  path: `${PAYMENTS}/reconciliations`,
  hasPlainFilters: true,
  load: ({ quittance }, { filter, ...query }, signal) =>
    quittance.reconciliations.list({ ...query, ...plainQuery(filter) }, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/reconciliations/${id}`,
  columns: [
    {
      id: 'date',
      phone: 'title',
      cell: ({ payout, date }) => <Time at={payout?.arrives_at.slice(0, 10) ?? date} />,
    },
    { id: 'kind', phone: 'detail', cell: ({ payout }) => <Kind isPayout={payout !== null} /> },
    {
      id: 'amount',
      align: 'right',
      phone: 'end',
      cell: ({ payout }) =>
        payout === null ? '—' : <Money amount={payout.amount} currency={payout.currency} />,
    },
    { id: 'matched', align: 'right', cell: ({ matched }) => matched },
    { id: 'differences', phone: 'end_detail', cell: (row) => <Differences reconciliation={row} /> },
    {
      id: 'fees',
      align: 'right',
      cell: ({ fees }) =>
        fees.length === 0
          ? '—'
          : fees.map(({ currency, amount }) => (
              <div key={currency}>
                <Money amount={amount} currency={currency} />
              </div>
            )),
    },
    { id: 'acquirer_account_id', isHidden: true, cell: ({ acquirer_account_id }) => acquirer_account_id },
    { id: 'created_at', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [{ field: 'acquirer_account_id', kind: 'exact' }],
}

function Kind({ isPayout }: { readonly isPayout: boolean }) {
  const { t } = useTranslation('reconciliations')
  return t(isPayout ? 'payout' : 'day')
}

export function Differences({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { t } = useTranslation('reconciliations')
  const { missing_here, missing_there, different_amount } = reconciliation
  const count = missing_here + missing_there + different_amount
  return count === 0 ? (
    <StateBadge state="matched" label={t('no_differences')} />
  ) : (
    <StateBadge state="mismatched" label={t('differences', { count })} />
  )
}

export function ReconciliationListPage() {
  const { t } = useTranslation('reconciliations')
  const [isRunning, setRunning] = useState(false)
  return (
    <>
      <ListPage
        list={reconciliationList}
        actions={
          <ActionButton scope="payments:write" onClick={() => setRunning(true)}>
            {t('run.button')}
          </ActionButton>
        }
      />
      <ActionDialog
        opened={isRunning}
        onClose={() => setRunning(false)}
        title={t('run.title')}
        confirmLabel={t('run.button')}
        doneMessage={t('run.done')}
        effect={t('run.effect')}
        run={(quittance) => quittance.reconciliations.run({})}
      />
    </>
  )
}
