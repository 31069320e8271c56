import type { Schemas } from 'quittance'

export type SearchResult = Schemas['SearchResult']

const PAGES: Readonly<Record<SearchResult['type'], string>> = {
  order: 'orders',
  transaction: 'transactions',
  customer: 'customers',
  plan: 'plans',
  card: 'cards',
  payment_token: 'customers',
  wallet: 'wallets',
  dispute: 'disputes',
  invoice: 'invoices',
  request: 'requests',
}

/** The page of a result. A payment token is shown with its customer. */
export function resultLink({ type, id, parent_id }: SearchResult): string {
  const shown = type === 'payment_token' ? (parent_id ?? id) : id
  return `/${PAGES[type]}/${encodeURIComponent(shown)}`
}

const ID = /^[a-z]{3}_[0-9a-z]{26}$/

/** What stands under the title: whose it is, its reference, and more. The id of another object means nothing to a person. */
export function subtitleOf({ title, subtitle, reference, customer }: SearchResult): string {
  const more = subtitle === null || ID.test(subtitle) ? null : subtitle
  const ownReference = reference === title || more?.includes(reference ?? '') === true ? null : reference
  return [customer?.name, ownReference, more].filter((part) => part != null && part !== '').join(' · ')
}
