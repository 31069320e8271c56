import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CheckoutDependencies } from '../../dependencies.ts'
import { errors } from '../../errors.ts'
import { themeOf } from './theme.ts'

const FOREVER = 'public, max-age=31536000, immutable'

export function registerBrand(pages: FastifyInstance, deps: CheckoutDependencies): void {
  pages.get<{ Params: { file: string } }>('/checkout/colors/:file', async ({ params }, reply) => {
    const [, color] = /^([0-9a-f]{6})\.css$/.exec(params.file) ?? []
    if (color === undefined) throw errors.page_not_found()
    return send(reply, 'text/css; charset=utf-8', themeOf(`#${color}`))
  })
  pages.get<{ Params: { businessId: string; file: string } }>(
    '/checkout/logos/:businessId/:file',
    async ({ params: { businessId, file } }, reply) => {
      const [, hash] = /^([0-9a-f]{64})\.(?:png|jpg|webp)$/.exec(file) ?? []
      if (hash === undefined || !/^biz_[0-9a-z]{26}$/.test(businessId)) throw errors.page_not_found()
      if ((await deps.businesses.branding(businessId)).logo?.hash !== hash) throw errors.page_not_found()
      const logo = await deps.businesses.logo(businessId)
      if (logo?.hash !== hash) throw errors.page_not_found()
      // Whatever the bytes are, a browser that opens them alone runs nothing.
      reply.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
      return send(reply, logo.type, logo.content)
    },
  )
}

function send(reply: FastifyReply, type: string, content: string | Buffer): FastifyReply {
  return reply.type(type).header('cache-control', FOREVER).send(content)
}
