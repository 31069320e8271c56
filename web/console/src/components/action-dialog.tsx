import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, ConnectionError } from 'quittance'
import { type ReactNode, useEffect, useRef } from 'react'
import { useApi } from '#app/shell-context.ts'
import { FormDialog } from '#components/form-dialog.tsx'

interface ActionDialogProps<Result> {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will happen, in the words of the user. */
  readonly effect?: ReactNode
  /** The fields of the action. */
  readonly children?: ReactNode
  readonly confirmLabel: string
  readonly dismissLabel?: string
  readonly isDanger?: boolean
  readonly size?: 'lg'
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
export function ActionDialog<Result>(props: ActionDialogProps<Result>) {
  const { effect, children, run, doneMessage, onDone, ...dialog } = props
  const { opened, onClose } = dialog
  const api = useApi()
  const queryClient = useQueryClient()
  const idempotencyKey = useRef('')
  const submission = useMutation({
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
  const { reset } = submission
  useEffect(() => {
    if (!opened) return
    idempotencyKey.current = crypto.randomUUID()
    reset()
  }, [opened, reset])
  return (
    <FormDialog {...dialog} submission={submission} focusConfirm={children === undefined}>
      {children}
      {effect !== undefined && (
        <Alert
          color={dialog.isDanger === true ? 'orange' : 'indigo'}
          variant="light"
          styles={{ message: { color: 'var(--mantine-color-text)' } }}
        >
          {effect}
        </Alert>
      )}
    </FormDialog>
  )
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500)
}
