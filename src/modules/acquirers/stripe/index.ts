import { INTENT_CAPABILITIES, intentOperations } from '../intents/intent-acquirer.ts'
import type {
  AccountSettings,
  AcquirerAdapter,
  AdapterDependencies,
  BrowserComponent,
  ConnectedAcquirer,
} from '../port/adapter.ts'
import { checkCredentials, checkForm, webhookSecrets } from './credentials.ts'
import { noticeReader } from './notices.ts'
import { stripeIntents } from './payments/intent-api.ts'
import { readStoredMethod } from './verifications/payment-methods.ts'
import { stripeDisputes } from './reports/disputes.ts'
import { stripeBookings } from './reports/bookings.ts'
import { stripeSettlement } from './reports/settlement.ts'
import { createStripeClient } from './wire/stripe-client.ts'

const API_BASE = 'https://api.stripe.com'
const FILES_BASE = 'https://files.stripe.com'
const SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js'
/**
 * Stripe.js as Stripe documents it (https://docs.stripe.com/security/guide), without the origins for addresses and
 * maps.
 */
const ORIGINS: BrowserComponent['origins'] = {
  'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
}

export const stripeAdapter: AcquirerAdapter = {
  name: 'stripe',
  capabilities: INTENT_CAPABILITIES,
  credentialMembers: ['secret_key', 'publishable_key', 'webhook_secret'],
  defaultApiBase: { test: API_BASE, live: API_BASE },
  checkForm,
  checkCredentials,
  connect,
}

function connect(
  settings: AccountSettings,
  { connect: connector, timeoutMs }: AdapterDependencies,
): ConnectedAcquirer {
  const { credentials, apiBase, environment, merchantId, statementDescriptor } = settings
  const options = {
    secretKey: credentials.secret_key ?? '',
    connect: connector,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  const client = createStripeClient({ ...options, apiBase })
  const files = apiBase === API_BASE ? createStripeClient({ ...options, apiBase: FILES_BASE }) : client
  return {
    name: 'stripe',
    merchantId,
    ...intentOperations(stripeIntents(client, statementDescriptor)),
    bookings: stripeBookings(client),
    readNotices: noticeReader(webhookSecrets(credentials)),
    disputes: stripeDisputes(client, files),
    settlement: stripeSettlement(client),
    component: {
      acquirer: 'stripe',
      publicKey: credentials.publishable_key ?? '',
      environment,
      scriptUrl: SCRIPT_URL,
      styleUrl: null,
      origins: ORIGINS,
      confirmsInBrowser: false,
    },
    readInstrument: (instrument) => readStoredMethod(client, instrument),
    disconnect: async () => {
      await Promise.all(files === client ? [client.close()] : [client.close(), files.close()])
    },
  }
}
