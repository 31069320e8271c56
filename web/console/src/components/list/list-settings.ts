import { useShell } from '#app/shell-context.ts'
import { useStored } from '#app/stored.ts'
import type { View } from '#components/list/list-types.ts'

export interface ListSettings {
  readonly views: readonly View[]
  readonly columns: readonly string[] | undefined
}

const NONE: ListSettings = { views: [], columns: undefined }

function isListSettings(value: unknown): value is ListSettings {
  return typeof value === 'object' && value !== null && 'views' in value && Array.isArray(value.views)
}

/** The saved views and chosen columns of a list, kept in this browser for each user. */
export function useListSettings(list: string): [ListSettings, (settings: ListSettings) => void] {
  const { session } = useShell()
  const [settings, write] = useStored(`list.${session.user.id}.${list}`, isListSettings)
  return [settings ?? NONE, write]
}
