export const AUTH_PATH = '/console/api/auth'
export const OIDC_PROVIDER = 'oidc'
export const ADDRESS_HEADER = 'x-quittance-client-address'
export const SESSION_SECONDS = 7 * 86_400
