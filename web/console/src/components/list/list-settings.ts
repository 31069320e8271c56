import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { useShell } from '#app/shell-context.ts'
import { useStored } from '#app/stored.ts'
import type { View } from '#components/list/list-types.ts'

export interface ListSettings {
  readonly views: readonly View[]
  readonly columns: readonly string[] | undefined
}

type AllSettings = Readonly<Record<string, ListSettings>>

const NONE: ListSettings = { views: [], columns: undefined }

const settingsQuery = queryOptions({
  queryKey: ['list_settings'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<AllSettings> => {
    const reply = await callSession<{ list_settings: AllSettings }>(
      'GET',
      '/list_settings',
      undefined,
      signal,
    )
    return reply.list_settings
  },
})

function isListSettings(value: unknown): value is ListSettings {
  return typeof value === 'object' && value !== null && 'views' in value && Array.isArray(value.views)
}

/** The saved views and chosen columns of a list, kept for the user. What this browser knows is shown until they are read. */
export function useListSettings(list: string): [ListSettings, (settings: ListSettings) => void] {
  const { t } = useTranslation('components')
  const { session } = useShell()
  const queryClient = useQueryClient()
  const [stored, store] = useStored(`list.${session.user.id}.${list}`, isListSettings)
  const { data } = useQuery(settingsQuery)
  const { mutate } = useMutation({
    mutationFn: (settings: ListSettings) => callSession('PUT', `/list_settings/${list}`, settings),
    onError: () => notifications.show({ color: 'orange', message: t('view.not_kept') }),
  })
  const write = (settings: ListSettings) => {
    store(settings)
    queryClient.setQueryData(settingsQuery.queryKey, (known) => ({ ...known, [list]: settings }))
    mutate(settings)
  }
  return [data?.[list] ?? stored ?? NONE, write]
}
