import { readFileSync } from 'node:fs'
import { isCurrency } from '#kernel/currencies'
import { decimal, type Decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { ConfigError } from '#platform/config'
import { AddressDeriver, InvalidExtendedKey } from '../addresses/deposit-address.ts'
import { checksumAddress, isAddress } from '../model/address.ts'
import type { Asset, Chain } from '../model/chain.ts'
import WELL_KNOWN_CHAINS from './well-known-chains.json' with { type: 'json' }

export interface WalletConfiguration {
  readonly chains: readonly Chain[]
  readonly deriver: AddressDeriver | undefined
}

/** Worth one dollar and paired with cards in dollars, unless the operator configures otherwise. */
const DOLLAR_STABLECOINS: ReadonlySet<string> = new Set(['USDT', 'USDC'])
const MAX_CHAINS = 50
const MAX_TOKENS = 200
const MAX_URLS = 10
const MAX_DECIMALS = 36
const MAX_CONFIRMATIONS = 10_000
const DEFAULT_POLL_INTERVAL_MS = 2_000

/**
 * Reads `CHAINS_FILE` and `WALLET_XPUB`. The members of `well-known-chains.json` are the defaults of the chains with
 * these names: for these chains supply only RPC URLs and the coin's price.
 * @throws `ConfigError` with a message for each problem; no message quotes a URL or a key
 */
export function readWalletConfiguration(config: {
  readonly chainsFile: string | undefined
  readonly walletXpub: string | undefined
}): WalletConfiguration {
  const deriver = config.walletXpub === undefined ? undefined : readDeriver(config.walletXpub)
  if (config.chainsFile === undefined) return { chains: [], deriver }
  if (deriver === undefined) {
    throw new ConfigError(['CHAINS_FILE needs WALLET_XPUB, from which deposit addresses are derived.'])
  }
  return { chains: parseChains(readText(config.chainsFile)), deriver }
}

function readDeriver(extendedPublicKey: string): AddressDeriver {
  try {
    return new AddressDeriver(extendedPublicKey)
  } catch (error) {
    if (error instanceof InvalidExtendedKey) throw new ConfigError([error.message])
    throw error
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError([`CHAINS_FILE: the file ${path} cannot be read.`])
  }
}

export function parseChains(text: string): Chain[] {
  const reader = new ChainsReader()
  const chains = reader.chains(text)
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return chains
}

type Members = Readonly<Record<string, unknown>>

class ChainsReader {
  readonly problems: string[] = []

  chains(text: string): Chain[] {
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      this.#problem('the file', 'must be JSON')
      return []
    }
    const chains = this.#list(parsed, 'the file', MAX_CHAINS).map((chain, index) =>
      this.#chain(this.#members(chain, `[${index}]`), `[${index}]`),
    )
    this.#unique(chains, (chain) => chain.name, 'name')
    this.#unique(chains, (chain) => String(chain.chainId), 'chain_id')
    return chains
  }

  #chain(own: Members, at: string): Chain {
    const defaults: Members = WELL_KNOWN_CHAINS.find((chain) => chain.name === own['name']) ?? {}
    const members: Members = { ...defaults, ...own }
    this.#refuseUnknownMembers(own, at, CHAIN_MEMBERS)
    const native =
      members['native'] === undefined
        ? undefined
        : {
            ...this.#members(defaults['native'] ?? {}, at),
            ...this.#members(members['native'], `${at}.native`),
          }
    const tokens = this.#list(members['tokens'] ?? [], `${at}.tokens`, MAX_TOKENS).map((token, index) =>
      this.#token(this.#members(token, `${at}.tokens[${index}]`), `${at}.tokens[${index}]`),
    )
    this.#unique(tokens, (token) => token.contractAddress, `${at}.tokens address`)
    const isSandbox = members['sandbox'] ?? false
    if (typeof isSandbox !== 'boolean') this.#problem(`${at}.sandbox`, 'must be true or false')
    if (isSandbox === true && native === undefined)
      this.#problem(`${at}.native`, 'is required where sandbox is true, because deposits are sent in it')
    return {
      name: this.#text(members['name'], `${at}.name`, /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/),
      chainId: this.#whole(members['chain_id'], `${at}.chain_id`, 1, Number.MAX_SAFE_INTEGER),
      rpcUrls: this.#urls(members['rpc_urls'], `${at}.rpc_urls`),
      confirmations: this.#confirmations(members['confirmations'], `${at}.confirmations`),
      pollIntervalMs: this.#whole(
        members['poll_interval_ms'] ?? DEFAULT_POLL_INTERVAL_MS,
        `${at}.poll_interval_ms`,
        10,
        3_600_000,
      ),
      native: native && this.#asset(native, `${at}.native`, '', NATIVE_MEMBERS),
      tokens,
      isSandbox: isSandbox === true,
    }
  }

  #token(members: Members, at: string): Asset {
    const address = members['address']
    if (typeof address === 'string' && isAddress(address)) {
      return this.#asset(members, at, checksumAddress(address), TOKEN_MEMBERS)
    }
    this.#problem(`${at}.address`, 'must be a contract address of 40 hexadecimal digits after 0x')
    return this.#asset(members, at, at, TOKEN_MEMBERS)
  }

  #asset(members: Members, at: string, contractAddress: string, allowed: ReadonlySet<string>): Asset {
    this.#refuseUnknownMembers(members, at, allowed)
    const symbol = this.#text(members['symbol'], `${at}.symbol`, /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/)
    const isStablecoin = DOLLAR_STABLECOINS.has(symbol)
    const cardCurrencies = members['card_currencies'] ?? (isStablecoin ? ['USD'] : [])
    return {
      symbol,
      decimals: this.#whole(members['decimals'], `${at}.decimals`, 0, MAX_DECIMALS),
      usdPrice: this.#price(members['usd_price'] ?? (isStablecoin ? '1' : undefined), `${at}.usd_price`),
      contractAddress,
      cardCurrencies: this.#list(cardCurrencies, `${at}.card_currencies`, 20).map((currency) => {
        if (typeof currency === 'string' && isCurrency(currency)) return currency
        this.#problem(`${at}.card_currencies`, 'must be a list of ISO 4217 currency codes')
        return ''
      }),
    }
  }

  #confirmations(value: unknown, at: string): number | 'finalized' {
    return value === 'finalized' ? 'finalized' : this.#whole(value, at, 1, MAX_CONFIRMATIONS)
  }

  #price(value: unknown, at: string): Decimal {
    const price = typeof value === 'string' ? parseDecimal(value, { beforePoint: 15, afterPoint: 18 }) : null
    if (price !== null && !isDecimalProblem(price) && price.unscaled >= 0n) return price
    this.#problem(at, 'must be a price in US dollars as a decimal string, such as "1.00"')
    return decimal(0)
  }

  #urls(value: unknown, at: string): string[] {
    const urls = this.#list(value, at, MAX_URLS)
    const valid = urls.filter((url): url is string => {
      const parsed = typeof url === 'string' ? URL.parse(url) : null
      return parsed !== null && ['http:', 'https:'].includes(parsed.protocol)
    })
    if (urls.length === 0 || valid.length < urls.length)
      this.#problem(at, 'must list one or more http or https URLs')
    return valid
  }

  #whole(value: unknown, at: string, min: number, max: number): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
    this.#problem(at, `must be a whole number from ${min} to ${max}`)
    return min
  }

  #text(value: unknown, at: string, pattern: RegExp): string {
    if (typeof value === 'string' && pattern.test(value)) return value
    this.#problem(at, 'must be a short name of letters, digits, dots, underscores and dashes')
    return at
  }

  #list(value: unknown, at: string, maxLength: number): unknown[] {
    if (Array.isArray(value) && value.length <= maxLength) return value
    this.#problem(at, `must be a list of at most ${maxLength} items`)
    return []
  }

  #members(value: unknown, at: string): Members {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
    this.#problem(at, 'must be an object')
    return {}
  }

  #refuseUnknownMembers(members: Members, at: string, allowed: ReadonlySet<string>): void {
    for (const name of Object.keys(members)) {
      if (!allowed.has(name)) this.#problem(`${at}.${name}`, 'is not a known member')
    }
  }

  #unique<T>(items: readonly T[], keyOf: (item: T) => string, what: string): void {
    if (new Set(items.map(keyOf)).size < items.length) this.#problem(what, 'must be unique')
  }

  #problem(at: string, what: string): void {
    this.problems.push(`CHAINS_FILE: ${at} ${what}.`)
  }
}

const CHAIN_MEMBERS: ReadonlySet<string> = new Set([
  'name',
  'chain_id',
  'rpc_urls',
  'confirmations',
  'poll_interval_ms',
  'native',
  'tokens',
  'sandbox',
])
const NATIVE_MEMBERS: ReadonlySet<string> = new Set(['symbol', 'decimals', 'usd_price', 'card_currencies'])
const TOKEN_MEMBERS: ReadonlySet<string> = new Set([...NATIVE_MEMBERS, 'address'])
