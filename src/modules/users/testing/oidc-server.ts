import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import type { OidcSettings } from '../dependencies.ts'
import { Browser } from './browser.ts'

export interface Person {
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

export async function startOidcServer(
  people: Readonly<Record<string, Person>>,
  onEnd: (end: () => void) => void = onTestFinished,
  options: { readonly sendsIdToken: boolean } = { sendsIdToken: true },
) {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const oidc: OidcSettings = {
    issuer,
    clientId: 'quittance',
    clientSecret: 'a-shared-secret',
    name: 'Acme login',
  }

  const register = (serviceUrl: string): void => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: oidc.clientId,
          client_secret: oidc.clientSecret,
          redirect_uris: [`${serviceUrl}/console/api/auth/callback/oidc`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['of-a-test'] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      pkce: { required: () => true },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...people[sub] }),
      }),
    })
    provider.use(async (context, next) => {
      await next()
      if (context.path === '/token' && !options.sendsIdToken) delete context.body['id_token']
    })
    listener = provider.callback()
  }

  const signIn = async (authorizationUrl: string, subject: string): Promise<string> => {
    const jar = new Browser(issuer)
    let at = authorizationUrl
    for (let step = 0; step < 12; step++) {
      const page = await visit(jar, at)
      const location = page.headers.get('location')
      if (location !== null) {
        at = new URL(location, at).href
        if (!at.startsWith(issuer)) return at
        continue
      }
      const html = await page.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ''
      const action = new URL(/<form[^>]* action="([^"]+)"/.exec(html)?.[1] ?? '', at).href
      const form = new URLSearchParams({ prompt, login: subject, password: 'anything' })
      const submitted = await visit(jar, action, form)
      at = new URL(submitted.headers.get('location') ?? '', at).href
    }
    throw new Error(`the provider did not finish at ${at}`)
  }

  return { oidc, register, signIn }
}

async function visit(jar: Browser, url: string, form?: URLSearchParams): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: jar.cookieHeader() },
    ...(form && { method: 'POST', body: form }),
  })
  jar.keep(response.headers)
  return response
}
