import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { AccountDrawer } from '#pages/settings/acquirers/account-drawer.tsx'
import { AccountForm } from '#pages/settings/acquirers/account-form.tsx'
import { accountList, type AcquirerAccount } from '#pages/settings/acquirers/account-list.tsx'

export function AcquirersPage() {
  const { t } = useTranslation('acquirers')
  const api = useApi()
  const [shown, setShown] = useState<AcquirerAccount>()
  const [edited, setEdited] = useState<AcquirerAccount | 'new'>()
  const [disabled, setDisabled] = useState<AcquirerAccount>()
  const list = useMemo(() => accountList(setShown), [])
  return (
    <>
      <ListPage
        list={list}
        actions={
          api.can('admin:write') && (
            <Button size="xs" onClick={() => setEdited('new')}>
              {t('connect')}
            </Button>
          )
        }
      />
      {shown !== undefined && (
        <AccountDrawer
          account={shown}
          onChange={(change) => {
            setShown(undefined)
            if (change === 'edit') setEdited(shown)
            else setDisabled(shown)
          }}
          onClose={() => setShown(undefined)}
        />
      )}
      {edited !== undefined && (
        <AccountForm
          key={edited === 'new' ? 'new' : edited.id}
          account={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ActionDialog
        opened={disabled !== undefined}
        onClose={() => setDisabled(undefined)}
        title={t('disable_title', { name: disabled?.name })}
        effect={t('disable_effect')}
        confirmLabel={t('disable')}
        isDanger
        run={(quittance) => quittance.acquirerAccounts.disable(disabled?.id ?? '')}
      />
    </>
  )
}
