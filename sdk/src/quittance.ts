import { Client, type ClientOptions } from './client.ts'
import { apiKeysOf, brandingOf, encryptionKeyOf, sandboxOf, signingKeyOf } from './resources/account.ts'
import { acquirerAccountsOf, routingOf } from './resources/acquirers.ts'
import { bankEntriesOf, bankStatementsOf } from './resources/bank-transfers.ts'
import { deliveryBulkActionsOf, paymentBulkActionsOf, planBulkActionsOf } from './resources/bulk-actions.ts'
import { cardAuthorizationsOf, cardsOf, decisionHookOf } from './resources/cards.ts'
import { pricesOf, productsOf } from './resources/catalogue.ts'
import {
  billingDetailsOf,
  billingSettingsOf,
  legalEntitiesOf,
  taxEngineOf,
  taxRatesOf,
} from './resources/billing.ts'
import { dunningPoliciesOf } from './resources/dunning-policies.ts'
import { invoicesOf } from './resources/invoices.ts'
import { couponsOf, promotionCodesOf } from './resources/coupons.ts'
import { customerSessionsOf, customersOf, paymentTokensOf } from './resources/customers.ts'
import { deliveriesOf, eventsOf, webhookEndpointsOf } from './resources/events.ts'
import { disputesOf, reconciliationsOf } from './resources/disputes.ts'
import { personalDataOf } from './resources/personal-data.ts'
import { invitationsOf, membersOf } from './resources/members.ts'
import { auditEntriesOf, requestsOf } from './resources/logs.ts'
import { ordersOf, transactionsOf } from './resources/orders.ts'
import { billingConfigsOf, plansOf, recurringItemsOf } from './resources/recurring.ts'
import { reportsOf } from './resources/reports.ts'
import { searchOf } from './resources/search.ts'
import { feeRulesOf, walletsOf } from './resources/wallets.ts'

/**
 * A client of the Quittance API.
 *
 * A method returns the object that the response holds, or all members of the response where it holds several. Members
 * have the names of the API. Amounts are decimal strings.
 */
export class Quittance {
  readonly orders: ReturnType<typeof ordersOf>
  readonly transactions: ReturnType<typeof transactionsOf>
  readonly customers: ReturnType<typeof customersOf>
  readonly customerSessions: ReturnType<typeof customerSessionsOf>
  readonly paymentTokens: ReturnType<typeof paymentTokensOf>
  readonly plans: ReturnType<typeof plansOf>
  readonly products: ReturnType<typeof productsOf>
  readonly prices: ReturnType<typeof pricesOf>
  readonly dunningPolicies: ReturnType<typeof dunningPoliciesOf>
  readonly invoices: ReturnType<typeof invoicesOf>
  readonly bankStatements: ReturnType<typeof bankStatementsOf>
  readonly bankEntries: ReturnType<typeof bankEntriesOf>
  readonly coupons: ReturnType<typeof couponsOf>
  readonly promotionCodes: ReturnType<typeof promotionCodesOf>
  readonly legalEntities: ReturnType<typeof legalEntitiesOf>
  readonly billingSettings: ReturnType<typeof billingSettingsOf>
  readonly billingDetails: ReturnType<typeof billingDetailsOf>
  readonly taxRates: ReturnType<typeof taxRatesOf>
  readonly taxEngine: ReturnType<typeof taxEngineOf>
  readonly recurringItems: ReturnType<typeof recurringItemsOf>
  readonly billingConfigs: ReturnType<typeof billingConfigsOf>
  readonly cards: ReturnType<typeof cardsOf>
  readonly cardAuthorizations: ReturnType<typeof cardAuthorizationsOf>
  readonly decisionHook: ReturnType<typeof decisionHookOf>
  readonly wallets: ReturnType<typeof walletsOf>
  readonly feeRules: ReturnType<typeof feeRulesOf>
  readonly events: ReturnType<typeof eventsOf>
  readonly webhookEndpoints: ReturnType<typeof webhookEndpointsOf>
  readonly deliveries: ReturnType<typeof deliveriesOf>
  readonly disputes: ReturnType<typeof disputesOf>
  readonly personalData: ReturnType<typeof personalDataOf>
  readonly reconciliations: ReturnType<typeof reconciliationsOf>
  readonly acquirerAccounts: ReturnType<typeof acquirerAccountsOf>
  readonly routing: ReturnType<typeof routingOf>
  readonly members: ReturnType<typeof membersOf>
  readonly invitations: ReturnType<typeof invitationsOf>
  readonly reports: ReturnType<typeof reportsOf>
  readonly paymentBulkActions: ReturnType<typeof paymentBulkActionsOf>
  readonly planBulkActions: ReturnType<typeof planBulkActionsOf>
  readonly deliveryBulkActions: ReturnType<typeof deliveryBulkActionsOf>
  readonly branding: ReturnType<typeof brandingOf>
  readonly signingKey: ReturnType<typeof signingKeyOf>
  readonly encryptionKey: ReturnType<typeof encryptionKeyOf>
  readonly apiKeys: ReturnType<typeof apiKeysOf>
  readonly requests: ReturnType<typeof requestsOf>
  readonly auditEntries: ReturnType<typeof auditEntriesOf>
  readonly search: ReturnType<typeof searchOf>
  readonly sandbox: ReturnType<typeof sandboxOf>

