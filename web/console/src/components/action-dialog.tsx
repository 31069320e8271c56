import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, ConnectionError } from 'quittance'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'

interface ActionDialogProps<Result> {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will happen, in the words of the user. */
  readonly effect?: ReactNode
  /** The fields of the action. */
  readonly children?: ReactNode
  readonly confirmLabel: string
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  readonly run: (options: { readonly idempotencyKey: string }) => Promise<Result>
  /** What to say once it is done. */
  readonly doneMessage?: string
  readonly onDone?: (result: Result) => void
}

/**
 * Asks before something changes. When the outcome of an attempt is not known, the next attempt has the same idempotency
 * key, so that nothing happens twice. All lists and objects of this business and environment are read again afterwards.
 */
export function ActionDialog<Result>({
  opened,
  onClose,
  title,
  effect,
  children,
  confirmLabel,
  isDanger = false,
  isDisabled = false,
  run,
  doneMessage,
  onDone,
}: ActionDialogProps<Result>) {
  const { t } = useTranslation('components')
  const api = useApi()
  const queryClient = useQueryClient()
  const idempotencyKey = useRef('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: () => run({ idempotencyKey: idempotencyKey.current }),
    onSuccess: (result) => {
      if (doneMessage !== undefined) notifications.show({ color: 'green', message: doneMessage })
      onClose()
      onDone?.(result)
    },
    onError: (failure) => {
      if (!isOutcomeUnknown(failure)) idempotencyKey.current = crypto.randomUUID()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.key() }),
  })
  useEffect(() => {
    if (!opened) return
    idempotencyKey.current = crypto.randomUUID()
    reset()
  }, [opened, reset])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnClickOutside={!isPending}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="md">
          {children}
          {effect !== undefined && (
            <Alert
              color={isDanger ? 'orange' : 'indigo'}
              variant="light"
              styles={{ message: { color: 'var(--mantine-color-text)' } }}
            >
              {effect}
            </Alert>
          )}
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {t('dialog.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={isDisabled}
              {...(isDanger && { color: 'red.8' })}
              {...(children === undefined && { 'data-autofocus': true })}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500)
}
