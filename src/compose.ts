import type { FastifyInstance } from 'fastify'
import type { ErrorCatalogue } from '#kernel/errors'
import { acquirersModule, ADAPTERS, SIMULATOR_ACCOUNT, type SimulatorAcquirer } from '#modules/acquirers'
import { auditLogModule, recordAudit } from '#modules/audit-log'
import { bulkActionsModule } from '#modules/bulk-actions'
import { bankTransfersModule } from '#modules/bank-transfers'
import { billingModule } from '#modules/billing'
import { Authenticator, type Businesses, businessesModule } from '#modules/businesses'
import { cardsModule } from '#modules/cards'
import { catalogueModule } from '#modules/catalogue'
import { checkoutModule } from '#modules/checkout'
import { consoleModule } from '#modules/console'
import { customersModule } from '#modules/customers'
import { disputesModule } from '#modules/disputes'
import { guideModule } from '#modules/guide'
import { invoicesModule } from '#modules/invoices'
import { messagesModule } from '#modules/messages'
import { hasOrderSince, notifyUrls, paymentsModule } from '#modules/payments'
import { personalDataModule } from '#modules/personal-data'
import { callbackUrlsOf, plansModule } from '#modules/plans'
import { PORTAL_PATH, portalModule } from '#modules/portal'
import { reconciliationModule } from '#modules/reconciliation'
import { reportsModule } from '#modules/reports'
import { requestLogModule } from '#modules/request-log'
import { type SandboxClock, sandboxModule } from '#modules/sandbox'
import { searchModule } from '#modules/search'
import { taxesModule } from '#modules/taxes'
import { timelinesModule } from '#modules/timelines'
import { type OidcSettings, type RecordAccess, type Users, usersModule } from '#modules/users'
import { type WalletConfiguration, walletsModule } from '#modules/wallets'
import { MESSAGE_SCHEMAS, webhooksModule } from '#modules/webhooks'
import { EventLog } from '#platform/events/events'
import { eventsModule } from '#platform/events/module'
import type { Authenticate } from '#platform/http/authorization'
import type { EventSchemas } from '#platform/http/openapi/webhooks'
import type { RequestRecorder } from '#platform/http/routes/request-recorder'
import type { Route } from '#platform/http/routes/route'
import type { WriteAudit } from '#platform/http/routes/write-audit'
import { idempotencyModule } from '#platform/idempotency/module'
import type { ObserveRun } from '#platform/jobs/job-metrics'
import type { Job } from '#platform/jobs/jobs'
import { HOUR_MS } from '#kernel/time-units'
import { PeriodicTasks } from '#platform/jobs/periodic-tasks'
import type { Mailer } from '#platform/mail/mailer'
import type { ConnectedModule, ModuleDefinition } from '#platform/module'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'
import type { Database } from '#platform/postgres/database'
import { ANALYZE_NEW_TABLES_MS, analyzeNewTables } from '#platform/postgres/migrations/new-tables'
import { keepPartitions } from '#platform/postgres/partitions/partitions'
import type { Recoveries } from '#platform/processes/recoveries'
import type { Egress } from '#platform/security/egress'
import type { Keyring } from '#platform/security/keyring'
import { Links } from '#platform/security/links'
import { PERSONAL_DATA } from './maintenance.ts'
import { type ModuleName, MODULES } from './modules.ts'
import { observers } from './observers.ts'

export interface CompositionDependencies {
  readonly db: Database
  readonly keyring: Keyring
  readonly simulatorPages?: (app: FastifyInstance) => void
  readonly simulator: SimulatorAcquirer
  readonly acquirerTimeoutMs?: number
  readonly egress: Egress
  readonly publicUrl: () => string
  readonly wallets: WalletConfiguration
  readonly metrics: Metrics
  readonly log: Log
  readonly rateLimit: number
  readonly requestLogDays?: number
  readonly eventDays?: number | undefined
  readonly oidc?: OidcSettings | undefined
  readonly mailer?: Mailer | undefined
  readonly recoveries?: Recoveries | undefined
}

export interface Composition {
  readonly businesses: Businesses
  readonly users: Users
  readonly clock: SandboxClock
  readonly authenticate: Authenticate
  readonly recorder: RequestRecorder | undefined
  readonly audit: WriteAudit
  readonly routes: readonly Route[]
  readonly events: EventSchemas
  readonly pages: (app: FastifyInstance) => void
  readonly catalogues: readonly ErrorCatalogue[]
  readonly jobs: readonly Job[]
  readonly onFailure: (job: string) => void
  readonly onRun: ObserveRun
  readonly workers: readonly { start(): void; stop(): Promise<void> }[]
  readonly close: () => Promise<void>
}

