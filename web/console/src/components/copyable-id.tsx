import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '#components/icons.tsx'
import { useTranslation } from 'react-i18next'
import classes from './copyable-id.module.css'

export function CopyableId({ id }: { readonly id: string }) {
  const { t } = useTranslation('components')
  return (
    <Group component="span" gap={2} wrap="nowrap" display="inline-flex" maw="100%">
      <code className={classes.id} title={id}>
        {id}
      </code>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={t(copied ? 'copy.done' : 'copy.copy')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              onClick={(event) => {
                event.stopPropagation()
                copy()
              }}
              aria-label={copied ? t('copy.done') : t('copy.id', { id })}
            >
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
