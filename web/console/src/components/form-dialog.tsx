import { Button, Group, Modal, Stack, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#components/error-state.tsx'
import type { Submission } from '#components/submit-form.tsx'

interface FormDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  readonly submission: Submission
  readonly confirmLabel: string
  /** Default: "Cancel", which is unclear where something is canceled. */
  readonly dismissLabel?: string | undefined
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  /** It may be closed while the reply is awaited. */
  readonly isClosable?: boolean
  readonly children?: ReactNode
  readonly size?: 'lg'
  /** Enter confirms at once: nothing is to be filled in. */
  readonly focusConfirm?: boolean
}

/** A dialog that sends something, or is canceled. It stays open until the reply is there. */
export function FormDialog(props: FormDialogProps) {
  const { opened, onClose, title, submission, confirmLabel, children } = props
  const { mutate, isPending, error } = submission
  const isDisabled = props.isDisabled === true
  const isClosable = !isPending || props.isClosable === true
  const { t } = useTranslation('components')
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={props.size ?? 'md'}
      closeOnClickOutside={!isPending}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('dialog.close'), disabled: !isClosable }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isDisabled && !isPending) mutate()
        }}
      >
        <Stack gap="md">
          {children}
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={!isClosable}>
              {props.dismissLabel ?? t('dialog.cancel')}
            </Button>
            <Tooltip label={t('dialog.incomplete')} disabled={!isDisabled}>
              <Button
                type="submit"
                loading={isPending}
                {...(isDisabled && { 'data-disabled': true, 'aria-disabled': true })}
                {...(props.isDanger === true && { color: 'red.8' })}
                {...(props.focusConfirm === true && { 'data-autofocus': true })}
              >
                {confirmLabel}
              </Button>
            </Tooltip>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
