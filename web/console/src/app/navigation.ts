import { IconHome, IconReceipt, type TablerIcon } from '@tabler/icons-react'
import type { Api } from '#app/api.ts'

/** The text of an entry is `navigation.<name>` of the area `app`. */
interface NavigationEntry {
  readonly name: string
  readonly to: string
  readonly icon: TablerIcon
  /** The key after `g`. */
  readonly shortcut?: string
  /** Without this scope the entry is not shown. */
  readonly scope?: string
  readonly testOnly?: true
}

interface NavigationGroup {
  readonly name: string
  readonly entries: readonly NavigationEntry[]
}

const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: 'daily',
    entries: [
      { name: 'home', to: '/', icon: IconHome, shortcut: 'h' },
      { name: 'orders', to: '/orders', icon: IconReceipt, shortcut: 'o', scope: 'payments:read' },
    ],
  },
]

export function navigationOf(api: Api): readonly NavigationGroup[] {
  return NAVIGATION.map(({ name, entries }) => ({
    name,
    entries: entries.filter(
      ({ scope, testOnly }) =>
        (scope === undefined || api.can(scope)) && (testOnly === undefined || api.environment === 'test'),
    ),
  })).filter(({ entries }) => entries.length > 0)
}
