import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { FormDialog } from '#components/form-dialog.tsx'

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
export function AccountDialog<Result>({ run, doneMessage, onDone, ...dialog }: AccountDialogProps<Result>) {
  const { opened, onClose } = dialog
  const submission = useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      if (doneMessage !== undefined) notifications.show({ color: 'green', message: doneMessage })
      onClose()
      return onDone?.(result)
    },
  })
  const { reset } = submission
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  return <FormDialog {...dialog} submission={submission} />
}
