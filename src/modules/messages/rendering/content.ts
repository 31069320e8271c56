import type { Branding } from '#modules/businesses'
import type { MessageKind } from '../model/kinds.ts'
import type { Placeholder } from '../model/placeholders.ts'

/** How the business shows itself. `logoUrl` is an address of this service that never changes its content. */
export interface MessageBrand extends Pick<Branding, 'color' | 'email' | 'phone' | 'website'> {
  readonly businessName: string
  readonly logoUrl: string | null
}

/** The label of a row; rendering says it in the message's language. */
export type DetailLabel =
  | 'order_number'
  | 'document_number'
  | 'credited_invoice'
  | 'plan_name'
  | 'total'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_credited'
  | 'payment_method'
  | 'payment_reference'
  | 'paid_on'
  | 'issued_on'
  | 'due_on'
  | 'reason'
  | 'next_attempt_on'
  | 'ends_on'
  | 'trial_ends_on'
  | 'renews_on'
  | 'card'
  | 'card_expires'
  | 'link_valid_until'
  | 'usage'
  | 'balance'

interface MessageDetails {
  /** Lines of the order or document, net of nothing: as the order shows them. */
  readonly lines: readonly {
    readonly label: string
    readonly quantity: string | null
    readonly amount: string
  }[]
  readonly rows: readonly { readonly label: DetailLabel; readonly value: string }[]
}

export type ActionKind = 'pay' | 'view_order' | 'update_card' | 'open_portal'

interface Action {
  readonly kind: ActionKind
  readonly url: string
}

/**
 * Everything that a message says. Amounts and dates are texts in the message's language already; nothing here is HTML.
 * - `variant`: What several causes of one kind differ in. `plan_canceled` is `scheduled` where the plan goes on until
 *   `date`, `payment_failed` is `last` where no attempt follows, `receipt` is `with_invoice` where both are one message.
 * - `otherAction`: Shown as a link below the button of `action`.
 * - `attached`: The names of the files that come with it.
 * - `testMode`: Whether the message says that no money moves.
 * - `override`: The business's own texts, with placeholders. An intro also replaces the greeting.
 */
export interface MessageContent {
  readonly kind: MessageKind
  readonly variant?: 'scheduled' | 'last' | 'with_invoice'
  readonly language: string
  readonly brand: MessageBrand
  readonly values: Readonly<Partial<Record<Placeholder, string>>>
  readonly details: MessageDetails
  readonly action?: Action
  readonly otherAction?: Action
  readonly attached?: readonly string[]
  readonly testMode?: boolean
  readonly override?: {
    readonly subject?: string | null
    readonly intro?: string | null
    readonly outro?: string | null
  }
  readonly unsubscribeUrl?: string
}

export interface RenderedMessage {
  readonly subject: string
  readonly html: string
  readonly text: string
}
