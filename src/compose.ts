import type { FastifyInstance } from 'fastify'
import type { ErrorCatalogue } from '#kernel/errors'
import {
  acquirerErrors,
  acquirerRoutes,
  Acquirers,
  ADAPTERS,
  noticeRoutes,
  type SimulatorAcquirer,
} from '#modules/acquirers'
import { auditLogRoutes, operatorLog, recordAudit, writeAudit } from '#modules/audit-log'
import { Authenticator, Businesses, businessErrors, businessRoutes } from '#modules/businesses'
import { bulkActionErrors, bulkActionRoutes, BulkActions } from '#modules/bulk-actions'
import { cardErrors, cardRoutes, Cards } from '#modules/cards'
import { checkoutErrors, checkoutPages } from '#modules/checkout'
import { consolePages } from '#modules/console'
import { customerErrors, customerRoutes, Customers } from '#modules/customers'
import { disputeErrors, disputeRoutes, Disputes } from '#modules/disputes'
import { hasOrderSince, notifyUrls, paymentErrors, paymentRoutes, Payments } from '#modules/payments'
import { personalDataErrors, PersonalDataModule, personalDataRoutes } from '#modules/personal-data'
import { reconciliationErrors, reconciliationRoutes, Reconciliations } from '#modules/reconciliation'
import { RequestLog, requestLogErrors, requestLogRoutes } from '#modules/request-log'
import { callbackUrlsOf, Recurring, recurringErrors, recurringRoutes } from '#modules/recurring'
import { reportRoutes, Reports } from '#modules/reports'
import { SandboxClock, sandboxErrors, sandboxRoutes } from '#modules/sandbox'
import { searchRoutes, SearchService } from '#modules/search'
import { timelineRoutes, Timelines } from '#modules/timelines'
import { type WalletConfiguration, walletErrors, walletRoutes, Wallets } from '#modules/wallets'
import { type OidcSettings, type RecordAccess, userRoutes, Users, usersErrors } from '#modules/users'
import { DELIVERIES_TABLE, MESSAGE_SCHEMAS, webhookErrors, webhookRoutes, Webhooks } from '#modules/webhooks'
import type { Database } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import type { ObserveRun } from '#platform/jobs/job-metrics'
import type { Egress } from '#platform/security/egress'
import { EventLog } from '#platform/events/events'
import type { Authenticate } from '#platform/http/authorization'
import type { EventSchemas } from '#platform/http/openapi/webhooks'
import type { RequestRecorder } from '#platform/http/routes/request-recorder'
import type { Route } from '#platform/http/routes/route'
import type { WriteAudit } from '#platform/http/routes/write-audit'
import { idempotencyPurge } from '#platform/idempotency/idempotency'
import { PartitionUpkeep } from '#platform/postgres/partitions/partition-upkeep'
import type { Mailer } from '#platform/mail/mailer'
import type { Recoveries } from '#platform/processes/recoveries'
import type { Keyring } from '#platform/security/keyring'
import { Links } from '#platform/security/links'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'
import { PERSONAL_DATA } from './maintenance.ts'
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

