import { Client, type ClientOptions } from './client.ts'
import { type Methods, methodsOf } from './methods.ts'
import {
  apiKeys,
  businessBranding,
  businessSettings,
  encryptionKey,
  sandbox,
  signingKey,
} from './resources/account.ts'
import { acquirerAccounts, paymentRouting } from './resources/acquirers.ts'
import { bankEntries, bankStatements } from './resources/bank-transfers.ts'
import { deliveryBulkActions, paymentBulkActions, planBulkActions } from './resources/bulk-actions.ts'
import { cardAuthorizations, cards, decisionHook } from './resources/cards.ts'
import { prices, products } from './resources/catalogue.ts'
import {
  billingDetails,
  billingSettings,
  exchangeRates,
  legalEntities,
  taxEngine,
  taxRates,
} from './resources/billing.ts'
import { dunningPolicies } from './resources/dunning-policies.ts'
import { invoices } from './resources/invoices.ts'
import { messages, messageSettings, messageTemplates, suppressions } from './resources/messages.ts'
import { coupons, promotionCodes } from './resources/coupons.ts'
import { customerNotes, customerSessions, customers, paymentTokens } from './resources/customers.ts'
import { deliveries, events, webhookEndpoints } from './resources/events.ts'
import { disputes, reconciliations } from './resources/disputes.ts'
import { personalData } from './resources/personal-data.ts'
import { invitations, members } from './resources/members.ts'
import { auditEntries, requests } from './resources/logs.ts'
import { orders, transactions } from './resources/orders.ts'
import { billingConfigs, plans, recurringItems } from './resources/recurring.ts'
import { portal } from './resources/portal.ts'
import { reports } from './resources/reports.ts'
import { search } from './resources/search.ts'
import { feeRules, wallets } from './resources/wallets.ts'

/**
 * A client of the Quittance API.
 *
 * A method returns the object that the response holds, or all members of the response where it holds several. Members
 * have the names of the API. Amounts are decimal strings.
 */
export class Quittance {
  readonly orders: Methods<typeof orders>
  readonly transactions: Methods<typeof transactions>
  readonly customers: Methods<typeof customers>
  readonly customerNotes: Methods<typeof customerNotes>
  readonly customerSessions: Methods<typeof customerSessions>
  readonly paymentTokens: Methods<typeof paymentTokens>
  readonly plans: Methods<typeof plans>
  readonly products: Methods<typeof products>
  readonly prices: Methods<typeof prices>
  readonly dunningPolicies: Methods<typeof dunningPolicies>
  readonly invoices: Methods<typeof invoices>
  readonly messages: Methods<typeof messages>
  readonly messageSettings: Methods<typeof messageSettings>
  readonly messageTemplates: Methods<typeof messageTemplates>
  readonly suppressions: Methods<typeof suppressions>
  readonly bankStatements: Methods<typeof bankStatements>
  readonly bankEntries: Methods<typeof bankEntries>
  readonly coupons: Methods<typeof coupons>
  readonly promotionCodes: Methods<typeof promotionCodes>
  readonly legalEntities: Methods<typeof legalEntities>
  readonly billingSettings: Methods<typeof billingSettings>
  readonly billingDetails: Methods<typeof billingDetails>
  readonly taxRates: Methods<typeof taxRates>
  readonly exchangeRates: Methods<typeof exchangeRates>
  readonly taxEngine: Methods<typeof taxEngine>
  readonly recurringItems: Methods<typeof recurringItems>
  readonly billingConfigs: Methods<typeof billingConfigs>
  readonly cards: Methods<typeof cards>
  readonly cardAuthorizations: Methods<typeof cardAuthorizations>
  readonly decisionHook: Methods<typeof decisionHook>
  readonly wallets: Methods<typeof wallets>
  readonly feeRules: Methods<typeof feeRules>
  readonly events: Methods<typeof events>
  readonly webhookEndpoints: Methods<typeof webhookEndpoints>
  readonly deliveries: Methods<typeof deliveries>
  readonly disputes: Methods<typeof disputes>
  readonly personalData: Methods<typeof personalData>
  readonly reconciliations: Methods<typeof reconciliations>
  readonly acquirerAccounts: Methods<typeof acquirerAccounts>
  readonly routing: Methods<typeof paymentRouting>
  readonly members: Methods<typeof members>
  readonly invitations: Methods<typeof invitations>
  readonly portal: Methods<typeof portal>
  readonly reports: Methods<typeof reports>
  readonly paymentBulkActions: Methods<typeof paymentBulkActions>
  readonly planBulkActions: Methods<typeof planBulkActions>
  readonly deliveryBulkActions: Methods<typeof deliveryBulkActions>
  readonly business: Methods<typeof businessSettings>
  readonly branding: Methods<typeof businessBranding>
  readonly signingKey: Methods<typeof signingKey>
  readonly encryptionKey: Methods<typeof encryptionKey>
  readonly apiKeys: Methods<typeof apiKeys>
  readonly requests: Methods<typeof requests>
  readonly auditEntries: Methods<typeof auditEntries>
  readonly search: ReturnType<typeof search>
  readonly sandbox: Methods<typeof sandbox>

