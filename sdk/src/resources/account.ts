import { type Body, type Client, pick, type Query, type RequestOptions, withResponse } from '../client.ts'
import { listOf } from '../list.ts'

const APP = '/svc/account/api/v1/openapi/apps/self'

/** The key that verifies the app's request signatures. Once it is registered, every request must be signed. */
export function signingKeyOf(client: Client) {
  const path = `${APP}/signing_key` as const
  return {
    /** Returns `{key, thumbprint}`. */
    get: (options?: RequestOptions) => client.send('get', path, {}, options),
    set: (key: Body<'put', typeof path>['key'], options?: RequestOptions) =>
      client.send('put', path, { body: { key } }, options),
    delete: async (options?: RequestOptions): Promise<void> => {
      await client.send('delete', path, {}, options)
    },
  }
}

/** The key that the service encrypts card numbers with. */
export function encryptionKeyOf(client: Client) {
  const path = `${APP}/encryption_key` as const
  return {
    /** Returns `{key, thumbprint}`. */
    get: (options?: RequestOptions) => client.send('get', path, {}, options),
    set: (key: Body<'put', typeof path>['key'], options?: RequestOptions) =>
      client.send('put', path, { body: { key } }, options),
    delete: async (options?: RequestOptions): Promise<void> => {
      await client.send('delete', path, {}, options)
    },
  }
}

const API_KEYS = '/svc/account/api/v1/openapi/api_keys'

/** The API keys of the business in the environment. */
export function apiKeysOf(client: Client) {
  return {
    /** Returns `{api_key, secret}`. The secret is shown only here. */
    create: (apiKey: Body<'post', typeof API_KEYS>['api_key'], options?: RequestOptions) =>
      client.send('post', API_KEYS, { body: { api_key: apiKey } }, options),
    list: (query?: Query<'get', typeof API_KEYS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', API_KEYS, { query: page }, options),
        ({ api_keys }) => api_keys,
      ),
    /** The key is refused everywhere once this resolves. */
    revoke: (id: string, options?: RequestOptions) =>
      pick(client.send('delete', `${API_KEYS}/{id}`, { path: { id } }, options), 'api_key'),
  }
}

/** The clock of the test environment. */
export function sandboxOf(client: Client) {
  const clock = '/svc/sandbox/api/v1/openapi/clock'
  const faults = '/svc/sandbox/api/v1/openapi/faults'
  return {
    getClock: (options?: RequestOptions) => pick(client.send('get', clock, {}, options), 'clock'),
    /** Moves the clock `{by: 'P1M'}` or `{to: '2027-01-31T00:00:00Z'}`. What becomes due on the way happens. */
    advanceClock: (body: Body<'post', `${typeof clock}/advance`>, options?: RequestOptions) =>
      pick(client.send('post', `${clock}/advance`, { body }, options), 'clock'),
    /** The kinds of work that become due until a time, each with its first due time. */
    listDue: async (query: Query<'get', `${typeof clock}/due`>, options?: RequestOptions) => {
      const data = await client.send('get', `${clock}/due`, { query }, options)
      return withResponse(data.due, data.lastResponse)
    },
    getFaults: (options?: RequestOptions) => pick(client.send('get', faults, {}, options), 'faults'),
    /** Replaces the faults of the acquirer simulator for this test environment. */
    setFaults: (settings: Body<'put', typeof faults>['faults'], options?: RequestOptions) =>
      pick(client.send('put', faults, { body: { faults: settings } }, options), 'faults'),
  }
}
