import { type KeyObject, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { realNowMs } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { AuthenticationRequest } from '#platform/http/authorization'
import { isContentDigestOf } from './content-digest.ts'
import { errors } from '../errors.ts'

/** How far `created` may differ from our clock, in either direction. */
export const SIGNATURE_WINDOW_MS = 300_000
/** The bound of reference/access#signed-requests. */
const MAX_NONCE_LENGTH = 255

export interface VerifiedSignature {
  readonly nonce: string
  readonly createdAtMs: number
}

/**
 * Verifies an HTTP message signature (RFC 9421, Ed25519) by the rules of reference/access#signed-requests. `keyid` is
 * ignored, because an app has one signing key. Throws 401.
 * @param publicUrl an origin that callers may have signed instead of the Host header's
 */
export async function verifyRequestSignature(
  request: AuthenticationRequest,
  key: KeyObject,
  publicUrl: string,
): Promise<VerifiedSignature> {
  const { headers, rawBody } = request
  if (headers['signature'] === undefined && headers['signature-input'] === undefined) {
    throw errors.signature_required()
  }
  // The router would read what follows `#` as a query, and no signature component covers it.
  if (request.target.includes('#')) throw invalid('the target must not contain "#".')
  const digest = headers['content-digest']
  const hasBody = rawBody !== undefined && rawBody.length > 0
  if (hasBody && typeof digest !== 'string') throw invalid('content-digest is missing.')
  if (typeof digest === 'string' && !isContentDigestOf(digest, rawBody ?? Buffer.alloc(0))) {
    throw invalid('content-digest does not match the body.')
  }
  for (const origin of candidateOrigins(request, publicUrl)) {
    const attempt = await verifyAt(origin, request, key)
    if (attempt === undefined) continue
    requireCovered(attempt.covered, request.target, hasBody)
    return attempt.signature
  }
  throw invalid('it does not match the request and the registered key.')
}

/** Callers sign the URL they used. Only a proxy in front of us knows whether that was http or https. */
function candidateOrigins(request: AuthenticationRequest, publicUrl: string): Set<string> {
  const host = request.headers.host ?? ''
  const origins = new Set([publicUrl])
  if (/^[\w.:[\]-]{1,255}$/.test(host)) origins.add(`http://${host}`).add(`https://${host}`)
  return origins
}

async function verifyAt(
  origin: string,
  request: AuthenticationRequest,
  key: KeyObject,
): Promise<{ signature: VerifiedSignature; covered: ReadonlySet<string> } | undefined> {
  const covered = new Set<string>()
  let signatures = 0
  let signature: VerifiedSignature | undefined
  const isValid = await httpbis
    .verifyMessage(
      {
        keyLookup: async (params) => {
          signatures++
          signature = readParameters(params)
          return { algs: ['ed25519'], verify: async (base, bytes) => verify(null, base, key, bytes) }
        },
        // Records the covered components. Components with parameters do not count, since those change the meaning.
        componentParser: (name, params) => {
          if (params.size > 0) return null
          // RFC 9421, section 2: a component must not occur twice.
          if (covered.has(name)) throw invalid(`"${name}" is covered twice.`)
          covered.add(name)
          return null
        },
        notAfter: Math.floor((realNowMs() + SIGNATURE_WINDOW_MS) / 1_000),
      },
      { method: request.method, url: `${origin}${request.target}`, headers: toHeaders(request) },
    )
    .catch((error: unknown) => {
      if (error instanceof RequestError) throw error
      return false
    })
  if (signatures > 1) throw invalid('send exactly one signature.')
  return isValid === true && signature !== undefined ? { signature, covered } : undefined
}

function readParameters(params: Readonly<Record<string, unknown>>): VerifiedSignature {
  const { created, nonce, expires } = params
  const createdAtMs = created instanceof Object && 'getTime' in created ? Number(created) : Number.NaN
  if (Number.isNaN(createdAtMs)) throw invalid('the parameter created is missing.')
  if (typeof nonce !== 'string' || nonce === '' || nonce.length > MAX_NONCE_LENGTH) {
    throw invalid(`the parameter nonce must be a string of 1 to ${MAX_NONCE_LENGTH} characters.`)
  }
  if (Math.abs(realNowMs() - createdAtMs) > SIGNATURE_WINDOW_MS) throw errors.signature_expired()
  if (expires !== undefined && (typeof expires !== 'number' || expires * 1_000 < realNowMs())) {
    throw errors.signature_expired({
      message: 'The signature parameter expires is in the past or is not a whole number of seconds.',
    })
  }
  return { nonce, createdAtMs }
}

function requireCovered(covered: ReadonlySet<string>, target: string, hasBody: boolean): void {
  if (!covered.has('@method')) throw invalid('it must cover "@method".')
  const hasQuery = target.includes('?')
  const isTargetCovered =
    covered.has('@target-uri') ||
    covered.has('@request-target') ||
    (covered.has('@path') && (!hasQuery || covered.has('@query')))
  if (!isTargetCovered) throw invalid('it must cover "@target-uri".')
  if (hasBody && !covered.has('content-digest')) throw invalid('it must cover "content-digest".')
}

function toHeaders(request: AuthenticationRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers[name] = value
  return headers
}

function invalid(reason: string) {
  return errors.signature_invalid({ message: `The request signature is invalid: ${reason}` })
}
