export const AUTH_PATH = '/console/api/auth'
export const OIDC_PROVIDER = 'oidc'
/** Set by the handler alone. Of what the client sends only a few headers are passed on. */
export const ADDRESS_HEADER = 'x-quittance-client-address'
