import { Button } from '@mantine/core'
import type { WebhookEndpoint } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'
import { type EndpointChange, EndpointDrawer } from '#pages/settings/webhooks/endpoint-drawer.tsx'
import { endpointList } from '#pages/settings/webhooks/endpoint-list.tsx'
import { NewEndpointDialog } from '#pages/settings/webhooks/new-endpoint-dialog.tsx'

export function WebhooksPage() {
  const { t } = useTranslation('endpoints')
  const api = useApi()
  const [isCreating, setCreating] = useState(false)
  const [shown, setShown] = useState<WebhookEndpoint>()
  const [chosen, setChosen] = useState<{
    readonly change: EndpointChange
    readonly endpoint: WebhookEndpoint
  }>()
  const [secret, setSecret] = useState<string>()
  const list = useMemo(() => endpointList(setShown), [])
  return (
    <>
      <ListPage
        list={list}
        actions={
          api.can('webhooks:write') && (
            <Button size="xs" onClick={() => setCreating(true)}>
              {t('create')}
            </Button>
          )
        }
      />
      {shown !== undefined && (
        <EndpointDrawer
          endpoint={shown}
          onChange={(change) => {
            setShown(undefined)
            setChosen({ change, endpoint: shown })
          }}
          onClose={() => setShown(undefined)}
        />
      )}
      <NewEndpointDialog opened={isCreating} onClose={() => setCreating(false)} onSecret={setSecret} />
      <ActionDialog
        opened={chosen?.change === 'rotate'}
        onClose={() => setChosen(undefined)}
        title={t('rotate_title')}
        effect={t('rotate_effect')}
        confirmLabel={t('rotate')}
        run={(quittance) => quittance.webhookEndpoints.rotateSecret(chosen?.endpoint.id ?? '')}
        onDone={(endpoint) => setSecret(endpoint.secret)}
      />
      <ActionDialog
        opened={chosen?.change === 'delete'}
        onClose={() => setChosen(undefined)}
        title={t('delete_title')}
        effect={t('delete_effect', { url: chosen?.endpoint.url })}
        confirmLabel={t('delete')}
        isDanger
        run={(quittance) => quittance.webhookEndpoints.delete(chosen?.endpoint.id ?? '')}
      />
      <SecretOnce
        title={t('secret')}
        text={t('secret_text')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
