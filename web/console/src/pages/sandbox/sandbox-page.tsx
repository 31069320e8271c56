import { Grid, Stack } from '@mantine/core'
import { IconFlask } from '#components/icons.tsx'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Clock } from '#pages/sandbox/clock.tsx'
import { Faults } from '#pages/sandbox/faults.tsx'
import { TestCards } from '#pages/sandbox/test-cards.tsx'
import { Triggers } from '#pages/sandbox/triggers.tsx'

export function SandboxPage() {
  const { t } = useTranslation('sandbox')
  const { environment } = useApi()
  return (
    <>
      <PageHeader title={t('title')} />
      {environment === 'live' ? (
        <EmptyState icon={IconFlask} title={t('live.title')} text={t('live.text')} />
      ) : (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack gap="md">
              <Clock />
              <Triggers />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack gap="md">
              <TestCards />
              <Faults />
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </>
  )
}
