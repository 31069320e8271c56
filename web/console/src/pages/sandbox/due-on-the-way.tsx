import { Table, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

const SHOWN_PLANS = 10

/** What becomes due until a time: each kind of work with its first due time, and the next plans by name. */
export function DueOnTheWay({ to }: { readonly to: string }) {
  const { t } = useTranslation('sandbox')
  const due = useApiQuery(
    ['clock', 'due', to],
    ({ quittance }, signal) => quittance.sandbox.listDue({ to }, { signal }),
    {
      placeholderData: keepPreviousData,
    },
  )
  const plans = useApiQuery(
    ['clock', 'plans', to],
    async (api, signal) => {
      if (!api.can('recurring:read')) return []
      const filter = `next_execute_time <= "${to}"`
      return (await api.quittance.plans.list({ filter, limit: SHOWN_PLANS }, { signal })).data
    },
    { placeholderData: keepPreviousData },
  )
  if (due.error !== null && due.data === undefined)
    return <ErrorState error={due.error} retry={due.refetch} />
  const works = due.data ?? []
  return (
    <div aria-live="polite">
      <Text size="sm" fw={600} mb={6}>
        {t('due.title')}
      </Text>
      {due.data !== undefined && works.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('due.nothing')}
        </Text>
      )}
      {works.length > 0 && (
        <Table verticalSpacing={4} withRowBorders={false}>
          <Table.Tbody>
            {works.map(({ work, next_at }) => (
              <Table.Tr key={work}>
                <Table.Td>{t(`due.work.${work}`, { defaultValue: work.replaceAll('_', ' ') })}</Table.Td>
                <Table.Td ta="right">
                  {t('due.first')} <Time at={next_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {plans.data !== undefined && plans.data.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="sm" mb={6}>
            {t('due.plans', { count: plans.data.length })}
          </Text>
          <Table verticalSpacing={4} withRowBorders={false}>
            <Table.Tbody>
              {plans.data.map(({ id, name, state, next_execute_time }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <TextLink to="/plans/$id" params={{ id }} fz="sm">
                      {name}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>
                    <StateBadge state={state} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Time at={next_execute_time} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </div>
  )
}
