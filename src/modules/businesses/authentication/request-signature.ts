import { type KeyObject, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { realNowMs } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { AuthenticationRequest } from '#platform/http/admission'
import { isContentDigestOf } from './content-digest.ts'
import { errors } from '../api/errors.ts'

/** How far `created` may be from our clock, both ways. */
export const SIGNATURE_WINDOW_MS = 300_000
const MAX_NONCE_LENGTH = 255

/** What a valid signature says, for the check that its nonce is new. */
export interface VerifiedSignature {
  readonly nonce: string
  readonly createdAtMs: number
}

/**
 * Verifies the request's HTTP message signature (RFC 9421, Ed25519). It must cover "@method", the whole
 * target ("@target-uri", or "@path" with "@query" when there is one) and, when there is a body,
 * "content-digest", which must be that of the body; and carry `created` and `nonce`. `keyid` is the
 * caller's own: the key is the app's. Throws 401.
 * @param publicUrl what callers may have signed as the target instead of the Host header's address
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
  // The router takes what follows `#` for a query, and no component of a signature covers it.
  if (request.target.includes('#')) throw invalid('the target must not hold "#".')
  const digest = headers['content-digest']
  const hasBody = rawBody !== undefined && rawBody.length > 0
  if (hasBody && typeof digest !== 'string') throw invalid('content-digest is missing.')
  if (typeof digest === 'string' && !isContentDigestOf(digest, rawBody ?? Buffer.alloc(0))) {
    throw invalid('content-digest is not the digest of the body.')
  }
  for (const origin of possibleOrigins(request, publicUrl)) {
    const attempt = await verifyAt(origin, request, key)
    if (attempt === undefined) continue
    requireCovered(attempt.covered, request.target, hasBody)
    return attempt.signature
  }
  throw invalid('the signature does not fit the request and the registered key.')
}

/** A program behind us signs what it called; whether that was http or https, only a proxy in between knows. */
function possibleOrigins(request: AuthenticationRequest, publicUrl: string): Set<string> {
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
          return { algs: ['ed25519'], verify: async (base, given) => verify(null, base, key, given) }
        },
        // Only listens: which components are covered, without parameters that would change their meaning.
        componentParser: (name, params) => {
          if (params.size > 0) return null
          // RFC 9421, section 2: each component once.
          if (covered.has(name)) throw invalid(`"${name}" is signed twice.`)
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
      message: 'The time in expires is over, or is no whole number of seconds.',
    })
  }
  return { nonce, createdAtMs }
}

function requireCovered(covered: ReadonlySet<string>, target: string, hasBody: boolean): void {
  if (!covered.has('@method')) throw invalid('"@method" must be signed.')
  const hasQuery = target.includes('?')
  const isTargetCovered =
    covered.has('@target-uri') ||
    covered.has('@request-target') ||
    (covered.has('@path') && (!hasQuery || covered.has('@query')))
  if (!isTargetCovered) throw invalid('"@target-uri" must be signed.')
  if (hasBody && !covered.has('content-digest')) throw invalid('"content-digest" must be signed.')
}

function toHeaders(request: AuthenticationRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers[name] = value
  return headers
}

function invalid(reason: string) {
  return errors.signature_invalid({ message: `The request's signature is not valid: ${reason}` })
}
