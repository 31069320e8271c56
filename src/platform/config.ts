import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import type { LogLevel } from '#platform/observability/log'
import { messageOf } from '#platform/thrown'
import { SAMPLERS, type TracingSettings } from '#platform/observability/tracing-settings'
import { type DkimKey, readDkimKey } from '#platform/mail/dkim'
import { readHostList } from '#platform/postgres/hosts/host-list'

export interface Config {
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly workerPort: number | undefined
  readonly databaseUrl: string | undefined
  readonly replica: ReplicaConfig | undefined
  readonly allowLossyDatabase: boolean
  readonly publicUrl: string | undefined
  readonly encryptionKeys: string | undefined
  readonly simulatorUrl: string | undefined
  readonly acquirerTimeoutMs: number
  readonly chainsFile: string | undefined
  readonly walletXpub: string | undefined
  readonly rateLimit: number
  readonly trustedProxies: readonly string[]
  readonly allowPrivateWebhooks: boolean
  readonly requestLogDays: number
  readonly eventDays: number | undefined
  readonly logLevel: LogLevel
  readonly logRequests: number
  readonly tracing: TracingSettings | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly mailsPerSecond: number
  readonly dkim: DkimKey | undefined
  readonly oidc: OidcConfig | undefined
}

interface ReplicaConfig {
  readonly url: string
  readonly maxLagSeconds: number
}

interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

export class ConfigError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']
/** Each can also be the content of the file that `NAME_FILE` names, as container platforms and systemd hand secrets over. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'ENCRYPTION_KEYS',
  'SMTP_URL',
  'DKIM_KEY',
  'OIDC_CLIENT_SECRET',
] as const
/** Shares of the requests that neither fail nor are slow. */
const LOGGED_SHARES = new Map([
  ['errors', 0.01],
  ['all', 1],
])
const MAX_PORT = 65_535
const MAX_REQUESTS_PER_SECOND = 1_000_000
const MAX_REQUEST_LOG_DAYS = 366
/** Deliveries, which need the documents of events, are kept for up to 62 days. */
export const MIN_EVENT_DAYS = 62
const MAX_EVENT_DAYS = 100 * 366
const MAX_MAILS_PER_SECOND = 10_000
const MAX_EXPORT_DELAY_MS = 60_000
const MAX_QUEUED_SPANS = 100_000
/** The default of reference/operations#replicas. */
const DEFAULT_REPLICA_LAG_SECONDS = 5
const MAX_REPLICA_LAG_SECONDS = 3_600
/** Waiting for a free connection and for the response may each take this long, within the 30 s lease of a call. */
export const MAX_ACQUIRER_TIMEOUT_MS = 14_000
const SENDER = /^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/

/** Throws `ConfigError` with a sentence for each problem. No message quotes a value, which may be a secret. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = new EnvironmentReader(env)
  const config: Config = {
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.wholeNumber('PORT', { default: 8080, max: MAX_PORT }),
    workerPort: read.wholeNumber('WORKER_PORT', { default: undefined, max: MAX_PORT }),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    replica: readReplica(read),
    allowLossyDatabase: read.flag('ALLOW_LOSSY_DATABASE'),
    publicUrl: read.base('PUBLIC_URL', 'https://pay.example.com'),
    encryptionKeys: read.text('ENCRYPTION_KEYS'),
    simulatorUrl: read.base('SIMULATOR_URL', 'http://127.0.0.1:8090'),
    acquirerTimeoutMs: read.wholeNumber('ACQUIRER_TIMEOUT_MS', {
      default: 10_000,
      max: MAX_ACQUIRER_TIMEOUT_MS,
    }),
    chainsFile: read.text('CHAINS_FILE'),
    walletXpub: read.text('WALLET_XPUB'),
    rateLimit: read.wholeNumber('RATE_LIMIT', { default: 500, max: MAX_REQUESTS_PER_SECOND }),
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    requestLogDays: read.wholeNumber('REQUEST_LOG_DAYS', { default: 30, max: MAX_REQUEST_LOG_DAYS }),
    eventDays: read.wholeNumber('EVENT_DAYS', {
      default: undefined,
      min: MIN_EVENT_DAYS,
      max: MAX_EVENT_DAYS,
    }),
    allowPrivateWebhooks: read.flag('ALLOW_PRIVATE_WEBHOOKS'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logRequests: read.share('LOG_REQUESTS', 'errors', LOGGED_SHARES),
    tracing: readTracing(read),
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587'),
    mailFrom: read.sender('MAIL_FROM'),
    mailsPerSecond: read.wholeNumber('MAILS_PER_SECOND', { default: 0, max: MAX_MAILS_PER_SECOND }),
    dkim: readDkim(read),
    oidc: readOidc(read),
  }
  if (config.smtpUrl !== undefined && read.text('MAIL_FROM') === undefined) {
    read.problems.push('MAIL_FROM must be set beside SMTP_URL, such as Shop <pay@example.com>.')
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/**
 * Throws `ConfigError` when settings that `api` and `worker` processes share are missing. Each process would use its own
 * instead: a simulator that does not know the charges of the other, and keys that cannot decrypt what the other encrypted.
 */