  constructor(options: ClientOptions) {
    const client = new Client(options)
    this.orders = methodsOf(orders, client)
    this.transactions = methodsOf(transactions, client)
    this.customers = methodsOf(customers, client)
    this.customerNotes = methodsOf(customerNotes, client)
    this.customerSessions = methodsOf(customerSessions, client)
    this.paymentTokens = methodsOf(paymentTokens, client)
    this.plans = methodsOf(plans, client)
    this.products = methodsOf(products, client)
    this.prices = methodsOf(prices, client)
    this.dunningPolicies = methodsOf(dunningPolicies, client)
    this.invoices = methodsOf(invoices, client)
    this.messages = methodsOf(messages, client)
    this.messageSettings = methodsOf(messageSettings, client)
    this.messageTemplates = methodsOf(messageTemplates, client)
    this.suppressions = methodsOf(suppressions, client)
    this.bankStatements = methodsOf(bankStatements, client)
    this.bankEntries = methodsOf(bankEntries, client)
    this.coupons = methodsOf(coupons, client)
    this.promotionCodes = methodsOf(promotionCodes, client)
    this.legalEntities = methodsOf(legalEntities, client)
    this.billingSettings = methodsOf(billingSettings, client)
    this.billingDetails = methodsOf(billingDetails, client)
    this.taxRates = methodsOf(taxRates, client)
    this.exchangeRates = methodsOf(exchangeRates, client)
    this.taxEngine = methodsOf(taxEngine, client)
    this.recurringItems = methodsOf(recurringItems, client)
    this.billingConfigs = methodsOf(billingConfigs, client)
    this.cards = methodsOf(cards, client)
    this.cardAuthorizations = methodsOf(cardAuthorizations, client)
    this.decisionHook = methodsOf(decisionHook, client)
    this.wallets = methodsOf(wallets, client)
    this.feeRules = methodsOf(feeRules, client)
    this.events = methodsOf(events, client)
    this.webhookEndpoints = methodsOf(webhookEndpoints, client)
    this.deliveries = methodsOf(deliveries, client)
    this.disputes = methodsOf(disputes, client)
    this.personalData = methodsOf(personalData, client)
    this.reconciliations = methodsOf(reconciliations, client)
    this.acquirerAccounts = methodsOf(acquirerAccounts, client)
    this.routing = methodsOf(paymentRouting, client)
    this.members = methodsOf(members, client)
    this.invitations = methodsOf(invitations, client)
    this.portal = methodsOf(portal, client)
    this.reports = methodsOf(reports, client)
    this.paymentBulkActions = methodsOf(paymentBulkActions, client)
    this.planBulkActions = methodsOf(planBulkActions, client)
    this.deliveryBulkActions = methodsOf(deliveryBulkActions, client)
    this.business = methodsOf(businessSettings, client)
    this.branding = methodsOf(businessBranding, client)
    this.signingKey = methodsOf(signingKey, client)
    this.encryptionKey = methodsOf(encryptionKey, client)
    this.apiKeys = methodsOf(apiKeys, client)
    this.requests = methodsOf(requests, client)
    this.auditEntries = methodsOf(auditEntries, client)
    this.search = search(client)
    this.sandbox = methodsOf(sandbox, client)
  }
}
