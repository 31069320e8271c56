import type { Static } from 'typebox'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { type LinkMaker, verificationUrl } from '../bindings/verification-request.ts'
import type { CustomerView, TokenView } from '../context.ts'
import type { NamedNote } from '../notes/notes.ts'
import type { CustomerSession } from '../profiles/customer-session.ts'
import { maskedNumber, type PaymentToken, stateAt } from '../model/payment-token.ts'
import type {
  CustomerData,
  CustomerSchema,
  CustomerSessionData,
  ErasedEventData,
  NoteData,
  NoteSchema,
  NotesPage,
  PaymentTokenSchema,
  TokenData,
  TokenEventData,
  TokensData,
} from './schemas.ts'

export function renderCustomerData(links: LinkMaker, view: CustomerView): Static<typeof CustomerData> {
  return { customer: renderCustomer(links, view) }
}

export function renderCustomer(
  links: LinkMaker,
  { customer, defaultToken, at }: CustomerView,
): Static<typeof CustomerSchema> {
  return {
    uuid: customer.uuid,
    reference_number: customer.referenceNumber,
    name: customer.name,
    ...(customer.email !== null && { email: customer.email }),
    dial_code: customer.dialCode ?? '',
    phone: customer.phone,
    ...(customer.companyName !== null && { company_name: customer.companyName }),
    ...(customer.defaultPaymentMethod !== null && { default_payment_method: customer.defaultPaymentMethod }),
    ...(customer.messagesOff !== null && { messages: { off: [...customer.messagesOff] } }),
    ...(customer.metadata !== null && { metadata: customer.metadata }),
    ...(defaultToken !== undefined && {
      default_payment_token: renderPaymentToken(links, { token: defaultToken, at }),
    }),
    created_at: toRfc3339(customer.createdAt),
    updated_at: toRfc3339(customer.updatedAt),
    ...(customer.erasedAt !== null && { erased_at: toRfc3339(customer.erasedAt) }),
  }
}

export function renderCustomersPage(links: LinkMaker, request: PageRequest, found: readonly CustomerView[]) {
  const keyOf = ({ customer }: CustomerView) => ({ at: customer.createdAt, id: customer.uuid })
  const { rows, page } = renderPage(request, found, keyOf, (view) => renderCustomer(links, view))
  return { customers: rows, page }
}

export function renderTokenData(links: LinkMaker, view: TokenView): Static<typeof TokenData> {
  return { payment_token: renderPaymentToken(links, view) }
}

export function renderTokens(links: LinkMaker, views: readonly TokenView[]): Static<typeof TokensData> {
  return { payment_tokens: views.map((view) => renderPaymentToken(links, view)) }
}

export function renderTokenEvent(links: LinkMaker, view: TokenView): Static<typeof TokenEventData> {
  return { payment_token: { ...renderPaymentToken(links, view), customer_uuid: view.token.customerUuid } }
}

export function renderErasure(uuid: string, erasedAt: Instant): Static<typeof ErasedEventData> {
  return { customer: { uuid, erased_at: toRfc3339(erasedAt) } }
}

export function renderSession({ token, expiresAt }: CustomerSession): Static<typeof CustomerSessionData> {
  return { customer_session: { token, expires_at: toRfc3339(expiresAt) } }
}

function renderPaymentToken(links: LinkMaker, { token, at }: TokenView): Static<typeof PaymentTokenSchema> {
  return {
    token_type: token.tokenType,
    token: token.token,
    state: stateAt(token, at),
    default: token.isDefault,
    verify_url: token.state === 'pending' ? verificationUrl(links, token) : null,
    verify_uuid: token.verifyUuid,
    ...(token.errorCode !== null && { error_code: token.errorCode }),
    ...(token.errorMessage !== null && { error_msg: token.errorMessage }),
    ...(token.tokenType === 'CreditCard' && { credit_card: renderCard(token) }),
    ...(token.walletName !== null && {
      wallet: {
        name: token.walletName,
        ...(token.walletAccount !== null && { account: token.walletAccount }),
      },
    }),
    ...(token.acquirerToken !== null &&
      token.acquirerAccountId !== null && { acquirer_account_id: token.acquirerAccountId }),
    created_at: toRfc3339(token.createdAt),
  }
}

function renderCard(token: PaymentToken) {
  return {
    number: maskedNumber(token),
    exp_month: String(token.expMonth ?? '').padStart(2, '0'),
    exp_year: String(token.expYear ?? ''),
    holder_name: token.holderName ?? '',
    brand: token.brand ?? '',
    billing_currency: token.billingCurrency ?? '',
  }
}

export function renderNote(note: NamedNote): Static<typeof NoteData> {
  return { note: noteOut(note) }
}

export function renderNotesPage(request: PageRequest, found: readonly NamedNote[]): Static<typeof NotesPage> {
  const { rows, page } = renderPage(request, found, ({ createdAt: at, id }) => ({ at, id }), noteOut)
  return { notes: rows, page }
}

function noteOut(note: NamedNote): Static<typeof NoteSchema> {
  return {
    id: note.id,
    customer_uuid: note.customerUuid,
    text: note.text,
    actor_id: note.actorId,
    actor_name: note.actorName,
    created_at: toRfc3339(note.createdAt),
  }
}
