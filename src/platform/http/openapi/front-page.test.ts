import { expect, test } from 'vitest'
import { startTestServer } from '#platform/testing/test-server'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

// Proves reference/operations#front-page.
test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/html;q=0'])(
  'a program that accepts %s gets an envelope with addresses',
  async (accept) => {
    const server = await startTestServer()
    const response = await server.send('GET', '/', accept === undefined ? {} : { headers: { accept } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('vary')).toBe('accept')
    expect(response.body).toEqual({
      code: 200,
      message: 'succeed',
      data: {
        service: 'quittance',
        console_url: 'https://pay.example.com/console',
        docs_url: 'https://pay.example.com/docs',
        errors_url: 'https://pay.example.com/docs/errors',
        openapi_url: 'https://pay.example.com/openapi.json',
        readme_url: 'https://pay.example.com/docs/readme',
      },
    })
  },
)

test.each([BROWSER, 'text/html', 'application/json;q=0.5, text/html'])(
  'a browser that accepts %s gets a page with links, and no script may run on it',
  async (accept) => {
    const server = await startTestServer()
    const { status, headers, text } = await server.send('GET', '/', { headers: { accept } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/console',
      '/docs',
      '/docs/errors',
      '/openapi.json',
      '/docs/readme',
    ])
  },
)

test('behind a PUBLIC_URL with a path, all addresses have that path', async () => {
  const server = await startTestServer({ publicUrl: () => 'https://example.com/pay/' })
  const page = await server.send('GET', '/', { headers: { accept: 'text/html' } })
  expect(page.text).toContain('href="/pay/docs"')
  const { body } = await server.send('GET', '/')
  expect(body.data).toMatchObject({ docs_url: 'https://example.com/pay/docs' })
})

test('the README is served as text', async () => {
  const server = await startTestServer()
  const { status, headers, text } = await server.send('GET', '/docs/readme')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# Quittance\n/)
})
