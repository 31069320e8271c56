import {
  IconBuildingBank,
  IconHome,
  IconKey,
  IconPalette,
  IconReceipt,
  IconRoute,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
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
  {
    name: 'settings',
    entries: [
      { name: 'people', to: '/settings/people', icon: IconUsers, shortcut: 'm', scope: 'users:read' },
      { name: 'api_keys', to: '/settings/api-keys', icon: IconKey, shortcut: 'k', scope: 'keys:read' },
      {
        name: 'webhooks',
        to: '/settings/webhooks',
        icon: IconWebhook,
        shortcut: 'w',
        scope: 'webhooks:read',
      },
      {
        name: 'acquirers',
        to: '/settings/acquirers',
        icon: IconBuildingBank,
        shortcut: 'a',
        scope: 'admin:read',
      },
      { name: 'routing', to: '/settings/routing', icon: IconRoute, scope: 'admin:read' },
      { name: 'branding', to: '/settings/branding', icon: IconPalette, scope: 'admin:read' },
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
