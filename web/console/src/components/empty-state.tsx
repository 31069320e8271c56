import { Stack, Text, Title } from '@mantine/core'
import { IconInbox, type Icon } from '#components/icons.tsx'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly title: string
  readonly text?: string
  readonly icon?: Icon
  /** 1 where the state is the whole page. */
  readonly order?: 1 | 2
  /** What to do next. */
  readonly children?: ReactNode
}

export function EmptyState({ title, text, icon: Icon = IconInbox, order = 2, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Icon size={36} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />
      <Title order={order} size="h2">
        {title}
      </Title>
      {text !== undefined && (
        <Text c="dimmed" size="sm" maw={440}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  )
}
