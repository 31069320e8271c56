import type { Query } from '../client.ts'
import { send } from '../methods.ts'

const SEARCH = '/svc/search/api/v1/openapi/search'

/** Finds objects of all kinds by number, reference, id, name, e-mail address, phone number, amount or last four digits. */
export const search = send(
  'get',
  SEARCH,
  (query: string, more?: Omit<Query<'get', typeof SEARCH>, 'query'>) => ({ query: { query, ...more } }),
  'results',
)
