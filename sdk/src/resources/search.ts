import { type Client, pick, type Query, type RequestOptions } from '../client.ts'

const SEARCH = '/svc/search/api/v1/openapi/search'

/** Finds objects of all kinds by number, reference, id, name, e-mail address, phone number, amount or last four digits. */
export function searchOf(client: Client) {
  return (query: string, more: Omit<Query<'get', typeof SEARCH>, 'query'> = {}, options?: RequestOptions) =>
    pick(client.send('get', SEARCH, { query: { query, ...more } }, options), 'results')
}
