/** The behavior of a card at a twin. */
export type Behavior =
  | 'approves'
  /** Cannot be bound. */
  | 'refuses_binding'
  | 'asks_at_binding'
  /** Is bound, and declined when it is charged. */
  | 'soft_decline'
  | 'hard_decline'
  /** Is bound, and asks for its payer in a payment on session. */
  | 'asks_on_session'
  /** Asks for its payer in every payment, also while the payer is absent. */
  | 'asks_always'

/** What differs between the twins. */
export interface TwinKind {
  readonly acquirer: 'stripe' | 'adyen' | 'airwallex'
  /** The acquirer's account is named by what is in the credentials. */
  credentials(name: string, mode: 'test' | 'live'): Readonly<Record<string, string>>
  /** Whether credentials show that they are of a live account. */
  readonly showsMode: boolean
  /** Whether a card number that is stored here is charged while its payer is present. */
  readonly takesStoredNumbers: boolean
  readonly noticeSecret: string
  readonly forgedSecret: string
  /** The account of the notices of these credentials, where the twin has several. */
  noticeAccount(merchantId: string): string
  /** `payment_token` of a card of that behavior, without `default`. */
  instrument(
    url: string,
    account: ConnectedAccount,
    customerUuid: string,
    behavior: Behavior,
  ): Promise<Record<string, unknown>>
  /** How the card that `approves` is shown, and its payments are named; `unknownToken` is nobody's. */
  readonly bound: {
    readonly number: RegExp
    readonly expiry: readonly [month: string, year: string]
    readonly reference: RegExp
    readonly unknownToken: string
  }
  /** Regular expressions over `POST /path`: the request that begins a payment, and those that move its money. */
  readonly paths: Readonly<Record<'begin' | 'sale' | 'capture' | 'refund' | 'void', string>>
  /** `decline_code` and `resp_code` of the two declines. */
  readonly declines: Readonly<
    Record<'soft_decline' | 'hard_decline', readonly [ours: string, theirs: string]>
  >
  /** What a payer sends from the page of 3-D Secure. */
  challengeForm(url: URL, isApproved: boolean): Record<string, string>
}

export interface ConnectedAccount {
  readonly id: string
  readonly name: string
  readonly merchantId: string
  readonly webhookUrl: string
  readonly credentials: Readonly<Record<string, string>>
}
