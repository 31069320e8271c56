import { Alert, Button, CopyButton, Group, Stack, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'

interface SecretOnceProps {
  readonly title: string
  readonly text: string
  readonly secret: string | undefined
  readonly onClose: () => void
}

/** A secret that the service shows only now. Clicking outside does not close the dialog. */
export function SecretOnce({ title, text, secret, onClose }: SecretOnceProps) {
  const { t } = useTranslation(['settings', 'components'])
  return (
    <ModalDialog
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Alert color="orange" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {text}
        </Alert>
        <Textarea
          aria-label={title}
          value={secret ?? ''}
          readOnly
          autosize
          data-autofocus
          ff="monospace"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'components:copy.done' : 'components:copy.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t('secret_saved')}</Button>
        </Group>
      </Stack>
    </ModalDialog>
  )
}
