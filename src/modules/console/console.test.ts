import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync, brotliCompressSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { cleanUp } from '#platform/testing/clean-up'
import { startTestServer } from '#platform/testing/test-server'
import { consolePages } from './index.ts'

const SCRIPT = "document.title = 'early'"
const INDEX = `<!doctype html><link rel="icon" href="./icon.svg"><script>${SCRIPT}</script><script type="module" src="./assets/index-a1.js"></script>`
const MODULE = 'console.log("the console")'

async function builtFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'quittance-console-'))
  cleanUp(() => rm(parent, { recursive: true }))
  await writeFile(join(parent, 'secret.js'), 'outside')
  const folder = join(parent, 'dist')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  await writeFile(join(folder, 'assets/index-a1.js'), MODULE)
  await writeFile(join(folder, 'assets/index-a1.js.br'), brotliCompressSync(MODULE))
  await writeFile(join(folder, 'assets/index-a1.js.gz'), gzipSync(MODULE))
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'index.html'), INDEX)
  return folder
}

async function serve(folder: string, publicUrl = 'https://pay.example.com') {
  const server = await startTestServer({ plainRoutes: consolePages({ publicUrl: () => publicUrl, folder }) })
  return (path: string, headers: Record<string, string> = {}) =>
    server.app.inject({ method: 'GET', url: path, headers })
}

// Proves reference/console#addresses.
test('an address inside the console gets its page, which no cache keeps', async () => {
  const get = await serve(await builtFolder())
  for (const path of [
    '/console/',
    '/console/orders/ord_1?environment=live',
    '/console/invitations/a.b',
    '/console/x.js',
  ]) {
    const reply = await get(path)
    expect([path, reply.statusCode, reply.headers['content-type']]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  }
  const bare = await get('/console')
  expect([bare.statusCode, bare.headers['location']]).toEqual([302, '/console/'])
})

// Proves reference/console#addresses.
test('below a path of PUBLIC_URL the page refers to files below that path', async () => {
  const get = await serve(await builtFolder(), 'https://pay.example.com/q/')
  const { body } = await get('/console/orders')
  expect(body).toContain('src="/q/console/assets/index-a1.js"')
  expect((await get('/console')).headers['location']).toBe('/q/console/')
})

// Proves reference/console#security.
test('the policy allows the scripts of this host and the inline script by its hash, and nothing else', async () => {
  const get = await serve(await builtFolder())
  const { headers } = await get('/console/')
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('script-src')).toEqual(["'self'", `'sha256-${hash}'`])
  expect(policy.get('connect-src')).toEqual(["'self'"])
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('a file with a hash in its name is cached for a year, in the encoding that the browser takes', async () => {
  const get = await serve(await builtFolder())
  const read = async (accepted: string) => {
    const { headers, rawPayload } = await get('/console/assets/index-a1.js', { 'accept-encoding': accepted })
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['vary']).toBe('accept-encoding')
    return [headers['content-encoding'], rawPayload] as const
  }
  const [brotli, inBrotli] = await read('gzip, deflate, br')
  expect([brotli, brotliDecompressSync(inBrotli).toString()]).toEqual(['br', MODULE])
  const [zipped, inGzip] = await read('gzip, br;q=0')
  expect([zipped, gunzipSync(inGzip).toString()]).toEqual(['gzip', MODULE])
  const [plain, content] = await read('identity')
  expect([plain, content.toString()]).toEqual([undefined, MODULE])
})

test.each([
  '/console/../secret.js',
  '/console/..%2fsecret.js',
  '/console/assets/../../secret.js',
  '/console/assets/..%2f..%2fsecret.js',
  '/console/assets/%2e%2e/%2e%2e/secret.js',
  '/console/assets/..%5c..%5csecret.js',
  '/console/.vite/manifest.json',
])('no path leads out of the folder: %s', async (path) => {
  const get = await serve(await builtFolder())
  const { body } = await get(path)
  expect(body).not.toContain('outside')
  expect(body).not.toBe('{}')
})

test.each(['/console/assets/index-old.js', '/console/api/unknown'])(
  'an unknown file or operation is 404: %s',
  async (path) => {
    const get = await serve(await builtFolder())
    const reply = await get(path)
    expect([reply.statusCode, reply.json().data.error.reason]).toEqual([404, 'route_not_found'])
  },
)

test('a console that is not built says how to build it, and is served once it is built', async () => {
  const folder = await builtFolder()
  await rm(join(folder, 'index.html'))
  const get = await serve(folder)
  const before = await get('/console/orders')
  expect(before.statusCode).toBe(503)
  expect(before.body).toContain('npm run build:console')
  await writeFile(join(folder, 'index.html'), INDEX)
  expect((await get('/console/orders')).statusCode).toBe(200)
})
