import { defineRoute, type Route } from '#platform/http/routes/route'
import type { SearchService } from '../search.ts'
import { DEFAULT_RESULTS, SearchData, SearchQuery } from './schemas.ts'

export function searchRoutes(search: SearchService): Route[] {
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
      handle: ({ caller, query }) => search.find(caller, query.query, query.limit ?? DEFAULT_RESULTS),
    }),
  ]
}