export function compose(deps: CompositionDependencies): Composition {
  const { db, keyring, egress, publicUrl, metrics, log, oidc, mailer, simulator } = deps
  const { registry } = metrics
  const { onEvent, onFailure, onRun, onAttempt, onDecision } = observers(registry, db)
  const events = new EventLog({ onWritten: onEvent, days: deps.eventDays })
  const links = new Links(keyring, publicUrl)
  const mayReceiveWebhooks = (url: string) => egress.checkUrl(url) === undefined
  const { connect, connected, allConnected } = connections()

  const { businesses } = connect(businessesModule, { db, keyring })
  const { recorder } = connect(requestLogModule, {
    db,
    businesses,
    registry,
    log,
    days: deps.requestLogDays ?? 0,
  })
  const { writeAudit, operatorLog } = connect(auditLogModule, { db, businesses, log })
  const recordAccess: RecordAccess = ({ outcome, ...action }) => recordAudit(db, action, outcome)
  const { users } = connect(usersModule, {
    db,
    keyring,
    businesses,
    publicUrl,
    oidc,
    mailer,
    log,
    recordAccess,
    operatorLog,
  })
  const { acquirers } = connect(acquirersModule, {
    db,
    keyring,
    egress,
    businesses,
    simulator,
    adapters: ADAPTERS,
    publicUrl,
    registry,
    log,
    ...(deps.acquirerTimeoutMs !== undefined && { timeoutMs: deps.acquirerTimeoutMs }),
  })
  const { customers } = connect(customersModule, {
    db,
    events,
    acquirers,
    businesses,
    actorNames: users.actorNames,
    keyring,
    links,
  })
  const { taxes } = connect(taxesModule, { db, events, customers, businesses, egress, keyring })
  const { payments } = connect(paymentsModule, {
    db,
    events,
    customers,
    acquirers,
    businesses,
    links,
    keyring,
    mayReceiveWebhooks,
    recoveries: deps.recoveries,
    log,
  })
  const { disputes } = connect(disputesModule, { db, events, acquirers, payments, businesses })
  const { reconciliations } = connect(reconciliationModule, {
    db,
    acquirers,
    businesses,
    payments,
    disputes,
  })
  const { invoices } = connect(invoicesModule, { db, events, customers, payments, taxes, businesses })
  const { bankTransfers } = connect(bankTransfersModule, {
    db,
    events,
    customers,
    payments,
    invoices,
    businesses,
  })
  const { catalogueRoutes } = connect(catalogueModule, { db, events, customers, businesses })
  connect(plansModule, undefined)
  const { billing } = connect(billingModule, {
    db,
    events,
    catalogueRoutes,
    customers,
    payments,
    invoices,
    taxes,
    businesses,
    mayReceiveWebhooks,
  })
  const { messages } = connect(messagesModule, {
    db,
    events,
    businesses,
    customers,
    payments,
    invoices,
    billing,
    links,
    publicUrl,
    emailOfUser: users.emailOf,
    mailer,
    log,
  })
  const { funding } = connect(walletsModule, {
    db,
    events,
    businesses,
    configuration: deps.wallets,
    log,
    registry,
  })
  connect(cardsModule, { db, events, businesses, keyring, egress, funding, onDecision })
  connect(eventsModule, events)
  const { webhooks } = connect(webhooksModule, {
    db,
    events,
    egress,
    keyring,
    businesses,
    log,
    onFailure,
    onRun,
    onAttempt,
    sources: [
      { receiversOf: async (_tx, appended) => notifyUrls(appended) },
      { receiversOf: callbackUrlsOf },
    ],
  })
  connect(timelinesModule, {
    db,
    businesses,
    users,
    customers,
    acquirers,
    payments,
    disputes,
    invoices,
    billing,
    messages,
    webhooks,
  })
  const { bulkActions } = connect(bulkActionsModule, {
    db,
    log,
    lostRight: (caller, scope) =>
      (caller.actor.type === 'user' ? users : businesses).lostRight(caller, scope),
    businesses,
    payments,
    billing,
    webhooks,
  })
  const { reports } = connect(reportsModule, {
    db,
    businesses,
    payments,
    invoices,
    disputes,
    reconciliations,
    billing,
    webhooks,
    bulkActions,
    bankTransfers,
    messages,
  })
  connect(personalDataModule, { db, customers, data: PERSONAL_DATA, hasOrderSince })
  connect(idempotencyModule, db)
  connect(checkoutModule, {
    db,
    log,
    links,
    payments,
    customers,
    acquirers,
    invoices,
    billing,
    businesses,
    keyring,
    mailer,
  })
  const { authenticateVisitor } = connect(portalModule, {
    db,
    keyring,
    publicUrl,
    links,
    audit: writeAudit,
    businesses,
    customers,
    taxes,
    payments,
    invoices,
    messages,
    billing,
  })
  connect(consoleModule, { publicUrl })
  connect(guideModule, { publicUrl })
  connect(searchModule, {
    db,
    customers,
    payments,
    sources: connected().flatMap(({ search }) => search ?? []),
  })
  const { clock } = connect(sandboxModule, {
    db,
    businesses,
    simulator,
    log,
    jobs: connected().flatMap(({ jobs }) => jobs ?? []),
  })

  acquirers.onAccountCreated(async (tx, accountId) => {
    await disputes.onAccountCreated(tx, accountId)
    await reconciliations.onAccountCreated(tx, accountId)
  })
  acquirers.onNotice(async (tx, { accountId, subject }) => {
    if (subject.kind === 'dispute') await disputes.onNotice(tx, accountId, subject.reference)
  })
  simulator.onDispute((businessId, reference) =>
    db.transact(businessId, async (tx) => {
      await disputes.onAccountCreated(tx, SIMULATOR_ACCOUNT)
      await disputes.onNotice(tx, SIMULATOR_ACCOUNT, reference)
    }),
  )
  acquirers.onNotice((tx, notice) => payments.handleNotice(tx, notice))
  acquirers.onNotice((tx, notice) => customers.handleNotice(tx, notice))
  customers.onDefaultToken(billing.handleDefaultToken)
  customers.readBilledCustomers(billing.findBilledCustomers)
  businesses.keepTimeZoneWhile(payments.hasTransactions)
  payments.onOrdersChanged(billing.handleOrderChanges)
  payments.readGivenCredit(billing.givenCredit)
  disputes.onMoneyMoved(payments.recordDisputed)
  disputes.onLost(payments.recordLost)
  disputes.onLost(billing.handleLostDispute)
  payments.onOrdersChanged(invoices.handleOrderChanges)
  payments.onOrdersChanged(bankTransfers.handleOrderChanges)
  invoices.onPlanDocuments(billing.handleDocuments)
  invoices.readSettlements(billing.movedCredit)
  bankTransfers.onMovedCredit(billing.addMovedCredit)
  payments.onOrdersChanged(messages.handleOrderChanges)
  invoices.onIssued(messages.handleIssued)
  billing.onPlansSaved(messages.handlePlans)
  customers.onCardsExpiring(messages.handleExpiringCards)
  payments.onOrdersChanged(reports.handleOrderChanges)
  clock.onMoved((tx) => webhooks.onClockMoved(tx))

  const modules = allConnected()
  const authenticator = new Authenticator({ db, publicUrl })
  const partitionedTables = modules.flatMap((module) => module.partitionedTables ?? [])
  const keepsPartitions = partitionedTables.map((table) => ({
    name: `partitions of ${table.name}`,
    run: () => keepPartitions(db.shared, table),
  }))
  return {
    businesses,
    users,
    clock,
    authenticate: (request) => {
      if (request.target.startsWith(PORTAL_PATH)) return authenticateVisitor(request)
      return request.headers.authorization === undefined && request.headers.cookie !== undefined
        ? users.authenticate(request)
        : authenticator.authenticate(request)
    },
    recorder,
    audit: writeAudit,
    routes: modules.flatMap(({ routes }) => routes ?? []),
    events: MESSAGE_SCHEMAS,
    pages: (app) => {
      for (const { pages } of modules) pages?.(app)
      deps.simulatorPages?.(app)
    },
    catalogues: MODULES.flatMap(({ errors }) => (errors === undefined ? [] : [errors])),
    jobs: modules.flatMap(({ jobs }) => jobs ?? []),
    onFailure,
    onRun,
    workers: [
      ...modules.flatMap(({ workers }) => workers ?? []),
      new PeriodicTasks(log, HOUR_MS, keepsPartitions),
      new PeriodicTasks(log, ANALYZE_NEW_TABLES_MS, [
        { name: 'new tables', run: () => analyzeNewTables(db) },
      ]),
    ],
    close: async () => {
      for (const { close } of modules) await close?.()
    },
  }
}

function connections() {
  const byName = new Map<ModuleName, ConnectedModule>()
  return {
    connect: <Dependencies, Connected extends ConnectedModule>(
      module: ModuleDefinition<ModuleName, Dependencies, Connected>,
      dependencies: Dependencies,
    ): Connected => {
      const connected = module.connect(dependencies)
      byName.set(module.name, connected)
      return connected
    },
    connected: () => MODULES.flatMap(({ name }) => byName.get(name) ?? []),
    allConnected: () =>
      MODULES.map(({ name }) => {
        const module = byName.get(name)
        if (module === undefined) throw new Error(`compose does not connect the module ${name}`)
        return module
      }),
  }
}
