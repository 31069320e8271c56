import Type from 'typebox'
import { ListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { IdParams, Nullable, strictObject, UuidParams } from '#platform/http/validation/schemas'
import type { Customers } from '../customers.ts'
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
      description: 'If another customer has the `reference_number`, the response is 409 with that customer.',
      tag: TAG,
      body: CreateCustomerBody,
      example: {
        customer: {
          reference_number: 'c-1001',
          name: 'Chan Tai Man',
          phone: '91234567',
          dial_code: '+852',
          email: 'chan@example.com',
        },
      },
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
      description: 'Members that are left out stay as they are.',
      tag: TAG,
      params: IdParams,
      body: EditCustomerBody,
      example: { name: 'Chan Tai Man', phone: '91234567', email: 'chan.tai.man@example.com' },
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
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'customers:read',
      summary: 'Get a customer by uuid',
      tag: TAG,
      params: IdParams,
      data: CustomerData,
      handle: ({ caller, params }) => customers.byUuid(caller, params.id),
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
      description:
        'Verifies the card or wallet without moving money. The response is 200 in every case: the token is `active`, `failed`, or `pending` until the payer confirms it at `verify_url`. The test environment accepts test cards only: 4242424242424242 approves, 4000000000000002 cannot be bound, 4000002500003155 asks for 3-D Secure. When they are charged, 4000000000000341 declines, 4000000000009995 has insufficient funds, 4000000000009987 is lost, 4000000000009979 stolen, 4000000000000127 is booked but never answered, 4000000000000119 is neither booked nor answered.',
      tag: TAG,
      params: UuidParams,
      body: BindTokenBody,
      example: {
        payment_token: {
          token_type: 'CreditCard',
          credit_card: {
            number: '4242424242424242',
            exp_month: '12',
            exp_year: '2030',
            cvc: '123',
            holder_name: 'CHAN TAI MAN',
            billing_currency: 'HKD',
          },
        },
      },
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
