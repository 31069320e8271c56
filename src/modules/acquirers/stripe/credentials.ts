import type { AccountSettings, AdapterDependencies, CredentialCheck } from '../port/adapter.ts'
import { safeMessage, textOf } from './wire/members.ts'
import { createStripeClient, type StripeResponse, type StripeClient } from './wire/stripe-client.ts'

type UncheckedSettings = Omit<AccountSettings, 'merchantId'>
type RefusedCredential = Extract<CredentialCheck, { kind: 'refused' }>

const UNNAMED_ACCOUNT = 'stripe'
const DESCRIPTOR = /^(?=.*[A-Za-z])[^<>\\'"*]{1,22}$/

export function checkForm({
  environment,
  credentials,
  statementDescriptor,
}: UncheckedSettings): RefusedCredential | null {
  const { secret_key: secretKey = '', publishable_key: publishableKey = '' } = credentials
  if (!new RegExp(`^[sr]k_${environment}_\\S+$`).test(secretKey)) {
    const expected = `must begin with sk_${environment}_ or rk_${environment}_ in a ${environment} environment`
    return refused('credentials.secret_key', expected)
  }
  if (!new RegExp(`^pk_${environment}_\\S+$`).test(publishableKey)) {
    const expected = `must begin with pk_${environment}_ in a ${environment} environment`
    return refused('credentials.publishable_key', expected)
  }
  const secrets = webhookSecrets(credentials)
  if (secrets.length === 0 || !secrets.every((secret) => /^whsec_\S+$/.test(secret))) {
    return refused('credentials.webhook_secret', 'must be one or more whsec_… secrets, separated by commas')
  }
  if (statementDescriptor !== null && !DESCRIPTOR.test(statementDescriptor)) {
    const rule = `must have 1 to 22 characters, a letter among them, and none of < > \\ ' " *`
    return refused('statement_descriptor', rule)
  }
  return null
}

export function webhookSecrets(credentials: Readonly<Record<string, string>>): string[] {
  return (credentials.webhook_secret ?? '').split(',').flatMap((secret) => secret.trim() || [])
}

export async function checkCredentials(
  { credentials, apiBase }: UncheckedSettings,
  deps: Pick<AdapterDependencies, 'connect' | 'timeoutMs'>,
): Promise<CredentialCheck> {
  const client = createStripeClient({ ...deps, apiBase, secretKey: credentials.secret_key ?? '' })
  try {
    return await askForAccount(client)
  } finally {
    await client.close()
  }
}

async function askForAccount(client: StripeClient): Promise<CredentialCheck> {
  const account = await client.get('/v1/account')
  const isMissing = account.kind === 'error' && account.status === 404
  return isMissing ? judge(await client.get('/v1/balance'), 'balance') : judge(account, 'account')
}

function judge(response: StripeResponse, expected: 'account' | 'balance'): CredentialCheck {
  if (response.kind === 'unknown') {
    const isSuccess = response.status !== null && response.status < 400
    return isSuccess ? notStripe() : { kind: 'unavailable', message: response.message }
  }
  if (response.kind === 'ok') {
    if (response.object.object !== expected) return notStripe()
    const id = expected === 'account' ? textOf(response.object.id) : null
    return { kind: 'accepted', merchantId: id ?? UNNAMED_ACCOUNT }
  }
  const { status, error } = response
  const said = safeMessage(error.message)
  if (status !== 401 && status !== 403 && said === null) return notStripe()
  return refused('credentials.secret_key', said === null ? 'was refused by Stripe' : `was refused: ${said}`)
}

function notStripe(): RefusedCredential {
  return refused('api_base', 'is not the address of a Stripe API')
}

function refused(member: string, message: string): RefusedCredential {
  return { kind: 'refused', member, message }
}
