import { Anchor, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** An address to send to somebody. */
export function LinkToCopy({ label, url }: { readonly label: string; readonly url: string }) {
  const { t } = useTranslation('components')
  return (
    <Stack>
      <TextInput label={label} value={url} readOnly data-autofocus />
      <Group justify="flex-end" gap="xs">
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'link.copied' : 'link.copy')}
            </Button>
          )}
        </CopyButton>
        <Anchor href={url} target="_blank" rel="noreferrer" fz="sm">
          {t('link.open')}
        </Anchor>
      </Group>
    </Stack>
  )
}
