import { Alert, Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { WebhookEndpoint } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { endpointList } from '#pages/webhooks/endpoint-list.tsx'
import { NewEndpointDialog } from '#pages/webhooks/new-endpoint-dialog.tsx'

export type EndpointChange = { readonly kind: 'rotate' | 'remove'; readonly endpoint: WebhookEndpoint }

export function EndpointListPage() {
  const { t } = useTranslation('webhooks')
  const { quittance } = useApi()
  const [isNew, setNew] = useState(false)
  const [change, setChange] = useState<EndpointChange>()
  const [secret, setSecret] = useState<string>()
  const list = useMemo(() => endpointList(setChange), [])
  return (
    <>
      <ListPage
        list={list}
        actions={
          <>
            <ButtonLink to="/deliveries" variant="default">
              {t('deliveries')}
            </ButtonLink>
            <ActionButton scope="webhooks:write" variant="filled" onClick={() => setNew(true)}>
              {t('new.button')}
            </ActionButton>
          </>
        }
      />
      {isNew && <NewEndpointDialog onClose={() => setNew(false)} onSecret={setSecret} />}
      {change !== undefined && (
        <ActionDialog
          opened
          onClose={() => setChange(undefined)}
          isDanger={change.kind === 'remove'}
          title={t(`${change.kind}.title`)}
          confirmLabel={t(`${change.kind}.confirm`)}
          effect={t(`${change.kind}.effect`, { url: change.endpoint.url })}
          run={async ({ idempotencyKey }) => {
            const { id } = change.endpoint
            if (change.kind === 'remove') await quittance.webhookEndpoints.delete(id)
            else setSecret((await quittance.webhookEndpoints.rotateSecret(id, { idempotencyKey })).secret)
          }}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

/** A secret is shown once. */
function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { t } = useTranslation(['webhooks', 'components'])
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('secret.title')}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Stack>
        <Alert color="orange" variant="light" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {t('secret.once')}
        </Alert>
        <TextInput label={t('secret.label')} value={secret} readOnly data-autofocus ff="monospace" />
        <Text size="sm" c="dimmed">
          {t('secret.text')}
        </Text>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'components:copy.done' : 'components:copy.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t('secret.saved')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
