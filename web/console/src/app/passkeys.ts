import { callSession } from '#app/session-api.ts'

export interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt?: string | null
}

/** Whether this browser can read the options of the service (all that came out since 2025). */
export const HAS_PASSKEYS =
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Throws DOMException `NotAllowedError` when the user cancels. */
export async function signInWithPasskey(): Promise<void> {
  const options = await callSession<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/auth/passkey/generate-authenticate-options',
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  await callSession('POST', '/auth/passkey/verify-authentication', {
    response: (credential as PublicKeyCredential).toJSON() as unknown,
  })
}

export async function addPasskey(name: string): Promise<void> {
  const options = await callSession<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/auth/passkey/generate-register-options',
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  await callSession('POST', '/auth/passkey/verify-registration', {
    response: (credential as PublicKeyCredential).toJSON() as unknown,
    name,
  })
}

/** The user closed the dialog of the browser. */
export function isCanceled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}
