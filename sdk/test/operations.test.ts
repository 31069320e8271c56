import { expect, test } from 'vitest'
import { operationsOf, readDescription } from '../scripts/describe.ts'
import { Portal, Quittance } from '../src/index.ts'
import { fakeFetch } from './fake-fetch.ts'

type Call = (quittance: Quittance, portal: Portal) => PromiseLike<unknown>

/** Stand for words in the path of a call. */
const KIND = 'KIND' as string as 'receipt'
const LANGUAGE = 'LANGUAGE' as string as 'en'
const CHANGE = { recurring_items: [{ recurring_item_id: 'i', quantity: 2 }] }
const PLAN = {
  name: 'Monthly',
  customer_uuid: 'cus_1',
  default_collection_method: 'charge_automatically',
  payment_retry_count: 1,
  payment_retry_day_period: 1,
  recurring_cycles: [] as [],
} as const
const PUBLIC_KEY = { kty: 'OKP', crv: 'Ed25519', x: 'x' } as const
const CARD = { reference_id: 'c-1', type: 'virtual', settlement_currency: 'HKD', mode: 'B2C' } as const
const PURCHASE = {
  amount: '1.50',
  currency: 'HKD',
  merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
  reference_id: 'a-1',
} as const

/** The method of the package for each operation of openapi.json. */
const CALLS: Readonly<Record<string, Call>> = {
  putAppsSelfSigningKey: (q) => q.signingKey.set(PUBLIC_KEY),
  getAppsSelfSigningKey: (q) => q.signingKey.get(),
  deleteAppsSelfSigningKey: (q) => q.signingKey.delete(),
  putAppsSelfEncryptionKey: (q) => q.encryptionKey.set(PUBLIC_KEY),
  getAppsSelfEncryptionKey: (q) => q.encryptionKey.get(),
  deleteAppsSelfEncryptionKey: (q) => q.encryptionKey.delete(),
  getMembers: (q) => q.members.list(),
  putMembersById: (q) => q.members.update('ID', { live_role: 'finance' }),
  deleteMembersById: (q) => q.members.remove('ID'),
  getMembersByIdSessions: (q) => q.members.listSessions('ID'),
  deleteMembersByIdSessions: (q) => q.members.endSessions('ID'),
  getInvitations: (q) => q.invitations.list(),
  postInvitations: (q) => q.invitations.create({ email: 'jo@example.com', test_role: 'developer' }),
  deleteInvitationsById: (q) => q.invitations.revoke('ID'),
  getBusiness: (q) => q.business.get(),
  putBusiness: (q) => q.business.set({ name: 'Kowloon Books' }),
  getBranding: (q) => q.branding.get(),
  putBranding: (q) => q.branding.set({ color: '#1d4f8f' }),
  getCustomersByUuidSpend: (q) => q.customers.spend('UUID'),
  getCustomersByUuidTimeline: (q) => q.customers.timeline('UUID'),
  postCustomersByUuidNotes: (q) => q.customerNotes.create('UUID', { text: 'Call back' }),
  getCustomersByUuidNotes: (q) => q.customerNotes.list('UUID'),
  deleteCustomersByUuidNotesById: (q) => q.customerNotes.delete('UUID', 'ID'),
  postCustomersByUuidSessions: (q) => q.customerSessions.create('UUID'),
  postCustomers: (q) => q.customers.create({ reference_number: 'c', name: 'n', phone: '1' }),
  getCustomers: (q) => q.customers.list(),
  putCustomersById: (q) => q.customers.update('ID', { name: 'n', phone: '1' }),
  getCustomersById: (q) => q.customers.get('ID'),
  getCustomersRefById: (q) => q.customers.getByReference('ID'),
  getCustomersByUuidPaymentTokens: (q) => q.paymentTokens.list('UUID'),
  postCustomersByUuidPaymentTokens: (q) => q.paymentTokens.create('UUID', { token_type: 'CreditCard' }),
  deleteCustomersByUuidPaymentTokensByToken: (q) => q.paymentTokens.delete('UUID', 'TOKEN'),
  getOrdersByNumberTimeline: (q) => q.orders.timeline('NUMBER'),
  postOrders: (q) => q.orders.create({ reference_number: 'o', currency: 'HKD' }),
  getOrders: (q) => q.orders.list(),
  postOrdersCheck: (q) => q.orders.get('ord_1'),
  postOrdersVoid: (q) => q.orders.void('ord_1'),
  postOrdersPay: (q) => q.orders.pay('ord_1', { type: 'Sales', payment_token: 'pmt_1' }),
  getTransactions: (q) => q.transactions.list(),
  getSearch: (q) => q.search('chan'),
  postTransactionsCapture: (q) => q.transactions.capture('txn_1'),
  postTransactionsRefund: (q) => q.transactions.refund({ reference_id: 'r' }, { amount: '1' }),
  postTransactionsVoid: (q) => q.transactions.void('txn_1'),
  postTransactionsDecide: (q) => q.transactions.decide('txn_1', { outcome: 'failed' }),
  getCustomersByUuidExportJsonl: (q) => q.personalData.export('UUID'),
  getCustomersByUuidErasureCheck: (q) => q.personalData.check('UUID'),
  postCustomersByUuidErasures: (q) => q.personalData.erase('UUID'),
  getErasures: (q) => q.personalData.listErasures(),
  getErasuresById: (q) => q.personalData.getErasure('ID'),
  putCustomersByUuidLegalHold: (q) => q.personalData.hold('UUID', 'case'),
  deleteCustomersByUuidLegalHold: (q) => q.personalData.liftHold('UUID'),
  getRetention: (q) => q.personalData.getRetention(),
  putRetention: (q) => q.personalData.setRetention(null),
  getDisputes: (q) => q.disputes.list(),
  getDisputesById: (q) => q.disputes.get('ID'),
  putDisputesByIdEvidence: (q) => q.disputes.stageEvidence('ID', {}),
  postDisputesByIdSubmit: (q) => q.disputes.submit('ID'),
  getReconciliations: (q) => q.reconciliations.list(),
  getReconciliationsById: (q) => q.reconciliations.get('ID'),
  postReconciliationsRun: (q) => q.reconciliations.run(),
  getReconciliationsByIdEntries: (q) => q.reconciliations.listEntries('ID'),
  getReconciliationsByIdReportCsv: (q) => q.reconciliations.downloadReport('ID'),
  postAcquirerAccounts: (q) => q.acquirerAccounts.create({ acquirer: 'stripe', name: 'n', credentials: {} }),
  getAcquirerAccounts: (q) => q.acquirerAccounts.list(),
  getAcquirerAccountsById: (q) => q.acquirerAccounts.get('ID'),
  putAcquirerAccountsById: (q) => q.acquirerAccounts.update('ID', { name: 'n' }),
  deleteAcquirerAccountsById: (q) => q.acquirerAccounts.disable('ID'),
  getRouting: (q) => q.routing.get(),
  putRouting: (q) =>
    q.routing.set({ rules: [{ when: { min_amount: '1.50' }, accounts: [{ id: 'acq_1' }] }] }),
  postRoutingPreview: (q) => q.routing.preview({ amount: '1.50', currency: 'HKD' }),
  postProducts: (q) => q.products.create({ name: 'Team' }),
  getProducts: (q) => q.products.list(),
  getProductsById: (q) => q.products.get('ID'),
  putProductsById: (q) => q.products.update('ID', { name: 'n' }),
  postProductsByIdArchive: (q) => q.products.archive('ID'),
  postPrices: (q) =>
    q.prices.create({ product_id: 'prd_1', currency: 'EUR', model: 'per_unit', unit_amount: '9.005' }),
  getPrices: (q) => q.prices.list(),
  getPricesById: (q) => q.prices.get('ID'),
  postDunningPolicies: (q) => q.dunningPolicies.create({ name: 'n', steps: [{ after_days: 3 }] }),
  getDunningPolicies: (q) => q.dunningPolicies.list(),
  getDunningPoliciesById: (q) => q.dunningPolicies.get('ID'),
  postInvoices: (q) =>
    q.invoices.create({
      customer_uuid: 'U',
      currency: 'EUR',
      lines: [{ label: 'l', quantity: '1', unit_amount: '1' }],
    }),
  getInvoices: (q) => q.invoices.list(),
  postInvoicesPreview: (q) => q.invoices.preview({ customer_uuid: 'U', currency: 'EUR', lines: [] as never }),
  getInvoicesTotals: (q) => q.invoices.totals({ filter: 'state = open' }),
  putInvoicesById: (q) =>
    q.invoices.replaceDraft('ID', { customer_uuid: 'U', currency: 'EUR', lines: [] as never }),
  deleteInvoicesById: (q) => q.invoices.removeDraft('ID'),
  postInvoicesByIdReissue: (q) => q.invoices.reissue('ID', { reason: 'r' }),
  postInvoicesByIdReissuePreview: (q) => q.invoices.previewReissue('ID', { reason: 'r' }),
  postInvoicesByIdIssue: (q) => q.invoices.issueDraft('ID'),
  getInvoicesExportZip: (q) => q.invoices.export({ month: '2026-11' }),
  getInvoicesById: (q) => q.invoices.get('ID'),
  getInvoicesByIdDocument: (q) => q.invoices.document('ID', 'pdf'),
  postInvoicesByIdPayments: (q) => q.invoices.recordPayment('ID', { method: 'cash' }),
  postInvoicesByIdWriteOff: (q) => q.invoices.writeOff('ID', { reason: 'r' }),
  postTransactionsByUuidUndo: (q) => q.transactions.undo('UUID'),
  postOrdersByNumberRepayments: (q) => q.orders.recordRepayment('NUMBER', { amount: '1' }),
  postOrdersByNumberOverpayment: (q) => q.orders.moveOverpayment('NUMBER', 'ID'),
  postInvoicesByIdCreditNotes: (q) => q.invoices.createCreditNote('ID', { reason: 'r' }),
  postBankStatements: (q) => q.bankStatements.import({ format: 'csv', content: 'c' }),
  getBankStatements: (q) => q.bankStatements.list(),
  getBankStatementsById: (q) => q.bankStatements.get('ID'),
  getBankEntries: (q) => q.bankEntries.list(),
  getBankEntriesById: (q) => q.bankEntries.get('ID'),
  postBankEntriesByIdMatch: (q) => q.bankEntries.match('ID', [{ id: 'inv_1', amount: '1.50' }]),
  postBankEntriesByIdUnmatch: (q) => q.bankEntries.unmatch('ID'),
  postBankEntriesByIdIgnore: (q) => q.bankEntries.ignore('ID'),
  putDunningPoliciesById: (q) => q.dunningPolicies.update('ID', { name: 'n' }),
  postLegalEntities: (q) =>
    q.legalEntities.create({
      name: 'n',
      address: { line1: 'l', postal_code: 'p', city: 'c', country: 'DE' },
      registrations: [],
    }),
  getLegalEntities: (q) => q.legalEntities.list(),
  getLegalEntitiesById: (q) => q.legalEntities.get('ID'),
  putLegalEntitiesById: (q) => q.legalEntities.update('ID', { name: 'n' }),
  getSettings: (q) => q.billingSettings.get(),
  putSettings: (q) => q.billingSettings.update({ tax: 'none' }),
  getCustomersByUuidBillingDetails: (q) => q.billingDetails.get('UUID'),
  putCustomersByUuidBillingDetails: (q) => q.billingDetails.update('UUID', { language: 'de' }),
  postTaxRates: (q) =>
    q.taxRates.create({ name: 'n', country: 'DE', percentage: '19', valid_from: '2027-01-01' }),
  postTaxRatesImport: (q) => q.taxRates.import({ csv: 'c' }),
  getTaxRates: (q) => q.taxRates.list(),
  putExchangeRates: (q) =>
    q.exchangeRates.set([{ date: '2027-03-05', base: 'EUR', quote: 'USD', rate: '1.0835' }]),
  getExchangeRates: (q) => q.exchangeRates.list(),
  getMessageSettings: (q) => q.messageSettings.get(),
  putMessageSettings: (q) => q.messageSettings.update({ enabled: ['receipt'] }),
  getMessages: (q) => q.messages.list(),
  getMessagesById: (q) => q.messages.get('ID'),
  postMessagesByIdResend: (q) => q.messages.resend('ID'),
  postMessagesBounces: (q) => q.messages.reportBounce({ address: 'amy@example.com', kind: 'hard' }),
  getMessageTemplatesByKindByLanguage: (q) => q.messageTemplates.get(KIND, LANGUAGE),
  putMessageTemplatesByKindByLanguage: (q) =>
    q.messageTemplates.set(KIND, LANGUAGE, { subject: 'Thank you' }),
  deleteMessageTemplatesByKindByLanguage: (q) => q.messageTemplates.delete(KIND, LANGUAGE),
  postMessageTemplatesByKindByLanguagePreview: (q) =>
    q.messageTemplates.preview(KIND, LANGUAGE, { subject: 'Thank you' }),
  postMessageTemplatesByKindByLanguageTest: (q) =>
    q.messageTemplates.test(KIND, LANGUAGE, { subject: 'Thank you' }),
  getSuppressions: (q) => q.suppressions.list(),
  deleteSuppressionsByAddress: (q) => q.suppressions.delete('ADDRESS'),
  getTaxRatesById: (q) => q.taxRates.get('ID'),
  putTaxEngine: (q) => q.taxEngine.set({ url: 'https://t.example.com', on_silence: 'rates' }),
  getTaxEngine: (q) => q.taxEngine.get(),
  deleteTaxEngine: (q) => q.taxEngine.delete(),
  deleteTaxRatesById: (q) => q.taxRates.delete('ID'),
  putTaxRatesById: (q) => q.taxRates.update('ID', { valid_until: null }),
  postPricesByIdVersions: (q) => q.prices.createVersion('ID', { unit_amount: '10' }),
  postCoupons: (q) => q.coupons.create({ name: 'Welcome', percent_off: '25' }),
  getCoupons: (q) => q.coupons.list(),
  getCouponsById: (q) => q.coupons.get('ID'),
  putCouponsById: (q) => q.coupons.update('ID', { name: 'n' }),
  postPromotionCodes: (q) => q.promotionCodes.create({ coupon_id: 'cpn_1', code: 'WELCOME' }),
  getPromotionCodes: (q) => q.promotionCodes.list(),
  getPromotionCodesById: (q) => q.promotionCodes.get('ID'),
  postRecurringPaymentsItems: (q) => q.recurringItems.create({ label: 'l', price: '1', currency: 'HKD' }),
  getRecurringPaymentsItems: (q) => q.recurringItems.list(),
  postRecurringPaymentsBillingConfigs: (q) =>
    q.billingConfigs.create({ billing_interval: 'month', billing_type: 'anniversary' }),
  getRecurringPaymentsBillingConfigs: (q) => q.billingConfigs.list(),
  postRecurringPaymentsPlan: (q) => q.plans.create(PLAN),
  getRecurringPaymentsPlan: (q) => q.plans.list(),
  getRecurringPaymentsPlanById: (q) => q.plans.get('ID'),
  getRecurringPaymentsPlanByIdTimeline: (q) => q.plans.timeline('ID'),
  putRecurringPaymentsPlanById: (q) => q.plans.update('ID', { name: 'n' }),
  postRecurringPaymentsPlanPreview: (q) => q.plans.preview(PLAN),
  postRecurringPaymentsOrders: (q) => q.plans.getOrder({ customer_uuid: 'c', order: { number: 'o' } }),
  postRecurringPaymentsPlanByIdPause: (q) => q.plans.pause('ID', { until: '2031-03-01' }),
  postRecurringPaymentsPlanByIdResume: (q) => q.plans.resume('ID'),
  postRecurringPaymentsPlanByIdRetry: (q) => q.plans.retry('ID'),
  postRecurringPaymentsPlanByIdUncancel: (q) => q.plans.uncancel('ID'),
  postRecurringPaymentsPlanByIdReactivate: (q) => q.plans.reactivate('ID', { from: 'missed' }),
  postRecurringPaymentsPlanByIdTrial: (q) => q.plans.moveTrial('ID', { until: '2031-03-01' }),
  postRecurringPaymentsPlanByIdCancel: (q) => q.plans.cancel('ID', { at_period_end: true }),
  postRecurringPaymentsPlanByIdChange: (q) => q.plans.change('ID', CHANGE),
  postRecurringPaymentsPlanByIdChangePreview: (q) => q.plans.previewChange('ID', CHANGE),
  deleteRecurringPaymentsPlanByIdChange: (q) => q.plans.removeChange('ID'),
  postRecurringPaymentsPlanByIdCredit: (q) => q.plans.credit('ID', { amount: '1' }),
  postRecurringPaymentsPlanByIdCoupons: (q) => q.plans.attachCoupon('ID', 'WELCOME'),
  deleteRecurringPaymentsPlanByIdCouponsByCouponId: (q) => q.plans.detachCoupon('ID', 'COUPON_ID'),
  postCards: (q) => q.cards.create(CARD),
  getCards: (q) => q.cards.list(),
  postCardsLink: (q) => q.cards.link({ card_reference_id: 'c', p_user_id: 'u' }),
  getCardsById: (q) => q.cards.get('ID'),
  putCardsById: (q) => q.cards.update('ID', { title: 't' }),
  postCardsByIdStatus: (q) => q.cards.setStatus('ID', { status: 'Locked' }),
  postCardsByIdLimits: (q) => q.cards.addLimit('ID', { period: 'Daily', limit_amount: '1' }),
  putCardsByIdLimits: (q) => q.cards.updateLimits('ID', { limits: [] }),
  getCardsByIdLimitHistory: (q) => q.cards.listLimitHistory('ID'),
  postCardsByIdAuthorizations: (q) => q.cardAuthorizations.create('ID', PURCHASE),
  getCardsByIdAuthorizations: (q) => q.cardAuthorizations.list('ID'),
  postCardsAuthorizationsByUuidCapture: (q) => q.cardAuthorizations.capture('UUID', { amount: '1.50' }),
  postCardsAuthorizationsByUuidRefund: (q) => q.cardAuthorizations.refund('UUID'),
  postCardsAuthorizationsByUuidReverse: (q) => q.cardAuthorizations.reverse('UUID'),
  putCardsDecisionHook: (q) => q.decisionHook.set({ url: 'https://example.com', on_silence: 'decline' }),
  getCardsDecisionHook: (q) => q.decisionHook.get(),
  deleteCardsDecisionHook: (q) => q.decisionHook.delete(),
  postDigitalWallets: (q) => q.wallets.create({ p_user_id: 'u' }),
  getDigitalWallets: (q) => q.wallets.list(),
  getDigitalWalletsById: (q) => q.wallets.get('ID'),
  getDigitalWalletsTransactions: (q) => q.wallets.listTransactions({ p_user_id: 'u', wallet_id: 'w' }),
  getDigitalWalletsByIdAddressesByBlockchainQr: (q) => q.wallets.getAddressQr('ID', 'BLOCKCHAIN'),
  getDigitalWalletsFeeRule: (q) => q.feeRules.list({ type: 'business' }),
  putDigitalWalletsFeeRule: (q) => q.feeRules.set({ type: 'business', fixed_fee: '0', percentage_fee: '1' }),
  getEvents: (q) => q.events.list({ type: 'order.paid' }),
  getEventsById: (q) => q.events.get('ID', { object_id: 'o' }),
  postEndpoints: (q) => q.webhookEndpoints.create({ url: 'https://example.com' }),
  getEndpoints: (q) => q.webhookEndpoints.list(),
  deleteEndpointsById: (q) => q.webhookEndpoints.delete('ID'),
  postEndpointsByIdRotateSecret: (q) => q.webhookEndpoints.rotateSecret('ID'),
  getDeliveries: (q) => q.deliveries.list(),
  postDeliveriesByIdRedeliver: (q) => q.deliveries.redeliver('ID'),
  postApiKeys: (q) => q.apiKeys.create({ name: 'n', scopes: ['payments:read'] }),
  getApiKeys: (q) => q.apiKeys.list(),
  deleteApiKeysById: (q) => q.apiKeys.revoke('ID'),
  getRequests: (q) => q.requests.list(),
  getRequestsByRequestId: (q) => q.requests.get('REQUEST_ID'),
  getAuditEntries: (q) => q.auditEntries.list(),
  getAuditEntriesExportCsv: (q) => q.auditEntries.export(),
  postBulkActions: (q) => q.paymentBulkActions.create({ action: 'refund', ids: ['ord_1'] }),
  getBulkActions: (q) => q.paymentBulkActions.list(),
  getBulkActionsById: (q) => q.paymentBulkActions.get('ID'),
  postBulkActionsByIdCancel: (q) => q.paymentBulkActions.cancel('ID'),
  postBulkActionsByIdTakeOver: (q) => q.paymentBulkActions.takeOver('ID'),
  postRecurringPaymentsBulkActions: (q) => q.planBulkActions.create({ action: 'cancel', ids: ['pln_1'] }),
  getRecurringPaymentsBulkActions: (q) => q.planBulkActions.list(),
  getRecurringPaymentsBulkActionsById: (q) => q.planBulkActions.get('ID'),
  postRecurringPaymentsBulkActionsByIdCancel: (q) => q.planBulkActions.cancel('ID'),
  postRecurringPaymentsBulkActionsByIdTakeOver: (q) => q.planBulkActions.takeOver('ID'),
  postEventBulkActions: (q) => q.deliveryBulkActions.create({ action: 'redeliver', ids: ['dlv_1'] }),
  getEventBulkActions: (q) => q.deliveryBulkActions.list(),
  getEventBulkActionsById: (q) => q.deliveryBulkActions.get('ID'),
  postEventBulkActionsByIdCancel: (q) => q.deliveryBulkActions.cancel('ID'),
  postEventBulkActionsByIdTakeOver: (q) => q.deliveryBulkActions.takeOver('ID'),
  getPortal: (q) => q.portal.get(),
  putPortal: (q) => q.portal.update({ allow: { invoices: true } }),
  postPortalSessions: (q) => q.portal.createSession({ customer_uuid: 'cus_1' }),
  getPortalOverview: (_, p) => p.overview.get(),
  getPlans: (_, p) => p.plans.list(),
  getPlansByIdUsage: (_, p) => p.plans.usage('ID'),
  postPlansByIdChange: (_, p) => p.plans.change('ID', { ...CHANGE, expected_total: '1' }),
  postPlansByIdChangePreview: (_, p) => p.plans.previewChange('ID', CHANGE),
  postPlansByIdPause: (_, p) => p.plans.pause('ID', { until: '2031-03-01' }),
  postPlansByIdResume: (_, p) => p.plans.resume('ID'),
  postPlansByIdCancel: (_, p) => p.plans.cancel('ID', { reason: 'r' }),
  postPlansByIdUncancel: (_, p) => p.plans.uncancel('ID'),
  postPlansByIdAcceptOffer: (_, p) => p.plans.acceptOffer('ID'),
  postPlansByIdReactivate: (_, p) => p.plans.reactivate('ID', { expected_total: '1' }),
  getPortalInvoices: (_, p) => p.invoices.list(),
  getPortalInvoicesByIdDocument: (_, p) => p.invoices.document('ID', 'pdf'),
  postInvoicesByIdPay: (_, p) => p.invoices.pay('ID', { payment_token: 't', expected_total: '1' }),
  getPaymentTokens: (_, p) => p.paymentTokens.list(),
  postPaymentTokens: (_, p) => p.paymentTokens.create({ token_type: 'CreditCard' }),
  postPaymentTokensByTokenDefault: (_, p) => p.paymentTokens.makeDefault('TOKEN'),
  deletePaymentTokensByToken: (_, p) => p.paymentTokens.delete('TOKEN'),
  getBillingDetails: (_, p) => p.billingDetails.get(),
  putBillingDetails: (_, p) => p.billingDetails.update({ language: 'de' }),
  getOverview: (q) => q.reports.overview(),
  getTotals: (q) => q.reports.totals({ period: 'last_month' }),
  getTotalsSpreadsheetCsv: (q) => q.reports.downloadTotals(),
  getInvoicesExport: (q) => q.invoices.exportBookkeeping({ format: 'datev', period: 'last_month' }),
  getInvoicesSpreadsheetCsv: (q) => q.invoices.download({ period: 'last_month' }),
  getOrdersSpreadsheetCsv: (q) => q.orders.download(),
  getTransactionsSpreadsheetCsv: (q) => q.transactions.download(),
  getInvoicesTaxes: (q) => q.reports.taxes({ period: 'last_month' }),
  getInvoicesTaxesRows: (q) => q.reports.taxRows({ treatment: 'taxed' }),
  getInvoicesBuyers: (q) => q.reports.buyers(),
  getInvoicesBuyersRows: (q) => q.reports.buyerRows(),
  getInvoicesOpen: (q) => q.reports.openItems({ at: '2026-11-30' }),
  getInvoicesOpenRows: (q) => q.reports.openItemRows(),
  getInvoicesOpenAges: (q) => q.reports.openAges(),
  getAttention: (q) => q.reports.attention(),
  getClock: (q) => q.sandbox.getClock(),
  postClockAdvance: (q) => q.sandbox.advanceClock({ by: 'P1D' }),
  getClockDue: (q) => q.sandbox.listDue({ to: '2027-01-31T00:00:00Z' }),
  postDeposits: (q) => q.sandbox.sendDeposit({ wallet_id: 'wal_0', amount: '0.5' }),
  getFaults: (q) => q.sandbox.getFaults(),
  putFaults: (q) =>
    q.sandbox.setFaults({
      latency_ms: 0,
      fail_before_percent: 0,
      fail_after_percent: 0,
      lose_answer_percent: 0,
    }),
}

