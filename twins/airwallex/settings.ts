import { ControlError } from '../common/control.ts'

/**
 * What only Airwallex can show, or what differs from account to account. `PUT /_twin/settings` replaces what it names.
 * - `repeated_requests`: What a request id gets the second time: `duplicate_request`, or the first answer.
 * - `three_d_secure`: The form of `next_action`.
 * - `ended_agreement`: How a charge of a disabled consent is refused.
 * - `decline_code_in`: `details` (newer versions) or the body itself (older ones).
 * - `notice_account`: The member of notices that names the account.
 * - `token_seconds`: How long a token lives.
 * - `code_seconds`: How long a payer may pay a code.
 * - `payer_seconds`: After so long payers act by themselves: they agree, and pay four codes of five. 0: never.
 * - `refund_sign`: The sign of refunds and disputes in settlement records.
 * - `closed`: Methods that Airwallex has not opened, such as `alipayhk` or `alipayhk:recurring`.
 */
export interface Settings {
  readonly repeated_requests: 'duplicate' | 'first'
  readonly three_d_secure: 'redirect' | 'redirect_form' | 'redirect_iframe'
  readonly ended_agreement: 'provider_declined' | 'invalid_status_for_operation'
  readonly decline_code_in: 'details' | 'body'
  readonly notice_account: 'account_id' | 'accountId'
  readonly refund_sign: 'negative' | 'positive'
  readonly token_seconds: number
  readonly code_seconds: number
  readonly payer_seconds: number
  readonly closed: readonly string[]
}

export const DEFAULT_SETTINGS: Settings = {
  repeated_requests: 'duplicate',
  three_d_secure: 'redirect',
  ended_agreement: 'provider_declined',
  decline_code_in: 'details',
  notice_account: 'account_id',
  refund_sign: 'negative',
  token_seconds: 1_800,
  code_seconds: 600,
  payer_seconds: 0,
  closed: [],
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  repeated_requests: ['duplicate', 'first'],
  three_d_secure: ['redirect', 'redirect_form', 'redirect_iframe'],
  ended_agreement: ['provider_declined', 'invalid_status_for_operation'],
  decline_code_in: ['details', 'body'],
  notice_account: ['account_id', 'accountId'],
  refund_sign: ['negative', 'positive'],
}

export function readSettings(current: Settings, given: Readonly<Record<string, unknown>>): Settings {
  for (const [name, value] of Object.entries(given)) {
    const choices = CHOICES[name]
    const isAllowed =
      choices === undefined ? isOther(name, value) : typeof value === 'string' && choices.includes(value)
    if (!isAllowed) throw new ControlError(`${name} cannot be ${JSON.stringify(value)}`)
  }
  return { ...current, ...(given as Partial<Settings>) }
}

function isOther(name: string, value: unknown): boolean {
  if (name === 'closed') return Array.isArray(value) && value.every((one) => typeof one === 'string')
  const isWhole = Number.isInteger(value) && Number(value) >= (name === 'payer_seconds' ? 0 : 1)
  return ['token_seconds', 'code_seconds', 'payer_seconds'].includes(name) && isWhole
}
