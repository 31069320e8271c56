/** Which section is about a page of the console, by the beginning of its path. The longest beginning counts. */
export const CONSOLE_PLACES: Readonly<Record<string, string>> = {
  '/': 'console#numbers',
  '/account': 'console#your-account',
  '/audit': 'reference/logs#audit-entries',
  '/bank-entries': 'reference/billing-transfers#matching',
  '/bank-statements': 'reference/billing-transfers#statements',
  '/cards': 'reference/cards#issuing',
  '/coupons': 'reference/billing-coupons#coupons',
  '/customers': 'reference/customers#profiles',
  '/deliveries': 'reference/events#deliveries',
  '/disputes': 'reference/disputes#where-disputes-come-from',
  '/dunning-policies': 'reference/billing-dunning#policies',
  '/events': 'reference/events#types',
  '/find': 'reference/search#what-is-found',
  '/invoices': 'reference/billing-invoices#issue',
  '/messages': 'reference/messages#states',
  '/orders': 'reference/orders#states',
  '/plans': 'reference/recurring#plans',
  '/plans/new': 'reference/recurring#billing-configs',
  '/products': 'reference/billing-catalogue#products',
  '/reconciliations': 'reference/reconciliation#results',
  '/reports': 'reference/reports#totals',
  '/reports/invoice-rows': 'reference/billing-reports#rows',
  '/reports/invoices': 'reference/billing-reports#taxes',
  '/requests': 'reference/logs#requests',
  '/sandbox': 'reference/sandbox#clock',
  '/search': 'reference/search#what-is-found',
  '/settings/acquirers': 'reference/acquirers#accounts',
  '/settings/api-keys': 'reference/access#scopes',
  '/settings/billing': 'reference/billing-tax#settings',
  '/settings/business': 'reference/access#business',
  '/settings/branding': 'reference/pages#branding',
  '/settings/exchange-rates': 'reference/billing-tax#exchange-rates',
  '/settings/legal-entities': 'reference/billing-tax#legal-entities',
  '/settings/messages': 'reference/messages#settings',
  '/settings/operators-log': 'reference/logs#chain',
  '/settings/people': 'reference/users#roles',
  '/settings/portal': 'reference/portal#settings',
  '/settings/routing': 'reference/acquirers#routing',
  '/settings/tax-rates': 'reference/billing-tax#rates',
  '/settings/webhooks': 'reference/events#endpoints',
  '/suppressions': 'reference/messages#bounces',
  '/transactions': 'reference/payments#states',
  '/wallets': 'reference/wallets#deposits',
}

const FALLBACK = 'console'

export function sectionFor(consolePath: string): string {
  const parts = consolePath.split('/').filter((part) => part !== '')
  for (let length = parts.length; length > 0; length--) {
    const section = CONSOLE_PLACES[`/${parts.slice(0, length).join('/')}`]
    if (section !== undefined) return section
  }
  return parts.length === 0 ? (CONSOLE_PLACES['/'] ?? FALLBACK) : FALLBACK
}
