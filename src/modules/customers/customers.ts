import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Instrument, Lookup, Notice, Payer } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import type { TokenClaims } from '#platform/security/tokens/signed-tokens'
import type { Tx } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import { addVerifiedToken, findPayer, type VerifiedToken } from './bindings/add-verified-token.ts'
import type { BindRequest } from './bindings/bind-request.ts'
import { bindToken } from './bindings/bind-token.ts'
import { openInstrument } from './tokens/card-vault.ts'
import { instrumentRefresh } from './tokens/refresh-instrument.ts'
import { scheduleRefresh } from './storage/instrument-refresh.repository.ts'
import { createCustomerSession, readCustomerSession } from './profiles/customer-session.ts'
import { createCustomer } from './profiles/create-customer.ts'
import { customerErasure } from './profiles/customer-erasure.ts'
import { findCustomers } from './storage/customer.repository.ts'
import type { Customer, CustomerEdit, NewCustomer, PaymentMethod } from './profiles/customer.ts'
import { deleteToken } from './tokens/delete-token.ts'
import { bindingInquiries, failedTokenPurge } from './jobs.ts'
import { editCustomer } from './profiles/edit-customer.ts'
import { customerByReference, customerByUuid, listCustomerTokens } from './api/queries.ts'
import { customersPage } from './api/list-customers.ts'
import type { CustomersDependencies } from './dependencies.ts'
import type { PaymentToken } from './tokens/payment-token.ts'
import {
  findDefaultTokens,
  findTokens,
  hastenInquiry,
  listTokens,
} from './storage/payment-token.repository.ts'
import { renderCustomer, renderPaymentToken } from './api/render.ts'
import { viewVerification, type VerificationDetails, type VerificationLink } from './bindings/verification.ts'
import { searchCustomers } from './profiles/search-customers.ts'

/**
 * - `viewVerification`: `returned` are the query members that the acquirer added when it sent the payer back.
 * - `findTokens`, `defaultTokens`: Call `isChargeable(token, at)` before a charge: `findTokens` also returns deleted tokens,
 *   but no purged ones, and a default token may have expired. `defaultTokens` returns tokens by customer uuid.
 * - `readSession`: Of a token that `createSession` made: whom its bearer is. Null when it is forged or expired.
 * - `openInstrument`: May return the full card number. Open it only for the call to this account.
 */
export class Customers {
  readonly #deps: CustomersDependencies
  readonly jobs: readonly Job[]

  constructor(deps: CustomersDependencies) {
    this.#deps = deps
    this.jobs = [bindingInquiries(deps), failedTokenPurge(deps), instrumentRefresh(deps)]
  }

  create(caller: Caller, customer: NewCustomer): Promise<{ customer: object }> {
    return createCustomer(this.#deps, caller, customer)
  }

  edit(caller: Caller, uuid: string, edit: CustomerEdit): Promise<{ customer: object }> {
    return editCustomer(this.#deps, caller, uuid, edit)
  }

  createSession(caller: Caller, uuid: string): Promise<{ customer_session: object }> {
    return createCustomerSession(this.#deps, caller, uuid)
  }

  readSession(token: string): TokenClaims | null {
    return readCustomerSession(this.#deps, token)
  }

  byReference(caller: Caller, referenceNumber: string): Promise<{ customer: object }> {
    return customerByReference(this.#deps, caller, referenceNumber)
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchCustomers(tx, search)
  }

  byUuid(caller: Caller, uuid: string): Promise<{ customer: object }> {
    return customerByUuid(this.#deps, caller, uuid)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return customersPage(this.#deps, caller, filter, page)
  }

  tokens(
    caller: Caller,
    customerUuid: string,
    method: PaymentMethod | undefined,
  ): Promise<{ payment_tokens: object[] }> {
    return listCustomerTokens(this.#deps, caller, customerUuid, method)
  }

  async bind(caller: Caller, customerUuid: string, request: BindRequest): Promise<{ payment_token: object }> {
    const { token, at } = await bindToken(this.#deps, caller, customerUuid, request)
    return { payment_token: this.renderPaymentToken(token, at) }
  }

  deleteToken(caller: Caller, customerUuid: string, token: string): Promise<{ payment_token: object }> {
    return deleteToken(this.#deps, caller, customerUuid, token)
  }

  addVerifiedToken(businessId: string, verified: VerifiedToken): Promise<PaymentToken | null> {
    return addVerifiedToken(this.#deps, businessId, verified)
  }

  findPayer(tx: Tx, customerUuid: string, accountId: string): Promise<Payer | null> {
    return findPayer(tx, customerUuid, accountId)
  }

  viewVerification(link: VerificationLink, returned?: Lookup['returned']): Promise<VerificationDetails> {
    return viewVerification(this.#deps, link, returned)
  }

  async handleNotice(
    tx: Tx,
    { accountId, subject }: Pick<Notice, 'subject'> & { readonly accountId: string },
  ): Promise<void> {
    if (subject.kind === 'verification') await hastenInquiry(tx, subject, tx.now)
    else if (subject.kind === 'instrument') await scheduleRefresh(tx, accountId, subject.reference, tx.now)
  }

  findCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>> {
    return findCustomers(tx, uuids)
  }

  async announceErased(tx: Tx, uuid: string): Promise<void> {
    const { erasedAt } = await customerErasure.lock(tx, uuid)
    const data = { customer: { uuid, erased_at: toRfc3339(erasedAt ?? tx.now) } }
    await this.#deps.events.append(tx, [{ type: 'customer.erased', objectId: uuid, timestamp: tx.now, data }])
  }

  listCards(tx: Tx, customerUuid: string): Promise<PaymentToken[]> {
    return listTokens(tx, customerUuid, 'CreditCard')
  }

  findTokens(tx: Tx, tokens: readonly string[]): Promise<Map<string, PaymentToken>> {
    return findTokens(tx, tokens)
  }

  defaultTokens(tx: Tx, customerUuids: readonly string[]): Promise<Map<string, PaymentToken>> {
    return findDefaultTokens(tx, customerUuids)
  }

  openInstrument(token: PaymentToken, accountId: string): Instrument {
    return openInstrument(this.#deps.keyring, token, accountId)
  }

  renderCustomer(customer: Customer, defaultToken: PaymentToken | undefined, at: Instant): object {
    return renderCustomer(this.#deps.links, customer, defaultToken, at)
  }

  renderPaymentToken(token: PaymentToken, at: Instant): object {
    return renderPaymentToken(this.#deps.links, token, at)
  }
}
