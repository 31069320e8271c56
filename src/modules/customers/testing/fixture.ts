import type { Static } from 'typebox'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import type { PageRequest } from '#platform/http/validation/list'
import { Links } from '#platform/security/links'
import { advance } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { rendered } from '#platform/testing/requests'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import type { BindRequest } from '../bindings/bind-request.ts'
import {
  renderCustomerData,
  renderCustomersPage,
  renderSession,
  renderTokenData,
  renderTokens,
} from '../api/render.ts'
import type { CustomerSchema, PaymentTokenSchema } from '../api/schemas.ts'
import { bindToken } from '../bindings/bind-token.ts'
import type { CustomersContext, CustomerView, TokenView } from '../context.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { customerJobs } from '../jobs.ts'
import { contextOf, useCasesOf } from '../module.ts'
import { createCustomer } from '../profiles/create-customer.ts'
import { createCustomerSession } from '../profiles/customer-session.ts'
import { editCustomer } from '../profiles/edit-customer.ts'
import { customerByReference, customersOfPage } from '../profiles/read-customers.ts'
import { searchCustomers } from '../profiles/search-customers.ts'
import { deleteToken } from '../tokens/delete-token.ts'
import { tokensOfCustomer } from '../tokens/list-tokens.ts'

export type TokenJson = Static<typeof PaymentTokenSchema>
export type CustomerJson = Static<typeof CustomerSchema>

export function customersOf(deps: Omit<CustomersDependencies, 'actorNames'>) {
  const ctx = contextOf({ actorNames: async () => new Map(), ...deps })
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: CustomersContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  const customerData = (view: CustomerView) => renderCustomerData(ctx.links, view)
  const tokenData = (view: TokenView) => renderTokenData(ctx.links, view)
  return {
    ...useCasesOf(ctx),
    jobs: customerJobs(ctx),
    search: searchCustomers,
    create: rendered(bind(createCustomer), customerData),
    edit: rendered(bind(editCustomer), customerData),
    byReference: rendered(bind(customerByReference), customerData),
    createSession: rendered(bind(createCustomerSession), renderSession),
    tokens: rendered(bind(tokensOfCustomer), (views) => renderTokens(ctx.links, views)),
    bind: rendered(bind(bindToken), tokenData),
    deleteToken: rendered(bind(deleteToken), tokenData),
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderCustomersPage(ctx.links, request, await customersOfPage(ctx, caller, filter, request)),
  }
}

export async function createFixture() {
  const database = await createTestDatabase()
  const { acquirer, simulator, setFaults } = await createTestAcquirer({ silenceMs: 3_000 })
  const { keyring, rotateKeys } = createTestKeyring()
  const links = new Links(keyring, () => 'http://127.0.0.1:8080')
  const deps: CustomersDependencies = {
    db: database.db,
    events: new EventLog(),
    acquirers: simulatedAcquirers(() => acquirer),
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', environment: 'test' }) },
    actorNames: async () => new Map(),
    keyring,
    links,
  }
  const customers = customersOf(deps)
  const [bindingInquiries] = customers.jobs
  if (bindingInquiries === undefined) throw new Error('the module has no job')

  return {
    ...database,
    customers,
    bindingInquiries,
    keyring,
    rotateKeys,
    ctx: contextOf(deps),
    simulator,
    business: () => createTestBusiness(database),
    setFaults,
    advance: (businessId: string, by: Temporal.DurationLike) =>
      advance(database.db, customers.jobs, businessId, by),
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

export async function newCustomer(
  fixture: Pick<Fixture, 'customers'>,
  caller: Caller,
): Promise<CustomerJson> {
  const response = await fixture.customers.create(caller, {
    reference_number: newId('ref'),
    name: 'Ada',
    phone: '5550100',
  })
  return response.customer
}

export function cardRequest(number: string, more: Partial<BindRequest> = {}): BindRequest {
  return {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '7',
      exp_year: '2040',
      cvc: number.length === 15 ? '1234' : '123',
      holder_name: 'Ada Lovelace',
      billing_currency: 'HKD',
    },
    ...more,
  }
}

export async function bindCard(
  fixture: Pick<Fixture, 'customers'>,
  caller: Caller,
  customerUuid: string,
  number = '4242424242424242',
  more: Partial<BindRequest> = {},
): Promise<TokenJson> {
  const response = await fixture.customers.bind(caller, customerUuid, cardRequest(number, more))
  return response.payment_token
}

export async function tokensOf(fixture: Fixture, caller: Caller, customerUuid: string): Promise<TokenJson[]> {
  const response = await fixture.customers.tokens(caller, customerUuid, undefined)
  return response.payment_tokens ?? []
}