export function requireShared(config: Config): void {
  const missing = Object.entries({
    DATABASE_URL: config.databaseUrl,
    ENCRYPTION_KEYS: config.encryptionKeys,
    SIMULATOR_URL: config.simulatorUrl,
  }).filter(([, value]) => value === undefined)
  if (missing.length === 0) return
  const names = missing.map(([name]) => name).join(', ')
  throw new ConfigError([
    `\`api\` and \`worker\` processes share these settings, which must be set: ${names}.`,
  ])
}

function readReplica(read: EnvironmentReader): ReplicaConfig | undefined {
  const url = read.databaseUrl('DATABASE_REPLICA_URL')
  const maxLagSeconds = read.wholeNumber('REPLICA_MAX_LAG_SECONDS', {
    default: DEFAULT_REPLICA_LAG_SECONDS,
    max: MAX_REPLICA_LAG_SECONDS,
  })
  if (url === undefined) return undefined
  if (read.text('DATABASE_URL') === undefined) {
    read.problems.push('DATABASE_REPLICA_URL needs DATABASE_URL, the primary that it follows.')
  }
  return { url, maxLagSeconds }
}

const DKIM_DOMAIN = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,10}$/
const DKIM_SELECTOR = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}$/

function readDkim(read: EnvironmentReader): DkimKey | undefined {
  const domain = read.text('DKIM_DOMAIN')
  const selector = read.text('DKIM_SELECTOR')
  const pem = read.text('DKIM_KEY')
  if (domain === undefined && selector === undefined && pem === undefined) return undefined
  if (domain === undefined || selector === undefined || pem === undefined) {
    read.problems.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY must be set together.')
    return undefined
  }
  if (!DKIM_DOMAIN.test(domain)) read.problems.push('DKIM_DOMAIN must be a domain such as shop.example.')
  if (!DKIM_SELECTOR.test(selector)) read.problems.push('DKIM_SELECTOR must be a name such as mail1.')
  const key = readDkimKey(pem)
  if (typeof key !== 'string') return { domain, selector, key }
  read.problems.push(`DKIM_KEY must be a private key of RSA or Ed25519 in PEM (${key}).`)
  return undefined
}

function readOidc(read: EnvironmentReader): OidcConfig | undefined {
  const issuer = read.base('OIDC_ISSUER', 'https://login.example.com')
  const clientId = read.text('OIDC_CLIENT_ID')
  const clientSecret = read.text('OIDC_CLIENT_SECRET')
  const name = read.text('OIDC_NAME') ?? 'Single sign-on'
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, name }
  }
  if ([issuer, clientId, clientSecret].some((value) => value !== undefined)) {
    read.problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.')
  }
  return undefined
}

function readTracing(read: EnvironmentReader): TracingSettings | undefined {
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'http://127.0.0.1:4318')
  const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const url =
    read.url(own, ['http:', 'https:'], 'http://127.0.0.1:4318/v1/traces') ??
    (base && `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces`)
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on')
  const ratio = read.share('OTEL_TRACES_SAMPLER_ARG', '1')
  const exporter = read.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp')
  const isDisabled = read.oneOf('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true'
  const delayMs = read.wholeNumber('OTEL_BSP_SCHEDULE_DELAY', { default: 5_000, max: MAX_EXPORT_DELAY_MS })
  const maxQueued = read.wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', { default: 2_048, max: MAX_QUEUED_SPANS })
  if (url === undefined || isDisabled || exporter === 'none') return undefined
  return { url, sampler, ratio, delayMs, maxQueued }
}

