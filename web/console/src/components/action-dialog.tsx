import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Quittance } from 'quittance'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWrite } from '#app/use-write.ts'
import { useFailureNotification } from '#components/error-text.ts'
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
  /** Why it is disabled. Default: that something is missing or wrong. */
  readonly disabledReason?: string | undefined
  readonly run: (quittance: Quittance) => Promise<Result>
  /** How long `run` may take. Default: `WRITE_MS`. */
  readonly timeoutMs?: number
  /** It may be closed while it waits. */
  readonly isClosable?: boolean
  /** What to say once it is done. */
  readonly doneMessage?: string
  readonly onDone?: (result: Result) => void
}

/** Asks before something changes. */
export function ActionDialog<Result>(props: ActionDialogProps<Result>) {
  const { effect, children, run, timeoutMs, doneMessage, onDone, ...dialog } = props
  const { opened, onClose } = dialog
  const failureNotification = useFailureNotification()
  const isShown = useRef(false)
  const submission = useWrite({
    write: run,
    timeoutMs,
    isDialog: true,
    onSuccess: (result) => {
      if (doneMessage !== undefined) notifications.show({ color: 'green', message: doneMessage })
      onClose()
      onDone?.(result)
    },
    onError: (error) => {
      // The dialog was left by another page, or closed while it waited.
      if (!isShown.current) notifications.show(failureNotification(error))
    },
  })
  const { end } = submission
  useEffect(() => {
    if (!opened) return
    isShown.current = true
    return () => {
      isShown.current = false
      end()
    }
  }, [opened, end])
  return (
    <FormDialog {...dialog} submission={submission}>
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