/** A response with every member that a method reads from it. */
const ANY_DATA = Object.fromEntries([
  ['page', { offset: 0, limit: 20, has_more: false, next_cursor: null }],
  ...'customer payment_token order plan product price coupon promotion_code dunning_policy legal_entity settings billing_details tax_rate tax_engine invoice bank_statement bank_entry recurring_item recurring_billing_config card authorization'
    .concat(
      ' decision_hook digital_wallet address_qr event endpoint delivery clock deposit faults acquirer_account routing dispute reconciliation timeline api_key request member bulk_action overview totals attention branding business customer_session portal portal_session message message_settings message_template message_preview message_test bounce suppression note erasure erasure_check legal_hold retention',
    )
    .split(' ')
    .map((name) => [name, {}]),
  ['fee_rules', []],
  ['sessions', []],
  ['reconciliation_runs', []],
  ['orders', []],
  ['results', []],
  ['taxes', []],
  ['exchange_rates', []],
  ['buyers', []],
  ['ages', []],
  ['open', []],
  ['rows', []],
  ['due', []],
  ['usage', []],
  ['spend', []],
] as [string, unknown][])

const operations = operationsOf(readDescription())

test('every operation of openapi.json has a method', () => {
  expect(Object.keys(CALLS).sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
})

test.each(operations)(
  '$operationId is sent by its method, with a key exactly where it takes one',
  async (operation) => {
    const { fetch, requests } = fakeFetch({ data: ANY_DATA })
    const quittance = new Quittance({ apiKey: 'qk_test_1', baseUrl: 'https://pay.example.com/base/', fetch })
    const portal = new Portal({ token: 'qk_test_1', baseUrl: 'https://pay.example.com/base/', fetch })
    await CALLS[operation.operationId]?.(quittance, portal)
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
    expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      `${operation.method.toUpperCase()} /base${path}`,
    ])
    const takesKey = operation.parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
    expect(requests[0]?.headers.has('idempotency-key')).toBe(takesKey)
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer qk_test_1')
  },
)

