import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '#components/icons.tsx'
import { ApiError } from 'quittance'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { NO_ACQUIRER, useFailureText } from '#components/error-text.ts'
import { ButtonLink } from '#components/links.tsx'

interface ErrorStateProps {
  readonly error: unknown
  readonly retry?: () => unknown
  readonly reload?: () => void
}

/** Says what went wrong, what to do, and under which request id support finds it. */
export function ErrorState({ error, retry, reload }: ErrorStateProps) {
  const { t } = useTranslation('components')
  const api = error instanceof ApiError ? error : undefined
  const requestId = api?.requestId
  const { title, message, original, action } = useFailureText()(error)
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
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
      {reload !== undefined && (
        <Button mt="sm" size="xs" variant="default" onClick={reload}>
          {t('error.reload')}
        </Button>
      )}
      {retry !== undefined && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void retry()}>
          {t('error.retry')}
        </Button>
      )}
    </Alert>
  )
}
