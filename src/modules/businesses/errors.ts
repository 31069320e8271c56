import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  api_key_expired: {
    status: 401,
    number: 20,
    type: 'authentication_failed',
    message: 'The API key has expired.',
    recommendedAction: 'Create a new key with `quittance keys create`.',
  },
  signature_required: {
    status: 401,
    number: 21,
    type: 'authentication_failed',
    message: 'The app has registered a signing key, but the request is not signed.',
    recommendedAction:
      'Sign "@method", "@target-uri" and "content-digest" with created and nonce (RFC 9421, Ed25519).',
  },
  signature_invalid: {
    status: 401,
    number: 22,
    type: 'authentication_failed',
    message: 'The request signature is invalid.',
    recommendedAction:
      'Sign "@method", "@target-uri" and "content-digest" with created and nonce (RFC 9421, Ed25519).',
  },
  signature_expired: {
    status: 401,
    number: 23,
    type: 'authentication_failed',
    message: 'The signature parameter "created" differs from the current time by more than five minutes.',
    recommendedAction: 'Sign each request when you send it, and check that your clock is right.',
  },
  signature_replayed: {
    status: 401,
    number: 24,
    type: 'authentication_failed',
    message: 'The nonce of the signature was already used.',
    recommendedAction: 'Sign every request with a new nonce, retries included.',
  },
  scope_not_own: {
    status: 403,
    number: 70,
    type: 'permission_denied',
    message: 'A new API key can have only scopes that its creator has.',
    recommendedAction: 'Leave the scope out, or let someone create the key who has it.',
  },
  api_key_not_found: {
    status: 404,
    number: 7,
    type: 'not_found',
    message: 'No API key of this environment has this id.',
  },
  app_missing: {
    status: 422,
    number: 4,
    type: 'invalid_request',
    message: 'The request does not come from an app, so there is no app whose key it could change.',
    recommendedAction: 'Send the request with an API key of the app instead of a session of the console.',
  },
  expires_in_invalid: {
    status: 422,
    number: 6,
    type: 'invalid_request',
    message: 'expires_in must be an ISO 8601 duration longer than zero.',
  },
  too_many_api_keys: {
    status: 409,
    number: 6,
    type: 'conflict',
    message: 'The app already has 100 active API keys in this environment.',
    recommendedAction: 'Revoke a key that is not needed.',
  },
  signing_key_not_found: {
    status: 404,
    number: 20,
    type: 'not_found',
    message: 'The app has no signing key.',
  },
  encryption_key_not_found: {
    status: 404,
    number: 21,
    type: 'not_found',
    message: 'The app has no encryption key.',
  },
  time_zone_in_use: {
    status: 409,
    number: 98,
    type: 'conflict',
    message: 'The time zone cannot be changed any more, because payments are counted by its days.',
    recommendedAction: 'Choose it before the first payment of the environment.',
  },
  time_zone_unknown: {
    status: 422,
    number: 100,
    type: 'invalid_request',
    message: 'There is no such time zone.',
  },
  business_name_missing: {
    status: 422,
    number: 101,
    type: 'invalid_request',
    message: 'The name must have a character that is not a blank.',
  },
  logo_invalid: {
    status: 422,
    number: 17,
    type: 'invalid_request',
    message: 'The logo is not an image that can be shown.',
    recommendedAction: 'Send a data URL of a PNG, JPEG or WebP of up to 256 kB and 2000 pixels a side.',
  },
  public_key_not_supported: {
    status: 422,
    number: 20,
    type: 'invalid_request',
    message: 'This kind of key is not supported.',
    recommendedAction:
      'For signing: kty OKP, crv Ed25519. For encryption: RSA of 2048 to 8192 bits, EC P-256, P-384 or P-521, or OKP X25519.',
  },
  public_key_invalid: {
    status: 422,
    number: 21,
    type: 'invalid_request',
    message: 'The key is not a valid and safe public key.',
  },
})
