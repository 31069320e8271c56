import { Breadcrumbs, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageHeaderProps {
  /** The name of the page. It is also the title of the browser's tab. */
  readonly title: string
  /** What stands in place of the title, such as an amount. */
  readonly heading?: ReactNode
  readonly badges?: ReactNode
  readonly back?: ReactNode
  readonly actions?: ReactNode
}

export function PageHeader({ title, heading, badges, back, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Quittance`
  }, [title])
  return (
    <Stack gap={6} mb="md">
      {back !== undefined && <Breadcrumbs>{back}</Breadcrumbs>}
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm">
          <Title order={1}>{heading ?? title}</Title>
          {badges}
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
    </Stack>
  )
}
