import type { Instant } from '#kernel/clock'
import type { Instrument } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import { type BindRequest, bindToken } from './bindings/bind-token.ts'
import { openInstrument } from './tokens/card-vault.ts'
import { createCustomer } from './profiles/create-customer.ts'
import { findCustomers } from './storage/customer.repository.ts'
import type { Customer, CustomerEdit, NewCustomer, PaymentMethod } from './profiles/customer.ts'
import { deleteToken } from './tokens/delete-token.ts'
import { bindingInquiries } from './jobs.ts'
import { editCustomer } from './profiles/edit-customer.ts'
import { customerByReference, customersPage, tokensOfCustomer } from './api/look-up.ts'
import type { CustomersDependencies } from './dependencies.ts'
import type { PaymentToken } from './tokens/payment-token.ts'
import { findDefaultTokens, findTokens, listTokens } from './storage/payment-token.repository.ts'
import { renderCustomer, renderPaymentToken } from './api/render.ts'
import { verification, type Verification, type VerificationLink } from './bindings/verification.ts'

/** Customers and their payment tokens. Made once, in compose.ts. */
export class Customers {
  readonly #deps: CustomersDependencies
  readonly jobs: readonly Job[]

  constructor(deps: CustomersDependencies) {
    this.#deps = deps
    this.jobs = [bindingInquiries(deps)]
  }

  /** POST customers: answers `{customer}`. */
  create(caller: Caller, customer: NewCustomer): Promise<{ customer: object }> {
    return createCustomer(this.#deps, caller, customer)
  }

  /** Endpoint 13: answers `{customer}`. */
  edit(caller: Caller, uuid: string, edit: CustomerEdit): Promise<{ customer: object }> {
    return editCustomer(this.#deps, caller, uuid, edit)
  }

  /** Endpoint 14: answers `{customer}`. */
  byReference(caller: Caller, referenceNumber: string): Promise<{ customer: object }> {
    return customerByReference(this.#deps, caller, referenceNumber)
  }

  /** GET customers: answers `{customers, page}`. */
  page(caller: Caller, page: PageRequest): Promise<object> {
    return customersPage(this.#deps, caller, page)
  }

  /** Endpoint 15: answers `{payment_tokens}`. */
  tokens(
    caller: Caller,
    customerUuid: string,
    method: PaymentMethod | undefined,
  ): Promise<{ payment_tokens: object[] }> {
    return tokensOfCustomer(this.#deps, caller, customerUuid, method)
  }

  /** POST payment_tokens: answers `{payment_token}`. */
  async bind(caller: Caller, customerUuid: string, request: BindRequest): Promise<{ payment_token: object }> {
    const { token, at } = await bindToken(this.#deps, caller, customerUuid, request)
    return { payment_token: this.renderPaymentToken(token, at) }
  }

  /** DELETE payment_tokens/:token: answers `{payment_token}`. */
  deleteToken(caller: Caller, customerUuid: string, token: string): Promise<{ payment_token: object }> {
    return deleteToken(this.#deps, caller, customerUuid, token)
  }

  /** What the page behind a `verify_url` shows; asks the acquirer first. Throws 404. */
  verification(link: VerificationLink): Promise<Verification> {
    return verification(this.#deps, link)
  }

  /** Customers by uuid; unknown ones are left out. */
  findCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>> {
    return findCustomers(tx, uuids)
  }

  /** A customer's cards, newest first; deleted ones are left out. */
  cardsOf(tx: Tx, customerUuid: string): Promise<PaymentToken[]> {
    return listTokens(tx, customerUuid, 'CreditCard')
  }

  /** Tokens by token, deleted ones too; ask `isChargeable(token, at)` before charging. Unknown ones are left out. */
  findTokens(tx: Tx, tokens: readonly string[]): Promise<Map<string, PaymentToken>> {
    return findTokens(tx, tokens)
  }

  /**
   * The default tokens of these customers, by customer uuid. A default may have expired: ask
   * `isChargeable(token, at)` with the time of the item.
   */
  defaultTokens(tx: Tx, customerUuids: readonly string[]): Promise<Map<string, PaymentToken>> {
    return findDefaultTokens(tx, customerUuids)
  }

  /** What the acquirer needs for a charge, with the full card number: open it only for the call. */
  openInstrument(token: PaymentToken): Instrument {
    return openInstrument(this.#deps.keyring, token)
  }

  /** @param defaultToken from `defaultTokens`; @param at the business's time of the answer */
  renderCustomer(customer: Customer, defaultToken: PaymentToken | undefined, at: Instant): object {
    return renderCustomer(this.#deps.links, customer, defaultToken, at)
  }

  renderPaymentToken(token: PaymentToken, at: Instant): object {
    return renderPaymentToken(this.#deps.links, token, at)
  }
}
