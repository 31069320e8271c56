import { Grid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Parts } from '#components/parts.tsx'

interface ColumnsProps {
  readonly main: ReactNode
  readonly side: ReactNode
}

/** What happened on the left, what the object is on the right; one below the other on a phone. */
export function Columns({ main, side }: ColumnsProps) {
  return (
    <Parts>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">{main}</Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">{side}</Stack>
        </Grid.Col>
      </Grid>
    </Parts>
  )
}
