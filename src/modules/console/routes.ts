import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { platformErrors } from '#platform/errors'
import { html } from '#platform/http/html'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import { type BuiltConsole, builtAtOf, type BuiltFile, readBuiltConsole } from './built-files.ts'
import type { ConsoleDependencies } from './dependencies.ts'

const BUILT_FOLDER = fileURLToPath(new URL('../../../web/console/dist', import.meta.url))

export function consolePages({
  publicUrl,
  folder = BUILT_FOLDER,
}: ConsoleDependencies): (app: FastifyInstance) => void {
  const basePath = () => new URL(publicUrl()).pathname.replace(/(?<!\/)\/+$/, '')
  let built: BuiltConsole | undefined
  const current = () => {
    const builtAt = builtAtOf(folder)
    if (builtAt !== undefined && builtAt !== built?.builtAt)
      built = readBuiltConsole(folder, basePath(), builtAt)
    return built
  }
  return (app) => {
    app.get('/console', async (_request, reply) => reply.redirect(`${basePath()}/console/`))
    app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
      const path = request.params['*']
      // A page that was loaded before a new build still finds its lazy scripts until somebody loads a page.
      const latest = built?.files.has(path) === true ? built : current()
      if (latest === undefined) return sendNotBuilt(reply)
      const file = latest.files.get(path)
      if (file !== undefined) return send(request, reply, file)
      if (/^(assets|api)(\/|$)/.test(path)) throw platformErrors.route_not_found()
      reply.header('content-security-policy', contentPolicy(latest.scriptHashes))
      // Without a referrer, browsers would send `Origin: null` with a form.
      reply.header('referrer-policy', 'same-origin')
      return send(request, reply, latest.index)
    })
  }
}

/** Mantine sets its colours in style elements, so that inline styles are allowed. */
function contentPolicy(scriptHashes: readonly string[]): string {
  return PAGE_HEADERS['content-security-policy'].replace(
    "img-src 'self' data:",
    [
      "img-src 'self' data: blob:",
      ['script-src', "'self'", ...scriptHashes].join(' '),
      "connect-src 'self'",
      "font-src 'self'",
    ].join('; '),
  )
}

function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply
    .type(file.type)
    .header('vary', 'accept-encoding')
    .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-store')
  const accepted = request.headers['accept-encoding'] ?? ''
  for (const encoding of ['br', 'gzip'] as const) {
    const encoded = file.encoded[encoding]
    if (encoded !== undefined && accepts(accepted, encoding)) {
      return reply.header('content-encoding', encoding).send(encoded)
    }
  }
  return reply.send(file.content)
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const NOT_BUILT = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>The console is not built</title>
      <style>
        body {
          font: 16px/1.5 system-ui;
          max-width: 36em;
          margin: 15vh auto;
          padding: 0 1em;
        }
        code {
          background: #eee;
          color: #222;
          padding: 0.1em 0.3em;
        }
      </style>
    </head>
    <body>
      <h1>The console is not built</h1>
      <p>
        Run <code>npm run build:console</code> where the service is installed, then load this page again.
        <code>npm start</code> does it too.
      </p>
      <p>The API works without the console: its documentation is at <code>/docs</code>.</p>
    </body>
  </html>`

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT.text)
}
