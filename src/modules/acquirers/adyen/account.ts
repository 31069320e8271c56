import type { AccountSettings, AdapterDependencies, CredentialCheck } from '../port/adapter.ts'
import { isLocalName, literalAddress } from '#platform/security/public-address'
import { createAdyenApi } from './api.ts'

type Settings = Omit<AccountSettings, 'merchantId'>
type Refusal = Extract<CredentialCheck, { kind: 'refused' }>

const HMAC_KEY = /^[0-9A-Fa-f]{64}$/
const TEST_HOST = /-test\.adyen\.com$/
const LIVE_HOST = /(-live\.adyen\.com|-live(-[a-z]+)?\.adyenpayments\.com)$/

export function checkForm(settings: Settings): Refusal | null {
  const { environment, credentials, apiBase } = settings
  if (!credentials.client_key?.startsWith(`${environment}_`)) {
    return refused(
      'credentials.client_key',
      `must begin with ${environment}_ in a ${environment} environment`,
    )
  }
  if (hmacKeysOf(credentials.hmac_key ?? '').some((key) => !HMAC_KEY.test(key))) {
    return refused(
      'credentials.hmac_key',
      'must be 64 hexadecimal digits, or several such keys separated by commas',
    )
  }
  const url = URL.parse(apiBase)
  if (url === null) return refused('api_base', 'must be a URL')
  if (/\/v\d+\/?$/.test(url.pathname)) return refused('api_base', 'must not contain the version of the API')
  const otherHost = environment === 'test' ? LIVE_HOST : TEST_HOST
  if (otherHost.test(url.hostname)) {
    return refused('api_base', `must be a host of Adyen's ${environment} environment`)
  }
  return null
}

export async function checkCredentials(
  settings: Settings,
  deps: Pick<AdapterDependencies, 'connect' | 'timeoutMs'>,
): Promise<CredentialCheck> {
  const api = createAdyenApi(settings, deps)
  try {
    const { merchantAccount } = api
    const answer = await api.send({
      path: '/paymentMethods',
      body: { merchantAccount },
      idempotencyKey: crypto.randomUUID(),
    })
    if (answer.kind === 'ok') return { kind: 'accepted', merchantId: merchantAccount }
    if (answer.kind === 'unknown') return { kind: 'unavailable', message: answer.message }
    return answer.status === 401
      ? refused('credentials.api_key', 'Adyen does not accept this API key')
      : refused('credentials.merchant_account', `Adyen refuses this merchant account: ${answer.message}`)
  } finally {
    await api.close()
  }
}

export function hmacKeysOf(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim())
}

export function isLoopback(apiBase: string): boolean {
  const { hostname } = new URL(apiBase)
  const address = literalAddress(hostname)
  return isLocalName(hostname) || address === '::1' || address?.startsWith('127.') === true
}

export function customerAreaOf({ environment, apiBase }: Pick<Settings, 'environment' | 'apiBase'>): string {
  return isLoopback(apiBase) ? apiBase : `https://ca-${environment}.adyen.com`
}

function refused(member: string, message: string): Refusal {
  return { kind: 'refused', member, message }
}
