import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { JSON_UTF8, successEnvelope } from '#platform/envelope'
import { html } from '#platform/http/html'

const README_FILE = new URL('../../../../README.md', import.meta.url)

const LINKS = [
  { name: 'console', path: '/console', label: 'Console', what: 'orders, customers, plans and settings' },
  { name: 'docs', path: '/docs', label: 'API reference', what: 'every operation, with examples' },
  { name: 'errors', path: '/docs/errors', label: 'Errors', what: 'every reason and what to do about it' },
  { name: 'openapi', path: '/openapi.json', label: 'OpenAPI description', what: 'for generators and test clients' },
  { name: 'readme', path: '/docs/readme', label: 'README', what: 'a first payment in ten lines' },
] as const // prettier-ignore

export function registerFrontPage(app: FastifyInstance, options: { readonly publicUrl: () => string }): void {
  app.get('/', async (request, reply) => {
    const publicUrl = options.publicUrl().replace(/\/$/, '')
    reply.header('vary', 'accept')
    if (prefersHtml(request.headers.accept)) {
      return reply.type('text/html; charset=utf-8').send(frontPage(new URL(publicUrl).pathname))
    }
    const urls = LINKS.map(({ name, path }) => [`${name}_url`, publicUrl + path] as const)
    return reply.type(JSON_UTF8).send(successEnvelope({ service: 'quittance', ...Object.fromEntries(urls) }))
  })

  app.get('/docs/readme', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(await readFile(README_FILE)),
  )
}

/** Programs send no `Accept`, or one that names no HTML. */
function prefersHtml(accept = ''): boolean {
  return weightOf(accept, 'text/html') > weightOf(accept, 'application/json')
}

function weightOf(accept: string, type: string): number {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  const [, ...parameters] = ranges.find(([name]) => name === type) ?? ['', 'q=0']
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0
}

/** @param basePath the path of PUBLIC_URL, which a proxy removes before the request arrives here */
function frontPage(basePath: string): string {
  const base = basePath.replace(/\/$/, '')
  const items = LINKS.map(
    ({ path, label, what }) => html`<li><a href="${base + path}">${label}</a>: ${what}</li> `,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Quittance</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            font:
              16px/1.6 system-ui,
              sans-serif;
            max-width: 40rem;
            margin: 4rem auto;
            padding: 0 1rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>Quittance</h1>
          <p>This payments service is running.</p>
          <ul>
            ${items}
          </ul>
        </main>
      </body>
    </html>`.text
}
