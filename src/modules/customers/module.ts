import type { Instant } from '#kernel/clock'
import type { Lookup } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { defineModule } from '#platform/module'
import type { Tx } from '#platform/postgres/database'
import {
  renderCustomer,
  renderErasure,
  renderTokenData,
  renderTokenEvent,
  renderTokens,
} from './api/render.ts'
import { customerRoutes } from './api/routes.ts'
import { verifyCustomers } from './audit/verify.ts'
import {
  addVerifiedToken,
  findPayer,
  keepInstruments,
  type VerifiedToken,
} from './bindings/add-verified-token.ts'
import type { BindRequest } from './bindings/bind-request.ts'
import { bindToken } from './bindings/bind-token.ts'
import { handleNotice } from './bindings/handle-notice.ts'
import { viewVerification, type VerificationLink } from './bindings/verification.ts'
import type {
  BilledCustomers,
  CardsExpiringHandler,
  CustomersContext,
  DefaultTokenHandler,
  TokenView,
} from './context.ts'
import type { CustomersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { customerJobs } from './jobs.ts'
import { announceErased } from './profiles/customer-erasure.ts'
import { readCustomerSession } from './profiles/customer-session.ts'
import type { Customer } from './model/customer.ts'
import { searchCustomers } from './profiles/search-customers.ts'
import { findCustomers, holdCustomers, lockCustomer } from './storage/customer.repository.ts'
import {
  END_TOKEN_LEASES,
  findDefaultTokens,
  findTokenIds,
  findTokens,
  listTokens,
} from './storage/payment-token.repository.ts'
import { CUSTOMERS_PERSONAL_DATA } from './storage/personal-data.ts'
import { findCustomersByEmail } from './profiles/customers-by-email.ts'
import { findNotesBefore } from './storage/note.repository.ts'
import { findCustomersByTexts } from './storage/customer-search.repository.ts'
import { askAboutAgreements } from './storage/agreement-end.repository.ts'
import { openInstrument } from './tokens/card-vault.ts'
import { deleteToken } from './tokens/delete-token.ts'
import { tokensOfCustomer } from './tokens/list-tokens.ts'
import { makeDefault } from './tokens/make-default.ts'
import type { PaymentToken } from './model/payment-token.ts'
import { rewrapPaymentTokens } from './tokens/rewrap.ts'

export { CUSTOMER_EVENTS } from './api/events.ts'
export { CustomerSchema, PaymentTokenSchema } from './api/schemas.ts'

export const customersModule = defineModule({
  name: 'customers',
  errors: errors.catalogue,
  verify: verifyCustomers,
  rewraps: [rewrapPaymentTokens],
  personalData: CUSTOMERS_PERSONAL_DATA,
  endLeases: END_TOKEN_LEASES,
  connect: (deps: CustomersDependencies) => {
    const ctx = contextOf(deps)
    return {
      customers: useCasesOf(ctx),
      routes: customerRoutes(ctx),
      jobs: customerJobs(ctx),
      search: { scope: 'customers:read', search: searchCustomers },
    }
  },
})

export type Customers = ReturnType<typeof useCasesOf>

/**
 * What other modules use.
 * - `findTokens`, `defaultTokens`: Call `isChargeable(token, at)` before a charge: `findTokens` also returns deleted tokens,
 *   but no purged ones, and a default token may have expired. `defaultTokens` returns tokens by customer uuid.
 * - `openInstrument`: May return the full card number. Open it only for the call to this account.
 */
export function useCasesOf(ctx: CustomersContext) {
  return {
    findCustomers,
    holdCustomers,
    findByEmail: findCustomersByEmail,
    findCustomersByTexts,
    lockCustomer,
    findPayer,
    findTokens,
    tokenIdsOf: findTokenIds,
    notesOf: findNotesBefore,
    defaultTokens: findDefaultTokens,
    handleNotice,
    askAboutAgreements,
    keepInstruments,
    onDefaultToken: (handler: DefaultTokenHandler) => void ctx.defaultTokenHandlers.push(handler),
    onCardsExpiring: (handler: CardsExpiringHandler) => void ctx.expiringHandlers.push(handler),
    readBilledCustomers: (billed: BilledCustomers) => void ctx.billedCustomers.push(billed),
    listCards: (tx: Tx, customerUuid: string) => listTokens(tx, customerUuid, 'CreditCard'),
    readSession: (token: string) => readCustomerSession(ctx, token),
    tokensOf: (caller: Caller, customerUuid: string) =>
      tokensOfCustomer(ctx, caller, customerUuid, undefined),
    makeDefault: (caller: Caller, customerUuid: string, token: string) =>
      makeDefault(ctx, caller, customerUuid, token),
    deleteToken: (
      caller: Caller,
      customerUuid: string,
      token: string,
      check: Parameters<typeof deleteToken>[4],
    ) => deleteToken(ctx, caller, customerUuid, token, check),
    renderToken: (view: TokenView) => renderTokenData(ctx.links, view),
    renderTokens: (views: readonly TokenView[]) => renderTokens(ctx.links, views),
    bind: (caller: Caller, customerUuid: string, request: BindRequest) =>
      bindToken(ctx, caller, customerUuid, request),
    addVerifiedToken: (businessId: string, verified: VerifiedToken) =>
      addVerifiedToken(ctx, businessId, verified),
    viewVerification: (link: VerificationLink, returned?: Lookup['returned']) =>
      viewVerification(ctx, link, returned),
    announceErased: (tx: Tx, uuid: string) => announceErased(ctx, tx, uuid),
    openInstrument: (token: PaymentToken, accountId: string) => openInstrument(ctx.keyring, token, accountId),
    renderCustomer: (customer: Customer, defaultToken: PaymentToken | undefined, at: Instant) =>
      renderCustomer(ctx.links, { customer, defaultToken, at }),
  }
}

export function contextOf(deps: CustomersDependencies): CustomersContext {
  const { links } = deps
  return {
    ...deps,
    defaultTokenHandlers: [],
    billedCustomers: [],
    expiringHandlers: [],
    present: {
      token: (view) => renderTokenData(links, view),
      tokenEvent: (view) => renderTokenEvent(links, view),
      erasure: renderErasure,
    },
  }
}
