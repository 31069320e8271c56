import { realClock } from '#kernel/clock'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { AcquirerAccount, SealedAccount } from './model/account.ts'
import { type Connection, Connections } from './accounts/connections.ts'
import {
  AccountStatistics,
  addAccountGauges,
  createAcquirerMetrics,
  observed,
} from './accounts/statistics.ts'
import { ADAPTERS } from './capabilities.ts'
import type { AccountCreatedHandler, AcquirersContext } from './context.ts'
import type { AcquirersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { NOTICES } from './job-names.ts'
import { type ConfirmFailure, noticeJob, type NoticeHandler, noticePurgeJob } from './jobs.ts'
import { receiveNotices } from './notices/receive-notice.ts'
import type { AcquirerAdapter, BrowserComponent, ConnectedAcquirer, Wallets } from './port/adapter.ts'
import type { Disputes } from './port/disputes.ts'
import type { SettlementReports } from './port/settlement.ts'
import type { LaterFailure, ReadNotices, ReportedFailure } from './port/notices.ts'
import type { Acquirer } from './port/port.ts'
import {
  PAGE_METHODS,
  type RoutedAccount,
  type Router,
  type RoutingQuestion,
  SIMULATOR_ACCOUNT,
} from './model/router.ts'
import { type RoutingConfiguration, RoutingConfigurations } from './routing/routing-configuration.ts'
import { hasPageFor, routableAccounts, RouteChooser, type Tenant } from './routing/tenant-router.ts'
import { type ChargeAtAccount, noticesAbout, repeatNotices } from './storage/notice.repository.ts'

function adapterOf(acquirerName: string): AcquirerAdapter | undefined {
  return Object.values(ADAPTERS).find(({ name }) => name === acquirerName)
}

export interface AccountComponent extends BrowserComponent {
  readonly accountId: string
}

type PageMethod = (typeof PAGE_METHODS)[number]

export interface PaymentOffer {
  readonly methods: ReadonlySet<PageMethod>
  readonly wallets: Wallets
  readonly cardAcquirer: string
  readonly component: AccountComponent | null
}

/**
 * - `router`: Routes payments by the tenant's configuration, which is cached for a second.
 * - `open`: Opens disabled accounts too, because earlier operations may still be under way there. Throws 503 for an
 *   unknown account.
 * - `offer`: How an order can be paid on its page now, with the real wallet behind each method. `cardAcquirer` would charge a card, '' if none would. The component belongs to the account that would charge a card. It
 *   is null for the simulator and for accounts that take raw card numbers, whose page has our own form. `preferred` is
 *   chosen if the rules allow it, so that a payer's page does not change between two requests.
 */
export class Acquirers {
  readonly context: AcquirersContext
  readonly #simulatorFor: (businessId: string) => Acquirer
  readonly #connections: Connections
  readonly #noticeHandlers: NoticeHandler[] = []
  readonly jobs: readonly Job[]
  readonly noticesAbout = noticesAbout

  constructor(deps: AcquirersDependencies) {
    const statistics = new AccountStatistics()
    this.context = {
      ...deps,
      configurations: new RoutingConfigurations(deps.db),
      statistics,
      chooser: new RouteChooser(statistics),
      accountCreated: [],
      connected: (...account) => this.#connections.of(...account).connected,
    }
    const observe = createAcquirerMetrics(deps.registry)
    addAccountGauges(deps.registry, statistics)
    this.#connections = new Connections(deps, statistics, observe)
    this.#simulatorFor = (businessId) =>
      observed(deps.simulator.forTenant(businessId), (operation, kind, durationMs) =>
        observe(deps.simulator.name, operation, kind, durationMs),
      )
    const confirmFailure: ConfirmFailure = async (businessId, notice) => {
      const { confirmFailure: ask } = await this.connected(businessId, notice.accountId)
      return ask?.(notice)
    }
    this.jobs = [noticeJob({ ...deps, confirmFailure }, this.#noticeHandlers), noticePurgeJob(deps)]
  }

  async router(tenant: Tenant): Promise<Router> {
    const configuration = await this.context.configurations.get(tenant.businessId)
    const routed = (id: string) => this.#routedAccount(configuration, id)
    const active = routableAccounts(tenant, configuration).filter(({ state }) => state === 'active')
    return {
      first: active[0] === undefined ? null : routed(active[0].id),
      hasPageFor: (currency) => hasPageFor(active, currency),
      takesWallet: (method) => active.some(({ methods }) => methods.includes(method)),
      account: (id) => (active.some((account) => account.id === id) ? routed(id) : null),
      route: (question) => {
        const { account, fallback } = this.context.chooser.take(tenant, configuration, question)
        return account === null ? [] : [account, ...fallback].map(routed)
      },
    }
  }

  async open(businessId: string, accountId: string): Promise<Acquirer> {
    if (accountId === SIMULATOR_ACCOUNT) return this.#simulatorFor(businessId)
    return (await this.#connection(businessId, accountId)).acquirer
  }

  async connected(businessId: string, accountId: string): Promise<ConnectedAcquirer> {
    return (await this.#connection(businessId, accountId)).connected
  }

  async disputesOf(businessId: string, accountId: string): Promise<Disputes> {
    if (accountId === SIMULATOR_ACCOUNT) return this.context.simulator.disputesOf(businessId)
    return (await this.connected(businessId, accountId)).disputes
  }

  async settlementOf(businessId: string, accountId: string): Promise<SettlementReports> {
    if (accountId === SIMULATOR_ACCOUNT) return this.context.simulator.settlementOf(businessId)
    return (await this.connected(businessId, accountId)).settlement
  }

  settleAtSimulator(businessId: string, keys: readonly string[]): Promise<boolean> {
    return this.context.simulator.settle(businessId, keys)
  }

  async accounts(businessId: string): Promise<readonly AcquirerAccount[]> {
    return (await this.context.configurations.get(businessId)).accounts
  }

  async offer(
    tenant: Tenant,
    payment: Pick<RoutingQuestion, 'amount' | 'source'>,
    preferred: string | null,
  ): Promise<PaymentOffer> {
    const configuration = await this.context.configurations.get(tenant.businessId)
    const accountFor = (paymentMethod: PageMethod): string | null => {
      const instrument = paymentMethod === 'credit_card' ? 'any' : 'wallet'
      const question = {
        ...payment,
        paymentMethod,
        instrument,
        brand: null,
        country: null,
        boundTo: null,
      } as const
      return this.context.chooser.prefer(tenant, configuration, question, preferred).account
    }
    const methods = new Set(PAGE_METHODS.filter((method) => accountFor(method) !== null))
    const walletsFor = (method: PageMethod): Wallets | undefined => {
      const account = accountFor(method)
      return account === null ? undefined : this.#routedAccount(configuration, account).wallets
    }
    const wallets = {
      walletA: walletsFor('wallet_a_pay')?.walletA ?? null,
      walletB: walletsFor('wallet_b')?.walletB ?? null,
    }
    const cardAccount = accountFor('credit_card')
    const cardAcquirer =
      cardAccount === null ? '' : this.#routedAccount(configuration, cardAccount).acquirerName
    const chosen = configuration.accounts.find(({ id }) => id === cardAccount)
    if (chosen === undefined || chosen.rawCardNumbers)
      return { methods, wallets, cardAcquirer, component: null }
    const { connected } = this.#connections.of(tenant.businessId, tenant.environment, chosen)
    return {
      methods,
      wallets,
      cardAcquirer,
      component: { ...connected.component, accountId: chosen.id },
    }
  }

  /** Call it when charges fail because their keys are closed. Notices of holds for them are handled again. */
  repeatHolds(tx: Tx, charges: readonly ChargeAtAccount[]): Promise<void> {
    return this.#repeatNotices(tx, charges, 'hold')
  }

  async repeatFailures(
    tx: Tx,
    operations: readonly (ChargeAtAccount & { acquirerName: string })[],
  ): Promise<void> {
    const mayFail = operations.filter(
      ({ acquirerName }) => adapterOf(acquirerName)?.laterFailure !== undefined,
    )
    if (mayFail.length > 0) await this.#repeatNotices(tx, mayFail, 'failure')
  }

  async laterFailure(
    tx: Tx,
    { accountId, acquirerName }: { readonly accountId: string; readonly acquirerName: string },
    operation: Parameters<LaterFailure>[1],
  ): Promise<ReportedFailure | null> {
    const judge = adapterOf(acquirerName)?.laterFailure
    if (judge === undefined) return null
    const subjects = { keys: [operation.key], references: [operation.reference] }
    return judge(await noticesAbout(tx, accountId, subjects), operation)
  }

  async #repeatNotices(tx: Tx, charges: readonly ChargeAtAccount[], kind: 'hold' | 'failure'): Promise<void> {
    const now = realClock.now()
    if ((await repeatNotices(tx, charges, kind, now)) > 0) await scheduleJob(tx, NOTICES, now, 'real')
  }

  onNotice(handler: NoticeHandler): void {
    this.#noticeHandlers.push(handler)
  }

  onAccountCreated(handler: AccountCreatedHandler): void {
    this.context.accountCreated.push(handler)
  }

  async receiveNotices(
    businessId: string,
    accountId: string,
    body: Buffer,
    headers: Parameters<ReadNotices>[0]['headers'],
  ): Promise<void> {
    const account = await this.#account(businessId, accountId)
    if (account === undefined) throw errors.acquirer_account_not_found()
    const { readNotices } = (await this.#connect(businessId, account)).connected
    await receiveNotices(this.context.db, { businessId, accountId, readNotices }, body, headers)
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #connection(businessId: string, accountId: string): Promise<Connection> {
    const account = await this.#account(businessId, accountId)
    if (account === undefined) throw errors.acquirer_not_configured()
    return this.#connect(businessId, account)
  }

  async #connect(businessId: string, account: SealedAccount): Promise<Connection> {
    const { environment } = await this.context.businesses.profile(businessId)
    return this.#connections.of(businessId, environment, account)
  }

  async #account(businessId: string, id: string): Promise<SealedAccount | undefined> {
    const find = async () =>
      (await this.context.configurations.get(businessId)).accounts.find((account) => account.id === id)
    const cached = await find()
    if (cached !== undefined) return cached
    this.context.configurations.drop(businessId)
    return find()
  }

  #routedAccount({ accounts }: RoutingConfiguration, id: string): RoutedAccount {
    const account = accounts.find((candidate) => candidate.id === id)
    if (account === undefined) {
      const { name, merchantId, capabilities } = this.context.simulator
      return { id, acquirerName: name, merchantId, capabilities }
    }
    const { name, capabilities } = this.context.adapters[account.acquirer]
    const { merchantId, wallets } = account
    return { id, acquirerName: name, merchantId, capabilities, wallets }
  }
}
