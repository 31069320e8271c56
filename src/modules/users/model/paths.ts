export const AUTH_PATH = '/console/api/auth'
export const OIDC_PROVIDER = 'oidc'
export const ADDRESS_HEADER = 'x-quittance-client-address'
export const REQUEST_HEADER = 'x-quittance-request-id'
export const TRUSTED_DEVICE_COOKIE = 'trusted_device'
/** The time of reference/users#sessions. */
export const SESSION_SECONDS = 7 * 86_400
