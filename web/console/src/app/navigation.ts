import {
  IconArrowsExchange,
  IconBolt,
  IconBuildingBank,
  IconBuildingStore,
  IconCalendarRepeat,
  IconCreditCard,
  IconFileInvoice,
  IconFlask,
  IconGavel,
  IconHistory,
  IconHome,
  IconKey,
  IconListSearch,
  IconPackage,
  IconPalette,
  IconReceipt,
  IconReceiptTax,
  IconRepeat,
  IconReportMoney,
  IconRoute,
  IconScale,
  IconSend,
  IconSettings,
  IconTicket,
  IconTransferIn,
  IconUser,
  IconUsers,
  IconWallet,
  IconWebhook,
  type Icon,
} from '#components/icons.tsx'
import type { Api } from '#app/api.ts'

/** The text of an entry is `navigation.<name>` of the area `app`. */
export interface NavigationEntry {
  readonly name: string
  readonly to: string
  readonly icon: Icon
  /** The key after `g`. */
  readonly shortcut?: string
  /** Without this scope the entry is not shown. */
  readonly scope?: string
  readonly testOnly?: true
  readonly operatorsOnly?: true
}

export interface NavigationGroup {
  readonly name: string
  /** Everyday pages stand above all headings. The others are opened and closed. */
  readonly isFolded: boolean | null
  readonly entries: readonly NavigationEntry[]
}

const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: 'daily',
    isFolded: null,
    entries: [
      { name: 'home', to: '/', icon: IconHome, shortcut: 'h' },
      { name: 'customers', to: '/customers', icon: IconUser, shortcut: 'c', scope: 'customers:read' },
    ],
  },
  {
    name: 'payments',
    isFolded: false,
    entries: [
      { name: 'orders', to: '/orders', icon: IconReceipt, shortcut: 'o', scope: 'payments:read' },
      {
        name: 'transactions',
        to: '/transactions',
        icon: IconArrowsExchange,
        shortcut: 't',
        scope: 'payments:read',
      },
      { name: 'disputes', to: '/disputes', icon: IconGavel, shortcut: 'd', scope: 'payments:read' },
    ],
  },
  {
    name: 'billing',
    isFolded: false,
    entries: [
      { name: 'plans', to: '/plans', icon: IconRepeat, shortcut: 'p', scope: 'recurring:read' },
      { name: 'invoices', to: '/invoices', icon: IconFileInvoice, shortcut: 'j', scope: 'billing:read' },
      { name: 'products', to: '/products', icon: IconPackage, shortcut: 'n', scope: 'recurring:read' },
      { name: 'coupons', to: '/coupons', icon: IconTicket, shortcut: 'v', scope: 'recurring:read' },
      { name: 'dunning', to: '/dunning-policies', icon: IconCalendarRepeat, scope: 'recurring:read' },
      { name: 'messages', to: '/messages', icon: IconSend, scope: 'billing:read' },
    ],
  },
  {
    name: 'finance',
    isFolded: false,
    entries: [
      { name: 'reports', to: '/reports', icon: IconReportMoney, shortcut: 'f', scope: 'reports:read' },
      {
        name: 'bank_entries',
        to: '/bank-entries',
        icon: IconTransferIn,
        shortcut: 'x',
        scope: 'billing:read',
      },
      {
        name: 'reconciliations',
        to: '/reconciliations',
        icon: IconScale,
        shortcut: 'r',
        scope: 'payments:read',
      },
    ],
  },
  {
    name: 'cards_wallets',
    isFolded: true,
    entries: [
      { name: 'cards', to: '/cards', icon: IconCreditCard, shortcut: 'i', scope: 'cards:read' },
      { name: 'wallets', to: '/wallets', icon: IconWallet, shortcut: 'b', scope: 'wallets:read' },
    ],
  },
  {
    name: 'developers',
    isFolded: true,
    entries: [
      { name: 'events', to: '/events', icon: IconBolt, shortcut: 'e', scope: 'webhooks:read' },
      { name: 'deliveries', to: '/deliveries', icon: IconSend, shortcut: 'y', scope: 'webhooks:read' },
      { name: 'requests', to: '/requests', icon: IconListSearch, shortcut: 'l', scope: 'logs:read' },
      { name: 'api_keys', to: '/settings/api-keys', icon: IconKey, shortcut: 'k', scope: 'keys:read' },
      {
        name: 'webhooks',
        to: '/settings/webhooks',
        icon: IconWebhook,
        shortcut: 'w',
        scope: 'webhooks:read',
      },
      {
        name: 'sandbox',
        to: '/sandbox',
        icon: IconFlask,
        shortcut: 's',
        scope: 'admin:read',
        testOnly: true,
      },
    ],
  },
  {
    name: 'settings',
    isFolded: true,
    entries: [
      { name: 'people', to: '/settings/people', icon: IconUsers, shortcut: 'm', scope: 'users:read' },
      { name: 'audit', to: '/audit', icon: IconHistory, shortcut: 'u', scope: 'logs:read' },
      {
        name: 'acquirers',
        to: '/settings/acquirers',
        icon: IconBuildingBank,
        shortcut: 'a',
        scope: 'admin:read',
      },
      { name: 'routing', to: '/settings/routing', icon: IconRoute, scope: 'admin:read' },
      {
        name: 'legal_entities',
        to: '/settings/legal-entities',
        icon: IconBuildingStore,
        scope: 'billing:read',
      },
      { name: 'billing', to: '/settings/billing', icon: IconSettings, scope: 'billing:read' },
      { name: 'portal', to: '/settings/portal', icon: IconUser, scope: 'billing:read' },
      { name: 'tax_rates', to: '/settings/tax-rates', icon: IconReceiptTax, scope: 'billing:read' },
      { name: 'business', to: '/settings/business', icon: IconBuildingStore, scope: 'admin:read' },
      { name: 'branding', to: '/settings/branding', icon: IconPalette, scope: 'admin:read' },
      { name: 'operators', to: '/settings/operators-log', icon: IconHistory, operatorsOnly: true },
    ],
  },
]

export function navigationOf(api: Api, isOperator: boolean): readonly NavigationGroup[] {
  return NAVIGATION.map(({ entries, ...group }) => ({
    ...group,
    entries: entries.filter(
      ({ scope, testOnly, operatorsOnly }) =>
        (scope === undefined || api.can(scope)) &&
        (testOnly === undefined || api.environment === 'test') &&
        (operatorsOnly === undefined || isOperator),
    ),
  })).filter(({ entries }) => entries.length > 0)
}
