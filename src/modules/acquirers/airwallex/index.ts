import { INTENT_CAPABILITIES, intentOperations } from '../intents/intent-acquirer.ts'
import type { Capabilities, Inquiry, Lookup } from '../port/port.ts'
import {
  type AccountSettings,
  type AcquirerAdapter,
  type AdapterDependencies,
  type ConnectedAcquirer,
  NO_WALLETS,
} from '../port/adapter.ts'
import { checkCredentials, checkForm } from './account.ts'
import { browserPayments, componentOf } from './component.ts'
import { registerDomain } from './domains.ts'
import { confirmFailure, laterFailure } from './later-failures.ts'
import { noticeReader, webhookSecrets } from './notices.ts'
import { completeInquiry } from './payments/complete-inquiry.ts'
import { paymentIntents } from './payments/payment-intents.ts'
import { airwallexBookings } from './reports/bookings.ts'
import { airwallexDisputes } from './reports/disputes.ts'
import { openedMethods, takesAgreements } from './reports/opened.ts'
import { airwallexSettlement } from './reports/settlement.ts'
import { agreements } from './verifications/agreements.ts'
import { consents, prepareConsent, readStoredConsent } from './verifications/consents.ts'
import { AIRWALLEX_TEST_CARDS } from './test-cards.ts'
import { createAirwallexClient } from './wire/airwallex-client.ts'

const LIVE_BASE = 'https://api.airwallex.com'
const TEST_BASE = 'https://api.sandbox.airwallex.com'
/** A wallet or a card is verified in this currency where the account names none. */
const HOME_CURRENCY = 'HKD'

const CAPABILITIES: Capabilities = { ...INTENT_CAPABILITIES, needsSecurityCode: true }

export const airwallexAdapter: AcquirerAdapter = {
  name: 'airwallex',
  capabilities: CAPABILITIES,
  laterFailure,
  testCards: AIRWALLEX_TEST_CARDS,
  credentialMembers: ['client_id', 'api_key', 'webhook_secret'],
  optionalCredentials: ['account_id'],
  namesWallets: true,
  registersDomains: true,
  defaultApiBase: { test: TEST_BASE, live: LIVE_BASE },
  checkForm,
  checkCredentials,
  connect,
}

function connect(
  settings: AccountSettings,
  { connect: connector, timeoutMs }: AdapterDependencies,
): ConnectedAcquirer {
  const {
    credentials,
    apiBase,
    merchantId,
    statementDescriptor,
    wallets = NO_WALLETS,
    currencies = [],
  } = settings
  const client = createAirwallexClient({
    apiBase,
    credentials,
    connect: connector,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const consentOptions = { client, wallets, currency: currencies[0] ?? HOME_CURRENCY }
  const over = (via: 'send' | 'ask') => ({
    payments: paymentIntents({ client, via, statementDescriptor, wallets }),
    verifications: consents(consentOptions, via),
  })
  const operations = intentOperations({
    ...over('send'),
    inquiries: over('ask'),
    prepareVerification: (request) => prepareConsent(consentOptions, request),
  })
  const complete = (inquire: (lookup: Lookup) => Promise<Inquiry>) => (lookup: Lookup) =>
    completeInquiry(over('ask').payments, inquire, lookup)
  return {
    name: 'airwallex',
    merchantId,
    ...operations,
    capabilities: CAPABILITIES,
    inquire: complete(operations.inquire),
    agreements: agreements(client),
    bookings: airwallexBookings(client),
    readNotices: noticeReader(webhookSecrets(credentials), merchantId),
    confirmFailure: (notice) => confirmFailure(client, notice),
    disputes: airwallexDisputes(client),
    settlement: airwallexSettlement(client, currencies),
    component: componentOf(settings),
    browserPayment: browserPayments(client),
    opened: () => openedMethods(client),
    takesAgreements: (wallet) => takesAgreements(client, wallet),
    registerDomain: (domain) => registerDomain(client, domain),
    readInstrument: (instrument) => readStoredConsent(client, instrument),
    disconnect: () => client.close(),
  }
}
