import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestServer } from '#platform/testing/test-server'
import { CONSOLE_PLACES, sectionFor } from './console-places.ts'
import { readLibrary } from './library.ts'
import { guidePages } from './routes.ts'

const ROOT = new URL('../../../', import.meta.url)

async function serve() {
  const { app } = await startTestServer({
    plainRoutes: guidePages({ publicUrl: () => 'https://pay.example.com/q' }),
  })
  return (url: string) => app.inject({ method: 'GET', url })
}

const anchorsOf = (body: string) => new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

// Proves reference/console#help.
test('every page of the guide is shown, and its links lead to sections that exist', async () => {
  const get = await serve()
  const bodies = new Map<string, string>()
  for (const path of readLibrary().byPath.keys()) {
    const { statusCode, headers, body } = await get(`/guide/${path}`)
    expect([path, statusCode]).toEqual([path, 200])
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
    expect(body).not.toMatch(/<script|<style|\s(?:style|on[a-z]+)="/)
    bodies.set(path, body)
  }
  for (const [path, body] of bodies) {
    for (const [, target = '', anchor] of body.matchAll(/href="\/q\/guide\/([^"#]*)(?:#([^"]+))?"/g)) {
      if (target === '' || target.endsWith('.css')) continue
      const linked = bodies.get(target)
      expect(linked, `${path} → ${target}`).toBeDefined()
      if (anchor !== undefined) expect(anchorsOf(linked ?? ''), `${path} → ${target}`).toContain(anchor)
    }
  }
})

test('each page of the console has its section', async () => {
  const get = await serve()
  const routes = globSync('web/console/src/pages/*/routes.tsx', { cwd: ROOT }).map((file) =>
    readFileSync(new URL(file, ROOT), 'utf8'),
  )
  const paths = routes.flatMap((text) => [...text.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path))
  const isOutside = (path: string) => /^\/(?:sign-in|setup|reset-password|invitations)/.test(path)
  expect(paths.length).toBeGreaterThan(40)
  for (const path of paths.filter((one) => !isOutside(one))) {
    const section = sectionFor(path)
    expect(section, path).not.toBe('console')
    const reply = await get(`/guide/for${path}`)
    expect([reply.statusCode, reply.headers['location']]).toEqual([302, `/q/guide/${section}`])
  }
  for (const section of Object.values(CONSOLE_PLACES)) {
    const [path = '', anchor] = section.split('#')
    expect(anchorsOf((await get(`/guide/${path}`)).body), section).toContain(anchor)
  }
})

test('the search finds sections by their words, also misspelt ones', async () => {
  const get = await serve()
  const { body } = await get('/guide/search?q=reconcilation+payouts')
  expect(body).toContain('href="/q/guide/reference/reconciliation#payouts-and-days"')
  const nothing = await get('/guide/search?q=%3Cscript%3E')
  expect([nothing.statusCode, nothing.body.includes('<script>')]).toEqual([200, false])
})

test.each(['/guide/../package.json', '/guide/images/..%2f..%2fpackage.json', '/guide/reference/none'])(
  'what is no page is 404: %s',
  async (path) => {
    const get = await serve()
    expect((await get(path)).statusCode).toBe(404)
  },
)