type AnyMethod = (...args: unknown[]) => unknown

/** The client whose methods get a query or a body also where the call leaves it out. */
function givingAll<AnyClient extends Quittance | Portal>(quittance: AnyClient): AnyClient {
  const giving =
    (method: AnyMethod): AnyMethod =>
    (...args) =>
      method(...args, ...(args.some((value) => typeof value === 'object') ? [] : [{ given: 'x' }]))
  const resources = Object.entries(quittance as object).map(
    ([name, resource]: [string, AnyMethod | object]) => [
      name,
      typeof resource === 'object'
        ? Object.fromEntries(
            Object.entries(resource).map(([key, method]: [string, AnyMethod]) => [key, giving(method)]),
          )
        : giving(resource),
    ],
  )
  return Object.fromEntries(resources) as AnyClient
}

test.each(
  operations.filter(
    ({ method, parameters, requestBody }) =>
      requestBody !== undefined ||
      (method === 'get' && parameters.some((parameter) => parameter.in === 'query')),
  ),
)('$operationId sends the body or the query that its method is given', async (operation) => {
  const { fetch, requests } = fakeFetch({ data: ANY_DATA })
  const quittance = new Quittance({ apiKey: null, baseUrl: 'https://pay.example.com', fetch })
  const portal = new Portal({ token: 't', baseUrl: 'https://pay.example.com', fetch })
  await CALLS[operation.operationId]?.(givingAll(quittance), givingAll(portal))
  const sent = operation.method === 'get' ? requests[0]?.url.search : requests[0]?.body
  expect(sent).toMatch(/./)
})

test('no method goes untested', async () => {
  const { fetch } = fakeFetch({ data: ANY_DATA })
  const quittance = new Quittance({ apiKey: null, baseUrl: 'https://pay.example.com', fetch })
  const portal = new Portal({ token: 't', baseUrl: 'https://pay.example.com', fetch })
  const methods = [...Object.values(quittance), ...Object.values(portal)].flatMap((resource) =>
    typeof resource === 'function' ? [resource] : Object.keys(resource as object),
  )
  // `plans.upgrade` is `plans.change` with another default.
  expect(methods).toHaveLength(operations.length + 1)
})
