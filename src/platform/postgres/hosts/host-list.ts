export interface Host {
  readonly name: string
  readonly url: string
}

export interface HostList {
  readonly hosts: readonly Host[]
  readonly problems: readonly string[]
}

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/i
const HOST = /^(\[[\da-f:.%]+\]|[^:[\]]*)(?::(.*))?$/i
const DEFAULT_PORT = '5432'
const MAX_PORT = 65_535
const WRITABLE = new Set(['read-write', 'primary'])
const OURS = ['host', 'port', 'target_session_attrs', 'load_balance_hosts']

/**
 * Reads a URL with one or more hosts as libpq writes it: `postgres://user:password@one:5432,two/database`, or
 * `?host=one,two&port=5432`. A URL with one host stays as it is.
 */
export function readHostList(url: string, setting: 'DATABASE_URL' | 'DATABASE_REPLICA_URL'): HostList {
  const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const at = authority.lastIndexOf('@') + 1
  const problems: string[] = []
  const attributes = parameters.get('target_session_attrs')
  if (attributes !== null && setting === 'DATABASE_URL' && !WRITABLE.has(attributes)) {
    problems.push(
      `target_session_attrs in DATABASE_URL must be read-write or primary, because every process writes. Lists may be read elsewhere: see DATABASE_REPLICA_URL.`,
    )
  }
  const named = hostsIn(authority.slice(at), parameters)
  const { ports } = named
  if (ports !== undefined && ports.length > 1 && ports.length !== named.hosts.length) {
    problems.push(
      `${setting} names ${named.hosts.length} hosts and ${ports.length} ports: give one port each, or one for all.`,
    )
    return { hosts: [], problems }
  }
  const hosts = named.hosts.map((text, index): Host => {
    const which =
      named.hosts.length === 1 ? `The port in ${setting}` : `The port of host ${index + 1} in ${setting}`
    const [, host = '', ownPort] = text.startsWith('/') ? ['', text] : (HOST.exec(text) ?? [])
    const port = ports?.[ports.length === 1 ? 0 : index] ?? ownPort ?? DEFAULT_PORT
    if (named.hosts.length > 1 && host === '') problems.push(`Host ${index + 1} in ${setting} has no name.`)
    if (!isPort(port)) problems.push(`${which} must be a whole number from 1 to ${MAX_PORT}.`)
    return {
      name: `${host}:${port}`,
      url: urlOf({ scheme, user: authority.slice(0, at), host, port, path }, parameters),
    }
  })
  const [only] = hosts
  if (hosts.length !== 1 || only === undefined) return { hosts, problems }
  return { hosts: [{ name: only.name, url }], problems }
}

export function namesSeveralHosts(url: string): boolean {
  return readHostList(url, 'DATABASE_URL').hosts.length > 1
}

export function urlOnHost(url: string, host: string, port: number): string {
  const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(url) ?? []
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const name = host.includes(':') ? `[${host}]` : host
  return urlOf({ scheme, user, host: name, port: String(port), path }, new URLSearchParams(query))
}

interface Named {
  readonly hosts: readonly string[]
  readonly ports: readonly string[] | undefined
}

function hostsIn(authority: string, parameters: URLSearchParams): Named {
  const hosts = (parameters.get('host') ?? authority).split(',').map((text) => text.trim())
  return { hosts, ports: parameters.get('port')?.split(',') }
}

interface Parts {
  readonly scheme: string
  readonly user: string
  readonly host: string
  readonly port: string
  readonly path: string
}

function urlOf({ scheme, user, host, port, path }: Parts, parameters: URLSearchParams): string {
  const rest = new URLSearchParams(parameters)
  for (const name of OURS) rest.delete(name)
  const isSocket = host.startsWith('/')
  if (isSocket) {
    rest.set('host', host)
    rest.set('port', port)
  }
  const query = rest.size === 0 ? '' : `?${rest.toString()}`
  return `${scheme}${user}${isSocket ? '' : `${host}:${port}`}${path}${query}`
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT
}
