import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { type ApiKey, keyList } from '#pages/settings/api-keys/key-list.tsx'
import { NewKeyDialog } from '#pages/settings/api-keys/new-key-dialog.tsx'

export function ApiKeysPage() {
  const { t } = useTranslation('keys')
  const api = useApi()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  const list = useMemo(() => keyList(setRevoked), [])
  return (
    <>
      <ListPage
        list={list}
        actions={
          api.can('keys:write') && (
            <Button size="xs" onClick={() => setCreating(true)}>
              {t('create')}
            </Button>
          )
        }
      />
      <NewKeyDialog opened={isCreating} onClose={() => setCreating(false)} />
      <ActionDialog
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('revoke_title', { name: revoked?.name ?? revoked?.id })}
        effect={t('revoke_effect')}
        confirmLabel={t('revoke')}
        doneMessage={t('revoked')}
        isDanger
        run={(quittance) => quittance.apiKeys.revoke(revoked?.id ?? '')}
      />
    </>
  )
}