  constructor(options: ClientOptions) {
    const client = new Client(options)
    this.orders = ordersOf(client)
    this.transactions = transactionsOf(client)
    this.customers = customersOf(client)
    this.customerSessions = customerSessionsOf(client)
    this.paymentTokens = paymentTokensOf(client)
    this.plans = plansOf(client)
    this.products = productsOf(client)
    this.prices = pricesOf(client)
    this.dunningPolicies = dunningPoliciesOf(client)
    this.invoices = invoicesOf(client)
    this.bankStatements = bankStatementsOf(client)
    this.bankEntries = bankEntriesOf(client)
    this.coupons = couponsOf(client)
    this.promotionCodes = promotionCodesOf(client)
    this.legalEntities = legalEntitiesOf(client)
    this.billingSettings = billingSettingsOf(client)
    this.billingDetails = billingDetailsOf(client)
    this.taxRates = taxRatesOf(client)
    this.taxEngine = taxEngineOf(client)
    this.recurringItems = recurringItemsOf(client)
    this.billingConfigs = billingConfigsOf(client)
    this.cards = cardsOf(client)
    this.cardAuthorizations = cardAuthorizationsOf(client)
    this.decisionHook = decisionHookOf(client)
    this.wallets = walletsOf(client)
    this.feeRules = feeRulesOf(client)
    this.events = eventsOf(client)
    this.webhookEndpoints = webhookEndpointsOf(client)
    this.deliveries = deliveriesOf(client)
    this.disputes = disputesOf(client)
    this.personalData = personalDataOf(client)
    this.reconciliations = reconciliationsOf(client)
    this.acquirerAccounts = acquirerAccountsOf(client)
    this.routing = routingOf(client)
    this.members = membersOf(client)
    this.invitations = invitationsOf(client)
    this.reports = reportsOf(client)
    this.paymentBulkActions = paymentBulkActionsOf(client)
    this.planBulkActions = planBulkActionsOf(client)
    this.deliveryBulkActions = deliveryBulkActionsOf(client)
    this.branding = brandingOf(client)
    this.signingKey = signingKeyOf(client)
    this.encryptionKey = encryptionKeyOf(client)
    this.apiKeys = apiKeysOf(client)
    this.requests = requestsOf(client)
    this.auditEntries = auditEntriesOf(client)
    this.search = searchOf(client)
    this.sandbox = sandboxOf(client)
  }
}
