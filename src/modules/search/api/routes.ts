import { defineRoute, type Route } from '#platform/http/routes/route'
import type { SearchDependencies } from '../dependencies.ts'
import { find } from '../search.ts'
import { renderHits } from './render.ts'
import { DEFAULT_RESULTS, SearchData, SearchQuery } from './schemas.ts'

export function searchRoutes(deps: SearchDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/svc/search/api/v1/openapi/search',
      scope: 'search:read',
      summary: 'Search everything',
      description:
        'Finds orders, transactions, customers, plans, cards, payment tokens, wallets, disputes and requests, as far as the key may read them. Names of customers and plans and titles of cards are found by any word, also with a typing error.',
      tag: 'Search',
      query: SearchQuery,
      data: SearchData,
      handle: ({ caller, query }) => find(deps, caller, query.query, query.limit ?? DEFAULT_RESULTS),
      render: renderHits,
    }),
  ]
}
