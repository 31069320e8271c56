import type { FastifyInstance } from 'fastify'
import { assets } from './pages/assets.ts'
import { registerDocuments } from './documents/document-routes.ts'
import { registerBrand } from './pages/brand/brand-routes.ts'
import { registerErrorPages } from './pages/error-pages.ts'
import { errors } from './errors.ts'
import type { CheckoutDependencies } from './dependencies.ts'
import { registerPaymentPages } from './pages/payment/payment-routes.ts'
import { createFormLimit, limitPages } from './pages/page-limits.ts'
import { registerVerificationPages } from './pages/verification/verification-routes.ts'

export function checkoutPages(deps: CheckoutDependencies): (app: FastifyInstance) => void {
  return (app) => {
    void app.register(async (pages) => {
      registerErrorPages(pages, deps)
      limitPages(pages)
      registerPaymentPages(pages, deps, createFormLimit(pages, deps))
      registerVerificationPages(pages, deps)
      registerDocuments(pages, deps)
      registerMangledLinks(pages)
      registerAssets(pages)
      registerBrand(pages, deps)
    })
  }
}

/** A link with something added to it, such as a slash, gets the same page as a forged one. */
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