const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = isIP(address) === 4 ? 32 : 128
  if (NETWORK_NAMES.includes(text)) return true
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits)
}

class EnvironmentReader {
  readonly problems: string[] = []
  readonly #env: Readonly<Record<string, string | undefined>>

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = { ...env, ...this.#secretsFromFiles(env) }
  }

  #secretsFromFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
    const found: Record<string, string> = {}
    for (const name of SECRETS) {
      const path = env[`${name}_FILE`]?.trim()
      if (path === undefined || path === '') continue
      if (env[name]?.trim()) this.problems.push(`Set ${name} or ${name}_FILE, not both.`)
      try {
        found[name] = readFileSync(path, 'utf8')
      } catch (error) {
        this.problems.push(`${name}_FILE must name a file that can be read (${messageOf(error)}).`)
      }
    }
    return found
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  wholeNumber<Default extends number | undefined>(
    name: string,
    { default: otherwise, min = 0, max }: { default: Default; min?: number; max: number },
  ): number | Default {
    const value = this.text(name)
    if (value === undefined) return otherwise
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    this.problems.push(`${name} must be a whole number from ${min} to ${max}.`)
    return otherwise
  }

  share(name: string, otherwise: string, words: ReadonlyMap<string, number> = new Map()): number {
    const value = this.text(name) ?? otherwise
    if (/^(?:0|1|0?\.\d{1,9}|[01]\.0+)$/.test(value)) return Number(value)
    const share = words.get(value)
    if (share !== undefined) return share
    this.problems.push(`${name} must be ${[...words.keys(), 'a number from 0 to 1'].join(' or ')}.`)
    return 1
  }

  networks(name: string): string[] {
    const networks = (this.text(name) ?? '').split(',').flatMap((network) => network.trim() || [])
    if (!networks.every(isNetwork)) {
      const names = NETWORK_NAMES.join(', ')
      this.problems.push(`${name} must list addresses, networks such as 10.0.0.0/8, or ${names}.`)
    }
    return networks
  }

  flag(name: string): boolean {
    const value = this.text(name)
    if (value === undefined || value === '0') return false
    if (value !== '1') this.problems.push(`${name} must be 1 or 0.`)
    return value === '1'
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    const value = this.text(name)
    if (value === undefined) return otherwise
    const word = words.find((known) => known === value)
    if (word === undefined) this.problems.push(`${name} must be one of ${words.join(', ')}.`)
    return word ?? otherwise
  }

  sender(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined || SENDER.test(value)) return value
    this.problems.push(`${name} must be an address such as pay@example.com or Shop <pay@example.com>.`)
    return undefined
  }

  databaseUrl(name: 'DATABASE_URL' | 'DATABASE_REPLICA_URL'): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const { hosts, problems } = readHostList(value, name)
    this.problems.push(...problems)
    if (problems.length > 0) return undefined
    for (const { url } of hosts) {
      if (
        this.url(name, ['postgres:', 'postgresql:'], 'postgres://user:password@host/database', url) ===
        undefined
      )
        return undefined
    }
    return value
  }

  base(name: string, example: string): string | undefined {
    const value = this.url(name, ['http:', 'https:'], example)
    if (value === undefined || !/[?#]/.test(value)) return value?.replace(/(?<!\/)\/+$/, '')
    this.problems.push(`${name} must have no query and no fragment, such as ${example}.`)
    return undefined
  }

  url(
    name: string,
    protocols: readonly string[],
    example: string,
    value = this.text(name),
  ): string | undefined {
    if (value === undefined) return undefined
    const url = URL.parse(value)
    const namesHost = url !== null && (url.hostname !== '' || url.searchParams.has('host'))
    if (namesHost && protocols.includes(url.protocol)) return value
    this.problems.push(`${name} must be a URL such as ${example}.`)
    return undefined
  }
}
