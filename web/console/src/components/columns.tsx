import { Grid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Parts } from '#components/parts.tsx'
import classes from './columns.module.css'

interface ColumnsProps {
  readonly main: ReactNode
  readonly side: ReactNode
}

/** What happened on the left, what the object is on the right; one below the other on a phone. */
export function Columns({ main, side }: ColumnsProps) {
  return (
    <Parts>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }} className={classes.main}>
          <Stack gap="md" className={classes.column}>
            {main}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }} className={classes.side}>
          <Stack gap="md" className={classes.column}>
            {side}
          </Stack>
        </Grid.Col>
      </Grid>
    </Parts>
  )
}