/**
 * - `onFailure`, `onRun`: Count a failed and measure a finished run of a job.
 * - `workers`: What a worker process runs beside jobs: webhook deliveries, chain watchers, partitions.
 * - `close`: Writes what is left of the request log, and ends connections to acquirers once their open calls are answered.
 */
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
  const { db, keyring, egress, publicUrl, metrics, log, oidc, mailer } = deps
  const { onEvent, onFailure, onRun, onAttempt, onDecision } = observers(metrics.registry, db)
  const events = new EventLog({ onWritten: onEvent, days: deps.eventDays })
  const links = new Links(keyring, publicUrl)
  const businesses = new Businesses({ db, keyring })
  const auditLog = { db, businesses, log }
  const requestLog = new RequestLog({
    db,
    businesses,
    registry: metrics.registry,
    log,
    days: deps.requestLogDays ?? 0,
  })
  const authenticator = new Authenticator({ db, publicUrl })
  const recordAccess: RecordAccess = ({ outcome, ...action }) => recordAudit(db, action, outcome)
  const access = { recordAccess, operatorLog: operatorLog(db) }
  const users = new Users({ db, keyring, businesses, publicUrl, oidc, mailer, log, ...access })
  const acquirers = new Acquirers({
    db,
    keyring,
    egress,
    businesses,
    simulator: deps.simulator,
    adapters: ADAPTERS,
    publicUrl,
    registry: metrics.registry,
    log,
    ...(deps.acquirerTimeoutMs !== undefined && { timeoutMs: deps.acquirerTimeoutMs }),
  })
  const mayReceiveWebhooks = (url: string) => egress.checkUrl(url) === undefined
  const customers = new Customers({ db, events, acquirers, businesses, keyring, links })
  const payments = new Payments({
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
  const disputes = new Disputes({ db, events, acquirers, payments, businesses })
  const reconciliations = new Reconciliations({ db, acquirers, payments, disputes })
  acquirers.onAccountCreated(async (tx, accountId) => {
    await disputes.onAccountCreated(tx, accountId)
    await reconciliations.onAccountCreated(tx, accountId)
  })
  acquirers.onNotice(async (tx, { accountId, subject }) => {
    if (subject.kind === 'dispute') await disputes.onNotice(tx, accountId, subject.reference)
  })
  const recurring = new Recurring({ db, events, customers, payments, businesses, mayReceiveWebhooks })
  payments.onOrdersChanged(recurring.handleOrderChanges)
  acquirers.onNotice((tx, notice) => payments.handleNotice(tx, notice))
  acquirers.onNotice((tx, notice) => customers.handleNotice(tx, notice))
  const webhooks = new Webhooks({
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
  const wallets = new Wallets({
    db,
    events,
    businesses,
    configuration: deps.wallets,
    log,
    registry: metrics.registry,
  })
  const cards = new Cards({ db, events, businesses, keyring, egress, funding: wallets.funding, onDecision })
  const search = new SearchService({
    db,
    sources: [
      { scope: 'payments:read', search: (tx, query) => payments.search(tx, query) },
      { scope: 'customers:read', search: (tx, query) => customers.search(tx, query) },
      { scope: 'recurring:read', search: (tx, query) => recurring.search(tx, query) },
      { scope: 'cards:read', search: (tx, query) => cards.search(tx, query) },
      { scope: 'wallets:read', search: (tx, query) => wallets.search(tx, query) },
      { scope: 'payments:read', search: (tx, query) => disputes.search(tx, query) },
      { scope: 'logs:read', search: (tx, query) => requestLog.search(tx, query) },
    ],
  })
  const timelines = new Timelines({ db, businesses, acquirers, payments, disputes, recurring, webhooks })
  const bulkActions = new BulkActions({
    db,
    log,
    lostRight: (caller, scope) =>
      (caller.actor.type === 'user' ? users : businesses).lostRight(caller, scope),
    businesses,
    payments,
    recurring,
    webhooks,
  })
  const reports = new Reports({ db, businesses, payments, disputes, recurring, webhooks, bulkActions })
  payments.onOrdersChanged(reports.handleOrderChanges)
  const personalData = new PersonalDataModule({ db, customers, data: PERSONAL_DATA, hasOrderSince })
  // While a clock is advanced, jobs that are due at the same moment run in this order: outcomes of the past come before
  // anything new.
  const jobs = [
    ...acquirers.jobs,
    ...customers.jobs,
    ...payments.jobs,
    ...disputes.jobs,
    ...reconciliations.jobs,
    ...recurring.jobs,
    ...cards.jobs,
    ...webhooks.jobs,
    ...bulkActions.jobs,
    ...reports.jobs,
    ...personalData.jobs,
    ...businesses.jobs,
    idempotencyPurge(db),
  ]
  const partitionedTables = [...requestLog.tables, ...events.partitionedTables, DELIVERIES_TABLE]
  const partitions = new PartitionUpkeep({ db, log }, partitionedTables)
  const clock = new SandboxClock({ db, businesses, jobs, log })
  clock.onMoved((tx) => webhooks.onClockMoved(tx))
  return {
    businesses,
    users,
    clock,
    authenticate: (request) =>
      request.headers.authorization === undefined && request.headers.cookie !== undefined
        ? users.authenticate(request)
        : authenticator.authenticate(request),
    recorder: requestLog.recorder,
    audit: writeAudit(auditLog),
    routes: [
      ...businessRoutes(businesses),
      ...userRoutes(users),
      ...acquirerRoutes(acquirers),
      ...customerRoutes(customers),
      ...paymentRoutes(payments),
      ...disputeRoutes(disputes),
      ...reconciliationRoutes(reconciliations),
      ...recurringRoutes(recurring),
      ...cardRoutes(cards),
      ...walletRoutes(wallets),
      ...webhookRoutes(webhooks),
      ...requestLogRoutes(requestLog),
      ...auditLogRoutes(auditLog),
      ...searchRoutes(search),
      ...timelineRoutes(timelines),
      ...bulkActionRoutes(bulkActions),
      ...personalDataRoutes(personalData),
      ...reportRoutes(reports),
      ...sandboxRoutes(clock, { db, simulator: deps.simulator }),
    ],
    events: MESSAGE_SCHEMAS,
    pages: (app) => {
      const limitsPosts = deps.rateLimit > 0
      checkoutPages({
        db,
        log,
        links,
        payments,
        customers,
        acquirers,
        recurring,
        businesses,
        keyring,
        mailer,
        limitsPosts,
      })(app)
      noticeRoutes(acquirers, { limitsPosts })(app)
      consolePages({ publicUrl })(app)
      users.sessionApi(app)
      deps.simulatorPages?.(app)
    },
    catalogues: [
      businessErrors.catalogue,
      usersErrors.catalogue,
      acquirerErrors.catalogue,
      customerErrors.catalogue,
      paymentErrors.catalogue,
      disputeErrors.catalogue,
      reconciliationErrors.catalogue,
      recurringErrors.catalogue,
      cardErrors.catalogue,
      walletErrors.catalogue,
      webhookErrors.catalogue,
      bulkActionErrors.catalogue,
      personalDataErrors.catalogue,
      checkoutErrors.catalogue,
      sandboxErrors.catalogue,
      requestLogErrors.catalogue,
    ],
    jobs: [...jobs, clock.job],
    onFailure,
    onRun,
    workers: [webhooks, wallets.watcher, partitions],
    close: async () => {
      await requestLog.close()
      await acquirers.close()
    },
  }
}
