import { Drawer, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface DetailDrawerProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The details of a row that has no page of its own, beside its list. */
export function DetailDrawer({ title, onClose, children }: DetailDrawerProps) {
  const { t } = useTranslation('components')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Stack>{children}</Stack>
    </Drawer>
  )
}
