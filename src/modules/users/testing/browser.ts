export interface Reply {
  readonly status: number
  readonly headers: Headers
  // Tests read replies as a page does, without the types of the service.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface BrowserRequest {
  readonly method?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export class Browser {
  readonly base: string
  readonly cookies = new Map<string, string>()

  constructor(base: string) {
    this.base = base
  }

  async send(path: string, { method, body, headers = {} }: BrowserRequest = {}): Promise<Reply> {
    const verb = method ?? (body === undefined ? 'GET' : 'POST')
    const all: Record<string, string | undefined> = {
      origin: verb === 'GET' ? undefined : new URL(this.base).origin,
      'sec-fetch-site': 'same-origin',
      cookie: this.cookies.size === 0 ? undefined : this.cookieHeader(),
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    }
    const response = await fetch(new URL(path, this.base), {
      method: verb,
      redirect: 'manual',
      headers: Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    this.keep(response.headers)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';')
      const equals = pair.indexOf('=')
      const isDeleted = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
      if (isDeleted) this.cookies.delete(pair.slice(0, equals))
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
  }

  get sessionCookie(): string | undefined {
    return this.cookies.get('quittance.session_token')
  }

  signIn(email: string, password: string): Promise<Reply> {
    return this.send('/console/api/auth/sign-in/email', { body: { email, password } })
  }

  call(path: string, business: string, environment: 'test' | 'live', request: BrowserRequest = {}) {
    return this.send(path, {
      ...request,
      headers: { 'x-p-customer-code': business, 'quittance-environment': environment, ...request.headers },
    })
  }
}
