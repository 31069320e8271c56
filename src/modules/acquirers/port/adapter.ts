import type { Money } from '#kernel/money'
import type { Environment } from '#platform/caller'
import type { Disputes, Reply } from './disputes.ts'
import type { ConfirmedFailure, FindNotices, LaterFailure, Notice, ReadNotices } from './notices.ts'
import type { Acquirer, Capabilities, VerifiedInstrument, WalletName } from './port.ts'
import type { SettlementReports } from './settlement.ts'

export const ACQUIRER_NAMES = ['stripe', 'adyen', 'airwallex'] as const
export type AcquirerName = (typeof ACQUIRER_NAMES)[number]

/** Which wallets pay as the methods `wallet_a_pay` and `wallet_b`; null where the account takes none. */
export interface Wallets {
  readonly walletA: Extract<WalletName, 'wechat_pay'> | null
  readonly walletB: Extract<WalletName, 'alipay' | 'alipay_hk'> | null
}

export const NO_WALLETS: Wallets = { walletA: null, walletB: null }

/**
 * A business's account at an acquirer, with its credentials opened. Never logged.
 * - `apiBase`: Without the version's path and without a final slash.
 * - `merchantId`: The acquirer's own id of the account, from `checkCredentials`.
 * - `methods`, `wallets`, `currencies`: For adapters that name wallets (`namesWallets`).
 */
export interface AccountSettings {
  readonly environment: Environment
  readonly credentials: Readonly<Record<string, string>>
  readonly apiBase: string
  readonly statementDescriptor: string | null
  readonly methods?: readonly string[]
  readonly wallets?: Wallets
  readonly currencies?: readonly string[]
  readonly merchantId: string
}

/** `wallets`: Those that the account takes, where the settings left the choice to the acquirer. */
export type CredentialCheck =
  | { readonly kind: 'accepted'; readonly merchantId: string; readonly wallets?: Wallets }
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
 * - `confirmsInBrowser`: The component confirms the payment itself. What it hands back proves nothing.
 */
export interface BrowserComponent {
  readonly acquirer: AcquirerName
  readonly publicKey: string
  readonly environment: Environment
  readonly scriptUrl: string
  readonly styleUrl: string | null
  readonly origins: Readonly<Record<string, readonly string[]>>
  readonly confirmsInBrowser: boolean
}

/**
 * What the component needs to confirm one payment. Never stored and never logged.
 * - `keepsFor`: The acquirer's id of the payer with whom the card of the payment is to be kept; null where none is.
 */
export interface BrowserPayment {
  readonly id: string
  readonly keepsFor: string | null
  readonly clientSecret: string
  readonly amount: Money
}

/** A way to pay that the acquirer has opened for the account, by the acquirer's own name. */
interface OpenedMethod {
  readonly name: string
  readonly isRecurring: boolean
  readonly currencies: readonly string[]
}

/**
 * - `confirmFailure`: Asks whether an operation that a notice calls failed has failed, or an authorization was canceled.
 *   Defined where the acquirer can be asked; elsewhere the notice alone decides (`laterFailure`).
 * - `browserPayment`: Defined where the component confirms the payment in the browser.
 * - `takesAgreements`: Whether the account may charge by agreements with this wallet. Defined where that is opened apart
 *   from single payments.
 * - `registerDomain`: Registers a domain whose pages may offer Apple Pay, where they serve the acquirer's file.
 */
export interface ConnectedAcquirer extends Acquirer {
  readonly readNotices: ReadNotices
  readonly confirmFailure?: (
    notice: Pick<Notice, 'type' | 'subject'>,
  ) => Promise<Reply<ConfirmedFailure | null>>
  readonly disputes: Disputes
  readonly settlement: SettlementReports
  readonly component: BrowserComponent
  readInstrument(instrument: {
    readonly id: string
    readonly payerReference: string | null
  }): Promise<Reply<VerifiedInstrument>>
  readonly browserPayment?: (reference: string) => Promise<Reply<BrowserPayment>>
  readonly opened?: () => Promise<Reply<readonly OpenedMethod[]>>
  readonly takesAgreements?: (wallet: WalletName) => Promise<Reply<boolean>>
  readonly registerDomain?: (domain: string) => Promise<Reply<null>>
  disconnect(): Promise<void>
}

/**
 * - `credentialMembers`: Members of `credentials` that are required.
 * - `laterFailure`: Defined for an acquirer that accepts first and reports failures later.
 * - `testCards`: Published card numbers that its test platform takes, beside those of our simulator.
 * - `optionalCredentials`: Members of `credentials` that may be left out.
 * - `namesWallets`: An account names the wallets that it takes. They and the methods are checked whenever they are set.
 * - `registersDomains`: Its connected accounts have `registerDomain`.
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
  readonly optionalCredentials?: readonly string[]
  readonly namesWallets?: boolean
  readonly registersDomains?: boolean
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
