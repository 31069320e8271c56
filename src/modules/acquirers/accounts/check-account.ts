import { isCurrency } from '#kernel/currencies'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import type { AccountSettings, AcquirerAdapter, CredentialCheck } from '../port/adapter.ts'

const PREFIX = 'acquirer_account'

type UncheckedSettings = Omit<AccountSettings, 'merchantId'>

export function readCredentials(
  { name, credentialMembers }: AcquirerAdapter,
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const foreign = Object.keys(given).find((member) => !credentialMembers.includes(member))
  if (foreign !== undefined) {
    throw invalid(
      `credentials.${foreign}`,
      `is not a credential of ${name}; ${name} takes ${credentialMembers.join(', ')}`,
    )
  }
  return Object.fromEntries(
    credentialMembers.map((member) => {
      const value = given[member]
      if (value === undefined) throw invalid(`credentials.${member}`, `is required for ${name}`)
      return [member, value]
    }),
  )
}

export function readCurrencies(currencies: readonly string[]): string[] {
  for (const [index, currency] of currencies.entries()) {
    if (!isCurrency(currency)) throw invalid(`currencies[${index}]`, 'must be an ISO 4217 currency code')
  }
  return [...new Set(currencies)]
}

/**
 * Asks the acquirer whether it accepts the credentials. Never call this inside a transaction.
 * @returns the acquirer's id of the account
 * @throws 422 `credentials_refused`, 503 `acquirer_unreachable`
 */
export async function checkCredentials(
  { egress, timeoutMs }: AcquirersDependencies,
  adapter: AcquirerAdapter,
  settings: UncheckedSettings,
): Promise<string> {
  const misfit = adapter.checkForm(settings)
  if (misfit !== null) throw refused(misfit)
  const check = await adapter.checkCredentials(settings, {
    connect: egress.connect,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  if (check.kind === 'refused') throw refused(check)
  if (check.kind === 'unavailable') {
    throw errors.acquirer_unreachable({
      message: `${adapter.name} did not check the credentials: ${check.message.replace(/\.$/, '')}.`,
    })
  }
  return check.merchantId
}

export function invalid(member: string, rule: string): Error {
  const param = `${PREFIX}.${member}`
  return errors.acquirer_account_invalid({ param, message: `${param} ${rule}.` })
}

function refused({ member, message }: Extract<CredentialCheck, { kind: 'refused' }>): Error {
  const param = `${PREFIX}.${member}`
  return errors.credentials_refused({ param, message: `${param} ${message}.` })
}
