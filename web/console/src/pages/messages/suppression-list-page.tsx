import type { Schemas } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { EmailText } from '#components/email-text.tsx'
import { TextLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'

type Suppression = Schemas['Suppression']

function suppressionList(end: (address: string) => void): ListDefinition<Suppression> {
  return {
    name: 'suppressions',
    hasPlainFilters: true,
    load: ({ quittance }, { filter: _, ...query }, signal) => quittance.suppressions.list(query, { signal }),
    rowId: ({ address }) => address,
    columns: [
      { id: 'address', phone: 'title', cell: ({ address }) => <EmailText address={address} /> },
      { id: 'kind', phone: 'detail', cell: ({ kind }) => <Reason kind={kind} /> },
      { id: 'created_at', phone: 'end_detail', cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: 'action',
        align: 'right',
        phone: 'actions',
        cell: ({ address }) => <EndButton onClick={() => end(address)} />,
      },
    ],
    filters: [],
  }
}

function Reason({ kind }: Pick<Suppression, 'kind'>) {
  const { t } = useTranslation('suppressions')
  return t(`kind.${kind}`)
}

function EndButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('suppressions')
  return (
    <ActionButton scope="billing:write" size="compact-sm" onClick={onClick}>
      {t('end.button')}
    </ActionButton>
  )
}

export function SuppressionListPage() {
  const { t } = useTranslation('suppressions')
  const [address, setAddress] = useState<string>()
  const list = useMemo(() => suppressionList(setAddress), [])
  return (
    <>
      <ListPage list={list} actions={<TextLink to="/messages">{t('messages')}</TextLink>} />
      {address !== undefined && (
        <ActionDialog
          opened
          onClose={() => setAddress(undefined)}
          title={t('end.title', { address })}
          effect={t('end.effect')}
          confirmLabel={t('end.button')}
          doneMessage={t('end.done')}
          run={(quittance) => quittance.suppressions.delete(address)}
        />
      )}
    </>
  )
}
