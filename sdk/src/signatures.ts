/** An Ed25519 private key as a JWK, which `crypto.subtle.exportKey` gives. */
interface Ed25519Jwk {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly d?: string
}

/** Signs requests as RFC 9421 says, for apps that have registered a signing key. */
export interface SigningKey {
  /** The Ed25519 private key: a JWK, or a `CryptoKey` that can sign. */
  readonly privateKey: CryptoKey | Ed25519Jwk
  /** Your own name of the key. */
  readonly keyId?: string
}

export async function signatureHeaders(
  { privateKey, keyId = 'key' }: SigningKey,
  method: string,
  url: string,
  body: string | undefined,
): Promise<Record<string, string>> {
  const digest = body === undefined ? undefined : `sha-256=:${await sha256(body)}:`
  const components = [
    ['@method', method],
    ['@target-uri', url],
    ...(digest === undefined ? [] : [['content-digest', digest]]),
  ] as const
  const names = components.map(([name]) => `"${name}"`).join(' ')
  const created = Math.floor(Date.now() / 1_000)
  const nonce = crypto.randomUUID()
  const parameters = `(${names});created=${created};nonce="${nonce}";keyid="${keyId}";alg="ed25519"`
  const lines = components.map(([name, value]) => `"${name}": ${value}\n`).join('')
  const base = new TextEncoder().encode(`${lines}"@signature-params": ${parameters}`)
  const signature = await crypto.subtle.sign('Ed25519', await cryptoKey(privateKey), base)
  return {
    ...(digest !== undefined && { 'content-digest': digest }),
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${base64(signature)}:`,
  }
}

async function cryptoKey(key: CryptoKey | Ed25519Jwk): Promise<CryptoKey> {
  return 'kty' in key ? crypto.subtle.importKey('jwk', key, 'Ed25519', false, ['sign']) : (key as CryptoKey)
}

async function sha256(text: string): Promise<string> {
  return base64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
