import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { platformErrors } from '#platform/errors'
import { html, type Html } from '#platform/http/html'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import { sectionFor } from './console-places.ts'
import type { GuideDependencies } from './dependencies.ts'
import { type GuidePage, type Library, readImage, readLibrary } from './library.ts'
import { MAX_QUERY_LENGTH, readStyle, renderLayout } from './pages/layout.ts'
import { renderSearch } from './pages/search-page.ts'
import type { SearchIndex } from './search/search-index.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const FIRST_PAGE = 'first-day'
/** Of pages that are kept as HTML, some 40 kB each. */
const MAX_RENDERED = 64
const FEW_MINUTES = 'public, max-age=300'
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const IMAGE_TYPES: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml' }

export function guidePages({ publicUrl }: GuideDependencies): (app: FastifyInstance) => void {
  const base = () => `${new URL(publicUrl()).pathname.replace(/\/$/, '')}/guide`
  let library: Library | undefined
  let index: Promise<SearchIndex> | undefined
  const read = () => (library ??= readLibrary())
  const style = readStyle()
  const rendered = new LRUCache<string, Html>({ max: MAX_RENDERED })
  const render = async (page: GuidePage): Promise<Html> => {
    const known = rendered.get(page.path)
    if (known !== undefined) return known
    const { renderMarkdown } = await import('./pages/render-markdown.ts')
    const body = renderMarkdown(page, read(), base())
    rendered.set(page.path, body)
    return body
  }
  const search = async (query: string) => {
    const { readIndex } = await import('./search/search-index.ts')
    return (await (index ??= readIndex(read())))(query)
  }
  const send = (
    reply: FastifyReply,
    page: Omit<Parameters<typeof renderLayout>[0], 'base' | 'style' | 'library'>,
  ) =>
    reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': POLICY, 'cache-control': FEW_MINUTES })
      .type('text/html; charset=utf-8')
      .send(renderLayout({ ...page, base: base(), style, library: read() }))
  return (app) => {
    app.get('/guide', async (_request, reply) => reply.redirect(`${base()}/`))
    app.get('/guide/', async (_request, reply) => reply.redirect(`${base()}/${FIRST_PAGE}`))
    app.get<{ Params: { '*': string } }>('/guide/for/*', async ({ params }, reply) =>
      reply.redirect(`${base()}/${sectionFor(params['*'])}`),
    )
    app.get<{ Querystring: { q?: unknown } }>('/guide/search', async (request, reply) => {
      const { q } = request.query
      const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : ''
      const found = query === '' ? [] : await search(query)
      return send(reply, { title: 'Search', body: renderSearch(query, found, base()), query })
    })
    app.get<{ Params: { name: string } }>('/guide/images/:name', async ({ params: { name } }, reply) => {
      const image = readImage(name)
      const type = IMAGE_TYPES[name.split('.').at(-1) ?? '']
      if (image === undefined || type === undefined) throw platformErrors.route_not_found()
      return reply
        .headers({ ...PAGE_HEADERS, 'content-security-policy': POLICY, 'cache-control': FEW_MINUTES })
        .type(type)
        .send(image)
    })
    app.get(`/guide/${style.path}`, async (_request, reply) =>
      reply
        .headers({ ...PAGE_HEADERS, 'cache-control': FOR_A_YEAR })
        .type('text/css; charset=utf-8')
        .send(style.content),
    )
    app.get<{ Params: { '*': string } }>('/guide/*', async ({ params }, reply) => {
      const page = read().byPath.get(params['*'].replace(/\/$/, ''))
      if (page === undefined) {
        const body = html`<h1>No such page</h1>
          <p>The list of pages and the search may know what you look for.</p>`
        return send(reply.code(404), { title: 'No such page', body })
      }
      return send(reply, { title: page.title, body: await render(page), current: page })
    })
  }
}
