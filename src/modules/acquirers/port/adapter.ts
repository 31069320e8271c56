import type { Environment } from '#platform/caller'
import type { Disputes, Reply } from './disputes.ts'
import type { FindNotices, LaterFailure, ReadNotices } from './notices.ts'
import type { Acquirer, Capabilities, VerifiedInstrument } from './port.ts'
import type { SettlementReports } from './settlement.ts'

export const ACQUIRER_NAMES = ['stripe', 'adyen'] as const
export type AcquirerName = (typeof ACQUIRER_NAMES)[number]

/**
 * A business's account at an acquirer, with its credentials opened. Never logged.
 * - `apiBase`: Without the version's path and without a final slash.
 * - `merchantId`: The acquirer's own id of the account, from `checkCredentials`.
 */
export interface AccountSettings {
  readonly environment: Environment
  readonly credentials: Readonly<Record<string, string>>
  readonly apiBase: string
  readonly statementDescriptor: string | null
  readonly merchantId: string
}

export type CredentialCheck =
  | { readonly kind: 'accepted'; readonly merchantId: string }
  | { readonly kind: 'refused'; readonly member: string; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string }

export interface AdapterDependencies {
  readonly connect: object
  readonly timeoutMs?: number
  readonly findNotices: FindNotices
}

/**
 * What the hosted pages need to collect a card with the acquirer's own component.
 * - `origins`: Origins that the policy of that one page allows, by CSP directive (`script-src`, `frame-src`, `connect-
 *   src`, …).
 */
export interface BrowserComponent {
  readonly acquirer: AcquirerName
  readonly publicKey: string
  readonly environment: Environment
  readonly scriptUrl: string
  readonly styleUrl: string | null
  readonly origins: Readonly<Record<string, readonly string[]>>
}

export interface ConnectedAcquirer extends Acquirer {
  readonly readNotices: ReadNotices
  readonly disputes: Disputes
  readonly settlement: SettlementReports
  readonly component: BrowserComponent
  readInstrument(instrument: {
    readonly id: string
    readonly payerReference: string | null
  }): Promise<Reply<VerifiedInstrument>>
  disconnect(): Promise<void>
}

/**
 * - `credentialMembers`: Members of `credentials`, all required.
 * - `laterFailure`: Defined for an acquirer that accepts first and reports failures later.
 * - `testCards`: Published card numbers that its test platform takes, beside those of our simulator.
 * - `defaultApiBase`: Null where the business must give it (Adyen live).
 * - `checkForm`: Whether a member can belong to the environment, judged by its form alone: a test key in a live
 *   environment is refused without a call.
 * - `checkCredentials`: Asks the acquirer whether it accepts the credentials. A refusal names the member inside
 *   `acquirer_account`, such as `credentials.secret_key`.
 */
export interface AcquirerAdapter {
  readonly name: AcquirerName
  readonly capabilities: Capabilities
  readonly laterFailure?: LaterFailure
  readonly testCards?: ReadonlySet<string>
  readonly credentialMembers: readonly string[]
  readonly defaultApiBase: Readonly<Record<Environment, string | null>>
  readonly checkForm: (
    settings: Omit<AccountSettings, 'merchantId'>,
  ) => Extract<CredentialCheck, { kind: 'refused' }> | null
  readonly checkCredentials: (
    settings: Omit<AccountSettings, 'merchantId'>,
    deps: Pick<AdapterDependencies, 'connect' | 'timeoutMs'>,
  ) => Promise<CredentialCheck>
  readonly connect: (settings: AccountSettings, deps: AdapterDependencies) => ConnectedAcquirer
}
