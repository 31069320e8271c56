import type { Schemas } from 'quittance'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createRawCall } from '#pages/requests/raw-call.ts'
import { useShell } from '#app/shell-context.ts'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { JsonView } from '#components/json-view.tsx'
import { HttpStatus } from '#pages/requests/request-list-page.tsx'

interface ReplayDialogProps {
  readonly request: Schemas['LoggedRequestWithBodies']
  readonly onClose: () => void
}

/** Sends a request of the log again, always to the test environment and under a new idempotency key. */
export function ReplayDialog({ request, onClose }: ReplayDialogProps) {
  const { t } = useTranslation(['requests', 'components'])
  const { membership } = useShell()
  const [call] = useState(() => createRawCall(membership.business.code))
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(request),
  })
  return (
    <ModalDialog
      opened
      onClose={onClose}
      size="lg"
      title={t('replay.title')}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Stack>
        <Alert color="indigo" variant="light" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {t('replay.effect')}
        </Alert>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <code>
            {request.method} {request.path}
            {request.query === '' ? '' : `?${request.query.replace(/^\?/, '')}`}
          </code>
        </Text>
        {request.request_body !== null && request.request_body !== '' && (
          <JsonView value={request.request_body} label={t('request_body')} />
        )}
        {error !== null && <ErrorState error={error} />}
        {data !== undefined && (
          <div aria-live="polite">
            <Text size="sm" fw={600} mb={6}>
              {t('replay.answer')} <HttpStatus status={data.status} />
            </Text>
            <JsonView value={data.text} label={t('response_body')} />
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('components:dialog.close')}
          </Button>
          <Button loading={isPending} onClick={() => mutate()} data-autofocus>
            {t(data === undefined ? 'replay.confirm' : 'replay.again')}
          </Button>
        </Group>
      </Stack>
    </ModalDialog>
  )
}
