import { Button, Grid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { isComplete, NEW_PLAN, type PlanDraft, planOf } from '#pages/plans/plan-draft.ts'
import { PlanForm } from '#pages/plans/plan-form.tsx'
import { PlanPreview, type PreviewedOrder } from '#pages/plans/plan-preview.tsx'

const route = getRouteApi('/shell/plans/new')
const PREVIEWED = 12

/** A plan is shown as the orders that it will make before it is made. */
export function NewPlanPage() {
  const { t } = useTranslation('plans')
  const { quittance } = useApi()
  const navigate = useNavigate()
  const { customer = null } = route.useSearch()
  const [draft, setDraft] = useState<PlanDraft>({ ...NEW_PLAN, customer })
  const [previewed, setPreviewed] = useState<PlanDraft>()
  const [isCreating, setCreating] = useState(false)
  const preview = useMutation({
    mutationFn: async (wanted: PlanDraft): Promise<PreviewedOrder[]> => {
      const plan = planOf(wanted)
      return quittance.plans.preview(plan, { count: PREVIEWED })
    },
    onSuccess: (_, wanted) => setPreviewed(wanted),
  })
  const isFresh = previewed === draft && preview.data !== undefined
  const first = preview.data?.[0]
  return (
    <>
      <PageHeader title={t('new.title')} back={<TextLink to="/plans">{t('title')}</TextLink>} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t('new.terms')}>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                preview.mutate(draft)
              }}
            >
              <Stack gap="sm">
                <PlanForm draft={draft} onChange={setDraft} />
                <Button
                  type="submit"
                  variant="default"
                  loading={preview.isPending}
                  disabled={!isComplete(draft)}
                >
                  {t('new.preview')}
                </Button>
              </Stack>
            </form>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section
            title={t('preview.title')}
            actions={
              <Button size="xs" disabled={!isFresh} onClick={() => setCreating(true)}>
                {t('new.create')}
              </Button>
            }
          >
            <div aria-live="polite">
              {preview.error !== null && <ErrorState error={preview.error} />}
              {preview.data === undefined ? (
                <Text size="sm" c="dimmed">
                  {t('preview.none')}
                </Text>
              ) : (
                <PlanPreview orders={preview.data} isStale={!isFresh} />
              )}
            </div>
          </Section>
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
            ? t('new.effect', { count: draft.attempts, days: draft.daysBetween, date: first?.date ?? '' })
            : t('new.effect_policy', { date: first?.date ?? '' })
        }
        run={({ idempotencyKey }) => quittance.plans.create(planOf(draft), { idempotencyKey })}
        onDone={({ id }) => void navigate({ to: '/plans/$id', params: { id } })}
      />
    </>
  )
}
