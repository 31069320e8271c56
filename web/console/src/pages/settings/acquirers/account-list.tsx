import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ACCOUNT } from '#app/api.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { joinParts } from '#components/joined.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { OpenButton } from '#components/list/open-button.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export type AcquirerAccount = Schemas['AcquirerAccount']

const ACQUIRERS = ['stripe', 'adyen', 'airwallex'] as const satisfies readonly AcquirerAccount['acquirer'][]
const STATES = ['active', 'disabled'] as const

export function accountList(onOpen: (account: AcquirerAccount) => void): ListDefinition<AcquirerAccount> {
  return {
    name: 'acquirers',
    path: `${ACCOUNT}/acquirer_accounts`,
    load: ({ quittance }, query, signal) => quittance.acquirerAccounts.list(query, { signal }),
    rowId: ({ id }) => id,
    rowOpen: onOpen,
    columns: [
      { id: 'name', phone: 'title', cell: ({ name }) => name },
      { id: 'state', phone: 'end', cell: ({ state }) => <StateBadge state={state} /> },
      { id: 'acquirer', phone: 'detail', cell: ({ acquirer }) => sentence(acquirer) },
      { id: 'methods', cell: ({ methods }) => <Methods methods={methods} /> },
      { id: 'currencies', cell: ({ currencies }) => <Currencies currencies={currencies} /> },
      { id: 'merchant_id', isHidden: true, cell: ({ merchant_id }) => merchant_id },
      { id: 'id', isHidden: true, cell: ({ id }) => <CopyableId id={id} /> },
      { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: 'open',
        align: 'right',
        phone: 'end_detail',
        cell: (account) => <OpenButton area="acquirers" onOpen={() => onOpen(account)} />,
      },
    ],
    filters: [
      { field: 'name', kind: 'text' },
      { field: 'state', kind: 'word', words: STATES },
      { field: 'acquirer', kind: 'word', words: ACQUIRERS, wordLabel: sentence },
      { field: 'merchant_id', kind: 'exact' },
      { field: 'id', kind: 'exact' },
      { field: 'created_at', kind: 'time' },
    ],
    views: STATES.map((state) => ({ name: state, filter: `state = ${state}` })),
  }
}

export function Methods({ methods }: Pick<AcquirerAccount, 'methods'>) {
  const { t, i18n } = useTranslation('components')
  return joinParts(
    i18n.language,
    methods.map((method) => t(`method.${method}`)),
  )
}

export function Currencies({ currencies }: Pick<AcquirerAccount, 'currencies'>) {
  const { t } = useTranslation('acquirers')
  return currencies.length === 0 ? t('all_currencies') : currencies.join(', ')
}
