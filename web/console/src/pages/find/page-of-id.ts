import { writeFilter } from '#components/list/filter-language.ts'

interface Place {
  readonly to: string
  readonly search: { readonly filter?: string; readonly query?: string }
}

/** The page of an object, by the prefix of its id. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  ord: (id) => `/orders/${id}`,
  txn: (id) => `/transactions/${id}`,
  cus: (id) => `/customers/${id}`,
  pln: (id) => `/plans/${id}`,
  crd: (id) => `/cards/${id}`,
  wal: (id) => `/wallets/${id}`,
  dsp: (id) => `/disputes/${id}`,
  rec: (id) => `/reconciliations/${id}`,
  req: (id) => `/requests/${id}`,
  whe: () => '/settings/webhooks',
  acc: () => '/settings/acquirers',
  key: () => '/settings/api-keys',
  usr: () => '/settings/people',
  inv: () => '/settings/people',
}

/** Where an id is shown. Every other text is searched for. */
export function pageOfId(text: string): Place {
  const id = text.trim()
  const prefix = /^([a-z]+)_[0-9a-z]+$/.exec(id)?.[1]
  // The API has no event by its id alone.
  if (prefix === 'evt') {
    return {
      to: '/deliveries',
      search: { filter: writeFilter([{ field: 'event_id', comparator: '=', values: [id] }]) },
    }
  }
  const page = prefix === undefined ? undefined : PAGES[prefix]
  return page === undefined ? { to: '/search', search: { query: id } } : { to: page(id), search: {} }
}
