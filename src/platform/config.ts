import { resolve } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import type { LogLevel } from '#platform/observability/log'

/**
 * The environment that the program is run in (decisions, section 10), read once at start. An empty
 * variable counts as unset.
 */
export interface Config {
  /** `DATA_DIR`, absolute. */
  readonly dataDir: string
  readonly host: string
  /** `PORT`; 0 takes a free one. */
  readonly port: number
  /** `WORKER_PORT`: where a process that is only a worker answers probes and Prometheus; unset: nowhere. */
  readonly workerPort: number | undefined
  /** An external PostgreSQL or Citus instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /** What links begin with, without a slash at its end; unset: the listening address. */
  readonly publicUrl: string | undefined
  /** `ENCRYPTION_KEYS`, newest first; `platform/key-source.ts` reads them. Unset: `DATA_DIR/keys.json`. */
  readonly encryptionKeys: string | undefined
  /** The acquirer simulator when it runs as a process of its own. */
  readonly simulatorUrl: string | undefined
  /** How long a call to the acquirer may take before its outcome is unknown. */
  readonly acquirerTimeoutMs: number
  /** A service reads these two (modules/wallets) before it starts anything; commands need neither. */
  readonly chainsFile: string | undefined
  readonly walletXpub: string | undefined
  /** Requests a second per app; 0 turns the limit off. */
  readonly rateLimit: number
  readonly allowPrivateWebhooks: boolean
  readonly logLevel: LogLevel
}

/** The environment cannot be understood. The message has one sentence for each thing that is wrong. */
export class ConfigError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']
const MAX_PORT = 65_535
const MAX_REQUESTS_PER_SECOND = 1_000_000
/** Twice this, for a free connection and for the answer, stays within the 30 s that a call's lease lasts. */
const MAX_ACQUIRER_TIMEOUT_MS = 14_000

/** Reads and checks the environment. Throws `ConfigError`; no message quotes a variable that may hold a secret. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = new EnvironmentReader(env)
  const config: Config = {
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.wholeNumber('PORT', { default: 8080, most: MAX_PORT }),
    workerPort: read.wholeNumber('WORKER_PORT', { default: undefined, most: MAX_PORT }),
    databaseUrl: read.url(
      'DATABASE_URL',
      ['postgres:', 'postgresql:'],
      'postgres://user:password@host/database',
    ),
    publicUrl: read.base('PUBLIC_URL', 'https://pay.example.com'),
    encryptionKeys: read.text('ENCRYPTION_KEYS'),
    simulatorUrl: read.base('SIMULATOR_URL', 'http://127.0.0.1:8090'),
    acquirerTimeoutMs: read.wholeNumber('ACQUIRER_TIMEOUT_MS', {
      default: 10_000,
      most: MAX_ACQUIRER_TIMEOUT_MS,
    }),
    chainsFile: read.text('CHAINS_FILE'),
    walletXpub: read.text('WALLET_XPUB'),
    rateLimit: read.wholeNumber('RATE_LIMIT', { default: 500, most: MAX_REQUESTS_PER_SECOND }),
    allowPrivateWebhooks: read.flag('ALLOW_PRIVATE_WEBHOOKS'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/**
 * Throws `ConfigError` unless all is named that processes beside one another must share: each would make its own of
 * what is not, and another simulator does not know what was charged, another ring does not open what was sealed.
 */
export function requireShared(config: Config): void {
  const missing = Object.entries({
    DATABASE_URL: config.databaseUrl,
    ENCRYPTION_KEYS: config.encryptionKeys,
    SIMULATOR_URL: config.simulatorUrl,
  }).filter(([, value]) => value === undefined)
  if (missing.length === 0) return
  const names = missing.map(([name]) => name).join(', ')
  throw new ConfigError([`\`api\` and \`worker\` processes share these, which must be set: ${names}.`])
}

class EnvironmentReader {
  readonly problems: string[] = []
  readonly #env: Readonly<Record<string, string | undefined>>

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  wholeNumber<Default extends number | undefined>(
    name: string,
    range: { default: Default; most: number },
  ): number | Default {
    const value = this.text(name)
    if (value === undefined) return range.default
    if (/^\d{1,9}$/.test(value) && Number(value) <= range.most) return Number(value)
    this.problems.push(`${name} must be a whole number from 0 to ${range.most}.`)
    return range.default
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

  /** What paths are put behind: a query or fragment would swallow them. Without a slash at its end. */
  base(name: string, example: string): string | undefined {
    const value = this.url(name, ['http:', 'https:'], example)
    if (value === undefined || !/[?#]/.test(value)) return value?.replace(/\/+$/, '')
    this.problems.push(`${name} must be without a query and a fragment, such as ${example}.`)
    return undefined
  }

  url(name: string, protocols: readonly string[], example: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.parse(value)
    // A socket's directory stands in the query.
    const namesHost = url !== null && (url.hostname !== '' || url.searchParams.has('host'))
    if (namesHost && protocols.includes(url.protocol)) return value
    this.problems.push(`${name} must be a URL such as ${example}.`)
    return undefined
  }
}
