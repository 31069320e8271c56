import { Skeleton, Stack } from '@mantine/core'

export function PageSkeleton() {
  return (
    <Stack aria-busy="true">
      <Skeleton h={28} w={220} />
      <Skeleton h={36} />
      <Skeleton h={320} />
    </Stack>
  )
}
