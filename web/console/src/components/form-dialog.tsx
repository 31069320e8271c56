import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { FIRST_BUTTON, markFirstField } from '#components/first-field.ts'
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
  /** Why it is disabled. Default: that something is missing or wrong. */
  readonly disabledReason?: string | undefined
  /** It may be closed while the reply is awaited. */
  readonly isClosable?: boolean
  readonly children?: ReactNode
  readonly size?: 'lg'
}

/**
 * A dialog that sends something, or is canceled. It stays open until the reply is there. The focus begins at the first field; where
 * there is none at the button that confirms, so that Enter does at once, or that dismisses something dangerous.
 */
export function FormDialog(props: FormDialogProps) {
  const { opened, onClose, title, submission, confirmLabel, children } = props
  const { mutate, isPending, error } = submission
  const isDisabled = props.isDisabled === true
  const isClosable = !isPending || props.isClosable === true
  const { t } = useTranslation('components')
  return (
    <ModalDialog
      opened={opened}
      onClose={() => {
        if (isClosable) onClose()
      }}
      title={title}
      size={props.size ?? 'md'}
      closeOnClickOutside={!isPending}
      closeOnEscape={isClosable}
      closeButtonProps={{
        'aria-label': t('dialog.close'),
        ...(!isClosable && { 'data-disabled': true, 'aria-disabled': true, title: t('dialog.waiting') }),
      }}
    >
      <form
        ref={markFirstField}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isDisabled && !isPending) mutate()
        }}
      >
        <Stack gap="md">
          {children}
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end" gap="xs">
            <BlockableButton
              variant="default"
              blocked={isClosable ? undefined : t('dialog.waiting')}
              onClick={onClose}
              {...(props.isDanger === true && FIRST_BUTTON)}
            >
              {props.dismissLabel ?? t('dialog.cancel')}
            </BlockableButton>
            <BlockableButton
              type="submit"
              loading={isPending}
              blocked={isDisabled ? (props.disabledReason ?? t('dialog.incomplete')) : undefined}
              {...(props.isDanger === true ? { color: 'red.8' } : FIRST_BUTTON)}
            >
              {confirmLabel}
            </BlockableButton>
          </Group>
        </Stack>
      </form>
    </ModalDialog>
  )
}
