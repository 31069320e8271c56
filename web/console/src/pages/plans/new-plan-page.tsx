import { Box, Grid, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { formatTime } from '#components/time.tsx'
import { isComplete, NEW_PLAN, type PlanDraft, planOf } from '#pages/plans/plan-draft.ts'
import { PlanForm } from '#pages/plans/plan-form.tsx'
import { PlanPreview } from '#pages/plans/plan-preview.tsx'
import { usePreview } from '#pages/plans/use-preview.ts'

const route = getRouteApi('/shell/plans/new')
const PREVIEWED = 12

/** Shows the orders of a plan while it is described, and creates nothing else. */
export function NewPlanPage() {
  const { t, i18n } = useTranslation('plans')
  const zone = useTimeZone()
  const navigate = useNavigate()
  const { customer = null } = route.useSearch()
  const [draft, setDraft] = useState<PlanDraft>({ ...NEW_PLAN, customer })
  const [isCreating, setCreating] = useState(false)
  const preview = usePreview(
    ['plans', 'preview'],
    isComplete(draft) ? planOf(draft) : null,
    (api, plan, signal) => api.quittance.plans.preview(plan, { count: PREVIEWED }, { signal }),
  )
  const first = preview.data?.[0]
  const date = first === undefined ? '' : formatTime(first.date, i18n.language, zone)
  return (
    <>
      <PageHeader title={t('new.title')} back={<TextLink to="/plans">{t('title')}</TextLink>} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack gap="md">
            <PlanForm draft={draft} onChange={setDraft} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Box
            pos={{ base: 'static', md: 'sticky' }}
            top="calc(var(--app-shell-header-height) + 16px)"
            mah={{ md: 'calc(100dvh - var(--app-shell-header-height) - 32px)' }}
            style={{ overflowY: 'auto' }}
          >
            <Section
              title={t('preview.title')}
              actions={
                <BlockableButton
                  size="xs"
                  blocked={
                    preview.isFresh ? undefined : t(preview.isLoading ? 'preview.loading' : 'preview.none')
                  }
                  onClick={() => setCreating(true)}
                >
                  {t('new.create')}
                </BlockableButton>
              }
            >
              <div aria-live="polite" aria-busy={preview.isLoading}>
                {preview.error !== null && <ErrorState error={preview.error} />}
                {preview.data !== undefined && (
                  <PlanPreview orders={preview.data} isStale={!preview.isFresh} />
                )}
                {preview.data === undefined && preview.error === null && (
                  <Text size="sm" c="dimmed">
                    {t(preview.isLoading ? 'preview.loading' : 'preview.none')}
                  </Text>
                )}
              </div>
            </Section>
          </Box>
        </Grid.Col>
      </Grid>
      <ActionDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        title={t('new.confirm_title')}
        confirmLabel={t('new.create')}
        doneMessage={t('new.done')}
        effect={
          draft.policy === null
            ? t('new.effect', { count: draft.attempts, days: draft.daysBetween, date })
            : t('new.effect_policy', { date })
        }
        run={(quittance) => quittance.plans.create(planOf(draft))}
        onDone={({ id }) => void navigate({ to: '/plans/$id', params: { id } })}
      />
    </>
  )
}
