import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, ConnectionError } from 'quittance'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { useErrorText } from '#components/error-text.ts'
import { ButtonLink } from '#components/links.tsx'

const NO_ACQUIRER = 'acquirer_not_configured'

interface ErrorStateProps {
  readonly error: unknown
  readonly retry?: () => unknown
}

/** Says what went wrong, what to do, and under which request id support finds it. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const { t } = useTranslation('components')
  const api = error instanceof ApiError ? error : undefined
  const requestId = api?.requestId
  const { message, original, action } = useErrorText()({
    reason: api?.reason,
    message: error instanceof Error ? error.message : String(error),
    recommendedAction: api?.recommendedAction,
  })
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(titleKey(error))}
      role="alert"
      styles={{
        message: { color: 'var(--mantine-color-text)' },
        title: { color: 'var(--mantine-color-error)' },
      }}
    >
      <Text size="sm">{message}</Text>
      {original !== undefined && (
        <Text size="sm" lang="en">
          {original}
        </Text>
      )}
      {action !== undefined && <Text size="sm">{action}</Text>}
      {api?.reason === NO_ACQUIRER && (
        <ButtonLink to="/settings/acquirers" mt="sm" size="xs" variant="default">
          {t('error.to_acquirers')}
        </ButtonLink>
      )}
      {requestId !== undefined && (
        <Group gap={6} mt={4}>
          <Text size="xs" c="dimmed">
            {t('error.request_id')}
          </Text>
          <CopyableId id={requestId} />
        </Group>
      )}
      {retry !== undefined && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void retry()}>
          {t('error.retry')}
        </Button>
      )}
    </Alert>
  )
}

function titleKey(error: unknown): string {
  if (error instanceof ConnectionError) return 'error.connection'
  if (!(error instanceof ApiError)) return 'error.other'
  if (error.status === 403) return 'error.forbidden'
  if (error.status === 404) return 'error.not_found'
  if (error.reason === NO_ACQUIRER) return 'error.refused'
  if (error.status === 504) return 'error.unknown_outcome'
  return error.status >= 500 ? 'error.service' : 'error.refused'
}
