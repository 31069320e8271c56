import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '#components/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { type BulkTarget, targetOfAction } from '#components/bulk/bulk-action.ts'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import type { Attention } from '#pages/home/report-types.ts'

const REFRESH_MS = 60_000

const BulkDialog = lazy(() =>
  import('#components/bulk/bulk-dialog.tsx').then(({ BulkDialog: component }) => ({ default: component })),
)

/** Where an item of a kind is shown. No page shows jobs, and bulk actions open in a dialog. */
const PATHS: Readonly<Record<Attention['kind'], ((id: string) => string) | null>> = {
  unknown_outcome: (id) => (id.startsWith('txn_') ? `/transactions/${id}` : `/orders/${id}`),
  dispute_due: (id) => `/disputes/${id}`,
  late_failure: (id) => `/transactions/${id}`,
  uncollectible_plan: (id) => `/plans/${id}`,
  missing_credit: (id) => `/orders/${id}`,
  no_rate: (id) => `/orders/${id}`,
  exchange_rate_missing: (id) => `/invoices/${id}`,
  late_job: null,
  failing_webhook: () => '/settings/webhooks',
  stopped_bulk_action: null,
  ambiguous_return: (id) => `/bank-entries/${id}`,
  invoice_overdue: (id) => `/invoices/${id}`,
  transfer_unmatched: (id) => `/bank-entries/${id}`,
  transfer_returned: (id) => `/bank-entries/${id}`,
  order_overpaid: (id) => `/orders/${id}`,
  message_undelivered: null,
}

interface StoppedAction {
  readonly id: string
  readonly action: string
  readonly of: BulkTarget
}

interface StoppedBulkActionProps {
  readonly id: string
  readonly action: string
  readonly onOpen: (stopped: StoppedAction) => void
}

/** What needs a person, most pressing first. */
export function AttentionList() {
  const { t, i18n } = useTranslation('home')
  const isEnglish = i18n.language.startsWith('en')
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: api.key('reports', 'attention'),
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => api.quittance.reports.attention({ signal }),
  })
  // Held here, because the item leaves the list once somebody took its action over.
  const [openAction, setOpenAction] = useState<StoppedAction>()
  if (error !== null) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return null
  const waiting = data.filter(({ count }) => count > 0)
  return (
    <Section title={t('attention.title')}>
      {waiting.length === 0 ? (
        <Group gap="xs">
          <IconCircleCheck size={18} color="var(--mantine-color-green-7)" aria-hidden />
          <Text size="sm">{t('attention.nothing')}</Text>
        </Group>
      ) : (
        <Stack gap="sm">
          {waiting.map(({ kind, count, items }) => (
            <div key={kind}>
              <Group gap="xs">
                <StateBadge state={kind} label={String(count)} tone="wait" />
                <Text size="sm" fw={600}>
                  {t(`attention.${kind}`)}
                </Text>
              </Group>
              <Stack gap={2} mt={4} pl={4}>
                {items.map(({ id, title, subject, at }) => (
                  <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
                    {kind === 'stopped_bulk_action' ? (
                      <StoppedBulkAction id={id} action={subject} onOpen={setOpenAction} />
                    ) : (
                      <ItemTitle path={PATHS[kind]?.(id)} title={isEnglish ? title : subject} />
                    )}
                    <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
                      <Time at={at} />
                    </Text>
                  </Group>
                ))}
              </Stack>
            </div>
          ))}
        </Stack>
      )}
      {openAction !== undefined && (
        <Suspense fallback={null}>
          <BulkDialog
            of={openAction.of}
            selection={{ action: openAction.action, ids: [], filter: '' }}
            startedId={openAction.id}
            onClose={() => setOpenAction(undefined)}
          />
        </Suspense>
      )}
    </Section>
  )
}

function ItemTitle({ path, title }: { readonly path: string | undefined; readonly title: string }) {
  if (path === undefined) {
    return (
      <Text size="sm" truncate>
        {title}
      </Text>
    )
  }
  return (
    <TextLink to={path} size="sm" truncate>
      {title}
    </TextLink>
  )
}

function StoppedBulkAction({ id, action, onOpen }: StoppedBulkActionProps) {
  const { t } = useTranslation('bulk')
  const of = targetOfAction(action)
  if (of === undefined) return null
  return (
    <Anchor component="button" size="sm" truncate onClick={() => onOpen({ id, action, of })}>
      {t(`${action}.title`)}
    </Anchor>
  )
}
