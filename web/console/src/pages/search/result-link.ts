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
  request: 'requests',
}

/** The page of a result. A payment token is shown with its customer. */
export function resultLink({ type, id, parent_id }: SearchResult): string {
  const shown = type === 'payment_token' ? (parent_id ?? id) : id
  return `/${PAGES[type]}/${encodeURIComponent(shown)}`
}
