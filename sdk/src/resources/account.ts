import { del, get, list, post, postBody, put, withoutData } from '../methods.ts'

const ACCOUNT = '/svc/account/api/v1/openapi'
const SIGNING_KEY = `${ACCOUNT}/apps/self/signing_key` as const
const ENCRYPTION_KEY = `${ACCOUNT}/apps/self/encryption_key` as const
const API_KEYS = `${ACCOUNT}/api_keys` as const
const BUSINESS = `${ACCOUNT}/business` as const
const BRANDING = `${ACCOUNT}/branding` as const
const CLOCK = '/svc/sandbox/api/v1/openapi/clock'
const DEPOSITS = '/svc/sandbox/api/v1/openapi/deposits'
const FAULTS = '/svc/sandbox/api/v1/openapi/faults'

/** The key that verifies the app's request signatures. Once it is registered, every request must be signed. */
export const signingKey = {
  /** Returns `{key, thumbprint}`. */
  get: get(SIGNING_KEY, () => ({})),
  set: put(SIGNING_KEY, (key) => ({ body: { key } })),
  delete: withoutData(del(SIGNING_KEY, () => ({}))),
}

/** The key that the service encrypts card numbers with. */
export const encryptionKey = {
  /** Returns `{key, thumbprint}`. */
  get: get(ENCRYPTION_KEY, () => ({})),
  set: put(ENCRYPTION_KEY, (key) => ({ body: { key } })),
  delete: withoutData(del(ENCRYPTION_KEY, () => ({}))),
}

/** The API keys of the business in the environment. */
export const apiKeys = {
  /** Returns `{api_key, secret}`. The secret is shown only here. */
  create: post(API_KEYS, (apiKey) => ({ body: { api_key: apiKey } })),
  list: list(API_KEYS, (query?) => ({ query }), 'api_keys'),
  /** The key is refused everywhere once this resolves. */
  revoke: del(`${API_KEYS}/{id}`, (id) => ({ path: { id } }), 'api_key'),
}

/** Its name in both environments; its time zone and currency in this one. */
export const businessSettings = {
  get: get(BUSINESS, () => ({}), 'business'),
  /** Members that are left out stay as they are. */
  set: put(BUSINESS, (business) => ({ body: { business } }), 'business'),
}

/** What payers see of the business on its pages and documents. */
export const businessBranding = {
  get: get(BRANDING, () => ({}), 'branding'),
  /** Members that are left out stay as they are; null removes a value. */
  set: put(BRANDING, (branding) => ({ body: { branding } }), 'branding'),
}

/** The clock of the test environment. */
export const sandbox = {
  getClock: get(CLOCK, () => ({}), 'clock'),
  /** Moves the clock `{by: 'P1M'}` or `{to: '2027-01-31T00:00:00Z'}`. What becomes due on the way happens. */
  advanceClock: postBody(`${CLOCK}/advance`, (body) => ({ body }), 'clock'),
  /** The kinds of work that become due until a time, each with its first due time. */
  listDue: get(`${CLOCK}/due`, (query) => ({ query }), 'due'),
  /** Sends coins to a wallet on the chain of the sandbox, once for each call. */
  sendDeposit: post(DEPOSITS, (deposit) => ({ body: { deposit }, keyless: true }), 'deposit'),
  getFaults: get(FAULTS, () => ({}), 'faults'),
  /** Replaces the faults of the acquirer simulator for this test environment. */
  setFaults: put(FAULTS, (settings) => ({ body: { faults: settings } }), 'faults'),
}
