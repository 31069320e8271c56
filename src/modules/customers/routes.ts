import Type from 'typebox'
import { ListQuery, PageSchema, readPage } from '#platform/http/list'
import { defineRoute, type Failure, type Route } from '#platform/http/route'
import { IdParams, Nullable, strictObject, UuidParams } from '#platform/http/schemas'
import type { Customers } from './customers.ts'
import {
  BindTokenBody,
  CreateCustomerBody,
  CustomerSchema,
  EditCustomerBody,
  PaymentTokenSchema,
  TokenData,
  TokensQuery,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/customers'
const TAG = 'Customers'

const CustomerData = Type.Object({ customer: CustomerSchema })
const CUSTOMER_EXISTS: Failure = {
  name: 'CustomerExists',
  data: Type.Object({ customer: Type.Optional(Type.Pick(CustomerSchema, ['uuid', 'reference_number'])) }),
}

export function customerRoutes(customers: Customers): Route[] {
  return [...profileRoutes(customers), ...tokenRoutes(customers)]
}

function profileRoutes(customers: Customers): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'customers:write',
      summary: 'Create a customer',
      tag: TAG,
      body: CreateCustomerBody,
      data: CustomerData,
      failures: { 409: CUSTOMER_EXISTS },
      handle: ({ caller, body }) => customers.create(caller, body.customer),
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'customers:read',
      summary: 'List customers',
      tag: TAG,
      query: ListQuery,
      data: Type.Object({ customers: Type.Array(CustomerSchema), page: PageSchema }),
      handle: ({ caller, query }) => customers.page(caller, readPage('customers', query)),
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id`,
      scope: 'customers:write',
      summary: 'Edit a customer',
      tag: TAG,
      params: IdParams,
      body: EditCustomerBody,
      data: CustomerData,
      handle: ({ caller, params, body }) => customers.edit(caller, params.id, body),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/ref/:id`,
      scope: 'customers:read',
      summary: 'Get a customer by your reference number',
      tag: TAG,
      params: IdParams,
      data: CustomerData,
      handle: ({ caller, params }) => customers.byReference(caller, params.id),
    }),
  ]
}

function tokenRoutes(customers: Customers): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/:uuid/payment_tokens`,
      scope: 'customers:read',
      summary: "List a customer's payment tokens",
      tag: TAG,
      params: UuidParams,
      query: TokensQuery,
      data: Type.Object({ payment_tokens: Nullable(Type.Array(PaymentTokenSchema)) }),
      handle: ({ caller, params, query }) => customers.tokens(caller, params.uuid, query.token_type),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:uuid/payment_tokens`,
      scope: 'customers:write',
      summary: 'Bind a card or a wallet to a customer',
      tag: TAG,
      params: UuidParams,
      body: BindTokenBody,
      data: TokenData,
      handle: ({ caller, params, body }) => customers.bind(caller, params.uuid, body.payment_token),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/:uuid/payment_tokens/:token`,
      scope: 'customers:write',
      summary: 'Delete a payment token',
      tag: TAG,
      params: strictObject({ uuid: Type.String(), token: Type.String() }),
      data: TokenData,
      handle: ({ caller, params }) => customers.deleteToken(caller, params.uuid, params.token),
    }),
  ]
}
