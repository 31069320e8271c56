import type { FastifyInstance } from 'fastify'
import { assets } from './pages/assets.ts'
import { registerDocuments } from './documents/document-routes.ts'
import { registerErrorPages } from './pages/error-pages.ts'
import { errors } from './errors.ts'
import type { CheckoutDependencies } from './dependencies.ts'
import { registerPayments } from './pages/payment-routes.ts'
import { registerVerifications } from './pages/verification-routes.ts'

/** The pages behind our links, for the server's `plainRoutes`. */
export function checkoutPages(deps: CheckoutDependencies): (app: FastifyInstance) => void {
  return (app) => {
    // Encapsulated, so that its hooks run for these pages alone.
    void app.register(async (pages) => {
      registerErrorPages(pages, deps)
      registerPayments(pages, deps)
      registerVerifications(pages, deps)
      registerDocuments(pages, deps)
      registerMangledLinks(pages)
      registerAssets(pages)
    })
  }
}

/** Whoever follows a link that something was added to, such as a slash, reads a page, as behind a forged one. */
function registerMangledLinks(pages: FastifyInstance): void {
  for (const path of ['/pay/*', '/verify/*', '/documents/*']) {
    pages.get(path, () => {
      throw errors.page_not_found()
    })
  }
}

function registerAssets(pages: FastifyInstance): void {
  for (const asset of Object.values(assets)) {
    pages.get(asset.path, async (request, reply) => {
      reply
        .type(asset.type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(asset.content)
      return reply.header('content-encoding', 'gzip').send(asset.compressed)
    })
  }
}
