import { LRUCache } from 'lru-cache'
import type { Currency } from '#kernel/currencies'
import { ADAPTERS } from '../capabilities.ts'
import type { AccountStatistics } from '../accounts/statistics.ts'
import {
  type ChooseAccount,
  decideRoute,
  type RoutableAccount,
  type RouteDecision,
  type RouteQuestion,
} from './decide-route.ts'
import { type Lags, peekByWeight, takeByWeight } from './distribution.ts'
import { PAGE_METHODS, SIMULATOR_ACCOUNT } from '../model/router.ts'
import type { RoutingConfiguration } from './routing-configuration.ts'
import { PAYMENT_METHODS } from '../model/account.ts'
import type { Environment } from '#platform/caller'
import { WALLET_METHODS } from '../model/wallets.ts'
import type { WeightedAccount } from '../model/rule.ts'

const MAX_DISTRIBUTIONS = 10_000

const WALLETS: ReadonlySet<string> = new Set(WALLET_METHODS)

const SIMULATOR: RoutableAccount = {
  id: SIMULATOR_ACCOUNT,
  state: 'active',
  methods: PAYMENT_METHODS.filter((method) => method !== 'fps'),
  currencies: [],
  rawCardNumbers: true,
}

export interface Tenant {
  readonly businessId: string
  readonly environment: Environment
}

/** The simulator does not take a wallet that an account takes. Otherwise it would take the currencies that the account refuses. */
export function routableAccounts(
  { environment }: Tenant,
  { accounts }: RoutingConfiguration,
): readonly RoutableAccount[] {
  const routable = accounts.map((account) => ({
    ...account,
    needsSecurityCode: ADAPTERS[account.acquirer].capabilities.needsSecurityCode,
  }))
  if (environment !== 'test') return routable
  const isTaken = (method: string) =>
    routable.some(({ state, methods }) => state === 'active' && methods.some((one) => one === method))
  const left = SIMULATOR.methods.filter((method) => !WALLETS.has(method) || !isTaken(method))
  return [...routable, { ...SIMULATOR, methods: left }]
}

export function hasPageFor(accounts: readonly RoutableAccount[], currency: Currency): boolean {
  return accounts.some(
    ({ state, currencies, methods }) =>
      state === 'active' &&
      (currencies.length === 0 || currencies.includes(currency)) &&
      PAGE_METHODS.some((method) => methods.includes(method)),
  )
}

export class RouteChooser {
  readonly #statistics: AccountStatistics
  readonly #lags = new LRUCache<string, Lags>({ max: MAX_DISTRIBUTIONS })

  constructor(statistics: AccountStatistics) {
    this.#statistics = statistics
  }

  take(tenant: Tenant, configuration: RoutingConfiguration, question: RouteQuestion): RouteDecision {
    return this.#decide(tenant, configuration, question, takeByWeight)
  }

  preview(tenant: Tenant, configuration: RoutingConfiguration, question: RouteQuestion): RouteDecision {
    return this.#decide(tenant, configuration, question, peekByWeight)
  }

  prefer(
    tenant: Tenant,
    configuration: RoutingConfiguration,
    question: RouteQuestion,
    preferred: string | null,
  ): RouteDecision {
    return this.#decide(tenant, configuration, question, (lags, able) => {
      return able.find(({ id }) => id === preferred) ?? peekByWeight(lags, able)
    })
  }

  #decide(
    tenant: Tenant,
    configuration: RoutingConfiguration,
    question: RouteQuestion,
    choose: typeof peekByWeight,
  ): RouteDecision {
    const chooseOfRule: ChooseAccount = (index, rule, able) => {
      const best = rule.by === 'success_rate' ? this.#mostSuccessful(able) : able
      const lags = this.#lagsOf(`${tenant.businessId} ${configuration.rulesVersion} ${index}`)
      return (choose(lags, best) ?? able[0])?.id ?? ''
    }
    return decideRoute(routableAccounts(tenant, configuration), configuration.rules, question, chooseOfRule)
  }

  #mostSuccessful(able: readonly WeightedAccount[]): readonly WeightedAccount[] {
    const rates = able.map(({ id }) => this.#statistics.of(id).successRate ?? 1)
    const highest = Math.max(...rates)
    return able.filter((_account, index) => rates[index] === highest)
  }

  #lagsOf(key: string): Lags {
    const known = this.#lags.get(key)
    if (known !== undefined) return known
    const lags: Lags = new Map()
    this.#lags.set(key, lags)
    return lags
  }
}
