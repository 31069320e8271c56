import type { Schemas } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { EmailText } from '#components/email-text.tsx'
import { TextLink } from '#components/links.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { PageHeader } from '#components/page-header.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Time } from '#components/time.tsx'

type Suppression = Schemas['Suppression']

function suppressionList(end: (address: string) => void): ListDefinition<Suppression> {
  return {
    name: 'messages',
    load: ({ quittance }, { limit, cursor }, signal) =>
      quittance.suppressions.list({ limit, ...(cursor !== undefined && { cursor }) }, { signal }),
    rowId: ({ address }) => address,
    columns: [
      { id: 'address', phone: 'title', cell: ({ address }) => <EmailText address={address} /> },
      { id: 'why', phone: 'detail', cell: ({ kind }) => <Reason kind={kind} /> },
      { id: 'since', phone: 'end_detail', cell: ({ created_at }) => <Time at={created_at} /> },
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
  const { t } = useTranslation('messages')
  return t(`suppression.kind.${kind}`)
}

function EndButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('messages')
  return (
    <ActionButton scope="billing:write" size="compact-sm" onClick={onClick}>
      {t('suppression.end.button')}
    </ActionButton>
  )
}

export function SuppressionListPage() {
  const { t } = useTranslation('messages')
  const [address, setAddress] = useState<string>()
  const list = useMemo(() => suppressionList(setAddress), [])
  return (
    <>
      <PageHeader title={t('suppression.title')} back={<TextLink to="/messages">{t('title')}</TextLink>} />
      <RelatedList list={list} label={t('suppression.title')} empty={t('suppression.none')} limit={50} />
      {address !== undefined && (
        <ActionDialog
          opened
          onClose={() => setAddress(undefined)}
          title={t('suppression.end.title', { address })}
          effect={t('suppression.end.effect')}
          confirmLabel={t('suppression.end.button')}
          doneMessage={t('suppression.end.done')}
          run={(quittance) => quittance.suppressions.delete(address)}
        />
      )}
    </>
  )
}
