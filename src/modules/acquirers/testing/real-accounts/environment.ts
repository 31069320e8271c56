import { adyenAdapter } from '../../adyen/index.ts'
import { airwallexAdapter } from '../../airwallex/index.ts'
import type { AccountSettings, AcquirerAdapter, AcquirerName } from '../../port/adapter.ts'
import { stripeAdapter } from '../../stripe/index.ts'

export type TestAccount = Omit<AccountSettings, 'merchantId'>

type Variables = Readonly<Record<string, string | undefined>>

export type FoundAccount =
  | { readonly kind: 'account'; readonly account: TestAccount }
  | { readonly kind: 'skipped' | 'refused'; readonly reason: string }

const ADAPTERS: Readonly<Record<AcquirerName, AcquirerAdapter>> = {
  stripe: stripeAdapter,
  adyen: adyenAdapter,
  airwallex: airwallexAdapter,
}
const REQUIRED: Readonly<Record<AcquirerName, readonly string[]>> = {
  stripe: ['STRIPE_SECRET_KEY'],
  adyen: ['ADYEN_API_KEY', 'ADYEN_MERCHANT_ACCOUNT', 'ADYEN_CLIENT_KEY'],
  airwallex: ['AIRWALLEX_CLIENT_ID', 'AIRWALLEX_API_KEY'],
}
const UNUSED = {
  publishable_key: 'pk_test_unused',
  webhook_secret: 'whsec_unused',
  hmac_key: '0'.repeat(64),
}

export function readTestAccount(acquirer: AcquirerName, variables: Variables): FoundAccount {
  if (!variables['TEST_REAL_ACQUIRERS']) return skipped(['TEST_REAL_ACQUIRERS'])
  const missing = REQUIRED[acquirer].filter((name) => !variables[name])
  if (missing.length > 0) return skipped(missing)
  const secretKey = variables['STRIPE_SECRET_KEY'] ?? ''
  if (acquirer === 'stripe' && !/^[sr]k_test_\S+$/.test(secretKey)) {
    return { kind: 'refused', reason: 'STRIPE_SECRET_KEY must begin with sk_test_ or rk_test_' }
  }
  const adapter = ADAPTERS[acquirer]
  const apiBase = variables[`${acquirer.toUpperCase()}_API_BASE`] ?? adapter.defaultApiBase.test ?? ''
  const account: TestAccount = {
    environment: 'test',
    credentials: CREDENTIALS[acquirer](variables),
    apiBase,
    statementDescriptor: null,
  }
  const problem = adapter.checkForm(account)
  return problem === null
    ? { kind: 'account', account }
    : { kind: 'refused', reason: `${problem.member} ${problem.message}` }
}

const CREDENTIALS: Readonly<Record<AcquirerName, (variables: Variables) => TestAccount['credentials']>> = {
  stripe: (variables) => stripeCredentials(variables['STRIPE_SECRET_KEY'] ?? ''),
  adyen: adyenCredentials,
  airwallex: airwallexCredentials,
}

function skipped(missing: readonly string[]): FoundAccount {
  const verb = missing.length === 1 ? 'is' : 'are'
  return { kind: 'skipped', reason: `${missing.join(', ')} ${verb} not set` }
}

function stripeCredentials(secretKey: string): TestAccount['credentials'] {
  const { publishable_key, webhook_secret } = UNUSED
  return { secret_key: secretKey, publishable_key, webhook_secret }
}

function adyenCredentials(variables: Variables): TestAccount['credentials'] {
  return {
    api_key: variables['ADYEN_API_KEY'] ?? '',
    client_key: variables['ADYEN_CLIENT_KEY'] ?? '',
    merchant_account: variables['ADYEN_MERCHANT_ACCOUNT'] ?? '',
    hmac_key: UNUSED.hmac_key,
  }
}

function airwallexCredentials(variables: Variables): TestAccount['credentials'] {
  const { AIRWALLEX_ACCOUNT_ID: accountId } = variables
  return {
    client_id: variables['AIRWALLEX_CLIENT_ID'] ?? '',
    api_key: variables['AIRWALLEX_API_KEY'] ?? '',
    webhook_secret: UNUSED.webhook_secret,
    ...(accountId && { account_id: accountId }),
  }
}
