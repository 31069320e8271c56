import { Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#components/error-state.tsx'

interface AccountDialogProps<Result> {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  readonly confirmLabel: string
  readonly isDanger?: boolean
  readonly children?: ReactNode
  readonly run: () => Promise<Result>
  readonly doneMessage?: string
  readonly onDone?: (result: Result) => unknown
}

/** Asks before something of the user's own account changes. */
export function AccountDialog<Result>(props: AccountDialogProps<Result>) {
  const { opened, onClose, title, confirmLabel, isDanger = false, children, run, doneMessage, onDone } = props
  const { t } = useTranslation('components')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      if (doneMessage !== undefined) notifications.show({ color: 'green', message: doneMessage })
      onClose()
      return onDone?.(result)
    },
  })
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
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
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('dialog.cancel')}
            </Button>
            <Button type="submit" loading={isPending} {...(isDanger && { color: 'red.8' })}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
