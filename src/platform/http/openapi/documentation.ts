import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import type { ErrorCatalogue } from '#kernel/errors'
import { JSON_UTF8 } from '#platform/envelope'
import { errorPage, listErrors } from '#platform/http/openapi/error-catalogue'
import { openApiDocument } from '#platform/http/openapi/openapi'
import type { EventSchemas } from '#platform/http/openapi/webhooks'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import type { Route } from '#platform/http/routes/route'

interface DocumentationOptions {
  readonly routes: readonly Route[]
  readonly events: EventSchemas
  readonly catalogues: readonly ErrorCatalogue[]
  readonly publicUrl: () => string
}

/**
 * Serves `/openapi.json`, `/docs` (Scalar's API reference) and `/docs/errors`. Everything comes from this
 * host, without telemetry, and a content security policy enforces that.
 */
export function registerDocumentation(app: FastifyInstance, options: DocumentationOptions): void {
  const errors = errorPage(listErrors(options.catalogues))
  let document: { readonly url: string; readonly text: string } | undefined
  const openApi = (): string => {
    const url = options.publicUrl()
    if (document?.url !== url) {
      document = { url, text: JSON.stringify(openApiDocument({ ...options, publicUrl: url })) }
    }
    return document.text
  }

  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(JSON_UTF8).send(openApi()),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', REFERENCE_POLICY)
      .type('text/html; charset=utf-8')
      .send(REFERENCE_PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(REFERENCE_START),
  )
  app.get('/docs/errors', async (_request, reply) => reply.type('text/html; charset=utf-8').send(errors))

  /** All requests share one copy, because a client may request it and never read it. */
  const referenceScript = cachePromise(prepareScript)
  app.get('/docs/reference.js', async (request, reply) => {
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
    const script = await referenceScript()
    if (request.headers['if-none-match'] === script.etag) return reply.code(304).send()
    reply.header('etag', script.etag)
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      return reply.header('content-encoding', 'gzip').send(script.compressed)
    }
    return reply.send(script.plain)
  })
}

const REFERENCE_POLICY = PAGE_HEADERS['content-security-policy'].replace(
  "img-src 'self' data:",
  "img-src 'self' data: blob:; script-src 'self'; connect-src 'self'; font-src 'self' data:; worker-src 'self' blob:",
)

// Relative addresses, because PUBLIC_URL may have a path.
const REFERENCE_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quittance API</title></head>
<body><div id="reference"></div><script src="docs/reference.js"></script><script src="docs/start.js"></script></body></html>`

const REFERENCE_START = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})})
`

interface ReferenceScript {
  readonly etag: string
  readonly plain: Buffer
  readonly compressed: Buffer
}

function cachePromise<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function prepareScript(): Promise<ReferenceScript> {
  const plain = await readViewer()
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
    plain,
    compressed: await promisify(gzip)(plain),
  }
}

/** Scalar's plugin contains the script. The package that has it as a file brings 29,000 other files. */
async function readViewer(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: 'openapi.json' } })
  const { rawPayload } = await app.inject('/docs/js/scalar.js')
  return rawPayload
}
