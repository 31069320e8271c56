import {
  type AccountSettings,
  type AdapterDependencies,
  type CredentialCheck,
  NO_WALLETS,
  type Wallets,
} from '../port/adapter.ts'
import type { Reply } from '../port/disputes.ts'
import { webhookSecrets } from './notices.ts'
import { TYPES } from './payments/methods.ts'
import { openedMethods } from './reports/opened.ts'
import {
  type AirwallexClient,
  type AirwallexClientOptions,
  createAirwallexClient,
} from './wire/airwallex-client.ts'
import { safeMessage, textOf } from './wire/members.ts'

type Settings = Omit<AccountSettings, 'merchantId'>
type Refusal = Extract<CredentialCheck, { kind: 'refused' }>

const LIVE_HOSTS: ReadonlySet<string> = new Set(['api.airwallex.com', 'pci-api.airwallex.com'])
const TEST_HOSTS: ReadonlySet<string> = new Set([
  'api.sandbox.airwallex.com',
  'api-demo.airwallex.com',
  'pci-api-demo.airwallex.com',
])
/** What an HTTP header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

export function checkForm({ environment, credentials, apiBase }: Settings): Refusal | null {
  for (const member of ['client_id', 'api_key'] as const) {
    if (!HEADER_TEXT.test(credentials[member] ?? '')) {
      return refused(`credentials.${member}`, 'must be printable characters without spaces')
    }
  }
  if (webhookSecrets(credentials).length === 0) {
    return refused('credentials.webhook_secret', 'must be one or more secrets, separated by commas')
  }
  const { account_id: accountId } = credentials
  if (accountId !== undefined && !/^acct_[\w-]{1,100}$/.test(accountId)) {
    return refused('credentials.account_id', 'must begin with acct_')
  }
  const url = URL.parse(apiBase)
  if (url === null) return refused('api_base', 'must be a URL')
  if (/\/v\d+(\/|$)/i.test(url.pathname))
    return refused('api_base', 'must not contain the version of the API')
  const others = environment === 'test' ? LIVE_HOSTS : TEST_HOSTS
  const isOther = others.has(url.hostname)
  return isOther ? refused('api_base', `must be a host of Airwallex's ${environment} environment`) : null
}

export async function checkCredentials(
  settings: Settings,
  { connect, timeoutMs }: Pick<AdapterDependencies, 'connect' | 'timeoutMs'>,
): Promise<CredentialCheck> {
  const { apiBase, credentials } = settings
  const options = { apiBase, credentials, connect, ...(timeoutMs !== undefined && { timeoutMs }) }
  const client = createAirwallexClient(options)
  try {
    const login = await client.checkLogin()
    if (login?.kind === 'unknown') return { kind: 'unavailable', message: login.message }
    if (login !== undefined) {
      const isOwn = credentials.account_id !== undefined && (await reachesOwnAccount(options))
      return isOwn ? foreignAccount() : loginRefused(login.status)
    }
    return await checkAccount(client, settings)
  } finally {
    await client.close()
  }
}

/** Whether the keys log in without `account_id`, so that the account alone was refused. */
async function reachesOwnAccount(options: AirwallexClientOptions): Promise<boolean> {
  const { account_id: _other, ...credentials } = options.credentials
  const client = createAirwallexClient({ ...options, credentials })
  try {
    return (await client.checkLogin()) === undefined
  } finally {
    await client.close()
  }
}

function foreignAccount(): Refusal {
  return refused('credentials.account_id', 'is an account that these keys may not use')
}

function loginRefused(status: number): Refusal {
  if (status === 404 || status < 400) return refused('api_base', "is not the address of Airwallex's API")
  return refused('credentials.api_key', 'was refused by Airwallex, or does not belong to client_id')
}

async function checkAccount(client: AirwallexClient, settings: Settings): Promise<CredentialCheck> {
  const { account_id: accountId } = settings.credentials
  const answer = await client.get('/account')
  // The token was just issued, and is refused a second time.
  const isRefused = answer.kind !== 'ok' && (answer.status === 401 || answer.status === 403)
  if (isRefused && accountId !== undefined) return foreignAccount()
  if (answer.kind === 'unknown' && !isRefused) return { kind: 'unavailable', message: answer.message }
  if (answer.kind !== 'ok') {
    const said = answer.kind === 'error' ? safeMessage(answer.error.message) : answer.message
    return refused('credentials.api_key', `may not read the account: ${said ?? `HTTP ${answer.status}`}`)
  }
  const merchantId = textOf(answer.object.id)
  if (merchantId === null) return refused('api_base', "is not the address of Airwallex's API")
  if (accountId !== undefined && merchantId !== accountId) {
    return refused('credentials.account_id', `is not the account that the keys reached: ${merchantId}`)
  }
  return checkMethods(client, settings, merchantId)
}

async function checkMethods(
  client: AirwallexClient,
  { methods = [], wallets = NO_WALLETS }: Settings,
  merchantId: string,
): Promise<CredentialCheck> {
  const opened: Reply<readonly { name: string; isRecurring: boolean }[]> = await openedMethods(client)
  if (opened.kind === 'unavailable') return { kind: 'unavailable', message: opened.message }
  if (opened.kind !== 'ok') {
    return refused('credentials.api_key', 'may not read the payment methods of the account')
  }
  const isOpen = (name: string, isRecurring = false) =>
    opened.value.some((one) => one.name === name && one.isRecurring === isRecurring)
  for (const [index, method] of methods.entries()) {
    const member = `methods[${index}]`
    if (method === 'credit_card' && !isOpen('card')) return notOpen(member, 'credit_card')
    if (method === 'payment_token' && !isOpen('card', true)) return notOpen(member, 'payment_token')
    if (method === 'fps' && !isOpen('fps')) return notOpen(member, 'fps')
  }
  const chosen = chooseWallets(methods, wallets, (name) => isOpen(name))
  return 'kind' in chosen ? chosen : { kind: 'accepted', merchantId, wallets: chosen }
}

/** Without a choice, WalletB is the first of AlipayHK and Alipay that the account may use. */
function chooseWallets(
  methods: readonly string[],
  { walletA, walletB }: Wallets,
  isOpen: (name: string) => boolean,
): Wallets | Refusal {
  const takesA = methods.includes('wallet_a_pay')
  const takesB = methods.includes('wallet_b')
  if (takesA && !isOpen(TYPES.wechat_pay)) {
    return notOpen(walletA === null ? memberOf(methods, 'wallet_a_pay') : 'wallets.wallet_a', 'wechat_pay')
  }
  const candidates = walletB === null ? (['alipay_hk', 'alipay'] as const) : ([walletB] as const)
  const found = candidates.find((one) => isOpen(TYPES[one]))
  if (takesB && found === undefined) {
    const name = walletB ?? 'alipay_hk or alipay'
    return notOpen(walletB === null ? memberOf(methods, 'wallet_b') : 'wallets.wallet_b', name)
  }
  return { walletA: takesA ? 'wechat_pay' : null, walletB: takesB ? (found ?? null) : null }
}

function memberOf(methods: readonly string[], method: string): string {
  return `methods[${methods.indexOf(method)}]`
}

function notOpen(member: string, name: string): Refusal {
  return refused(member, `names ${name}, which this account cannot take yet: ask Airwallex to open it`)
}

function refused(member: string, message: string): Refusal {
  return { kind: 'refused', member, message }
}
