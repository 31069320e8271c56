import { defineErrors } from '#kernel/errors'

/** Numbers 20 to 24 are this module's. */
export const errors = defineErrors({
  api_key_expired: {
    status: 401,
    number: 20,
    type: 'authentication_failed',
    message: 'The API key has expired.',
    recommendedAction: 'Make a new key with `quittance keys create`.',
  },
  signature_required: {
    status: 401,
    number: 21,
    type: 'authentication_failed',
    message: 'The app has registered a signing key, and the request is not signed.',
    recommendedAction:
      'Sign "@method", "@target-uri" and "content-digest" with created and nonce (RFC 9421, Ed25519).',
  },
  signature_invalid: {
    status: 401,
    number: 22,
    type: 'authentication_failed',
    message: 'The signature of the request is not valid.',
    recommendedAction:
      'Sign "@method", "@target-uri" and "content-digest" with created and nonce (RFC 9421, Ed25519).',
  },
  signature_expired: {
    status: 401,
    number: 23,
    type: 'authentication_failed',
    message: 'The signature was not created within the last five minutes.',
    recommendedAction: 'Sign each request anew, by a clock that is right.',
  },
  signature_replayed: {
    status: 401,
    number: 24,
    type: 'authentication_failed',
    message: 'The nonce of the signature was used before.',
    recommendedAction: 'Sign each request anew with a nonce of its own, a repeated one too.',
  },
  signing_key_not_found: {
    status: 404,
    number: 20,
    type: 'not_found',
    message: 'The app has registered no signing key.',
  },
  encryption_key_not_found: {
    status: 404,
    number: 21,
    type: 'not_found',
    message: 'The app has registered no encryption key.',
  },
  public_key_not_supported: {
    status: 422,
    number: 20,
    type: 'invalid_request',
    message: 'The key is of a kind that is not supported here.',
    recommendedAction:
      'For signing: kty OKP, crv Ed25519. For encryption: RSA of at least 2048 bits, EC P-256, P-384 or P-521, or OKP X25519.',
  },
  public_key_invalid: {
    status: 422,
    number: 21,
    type: 'invalid_request',
    message: 'The key is not a valid public key.',
  },
})
