import Type from 'typebox'
import { filteredListQuery, ListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { IdParams, strictObject, UuidParams } from '#platform/http/validation/schemas'
import { bindToken } from '../bindings/bind-token.ts'
import type { CustomersContext } from '../context.ts'
import { addNote, notesOfPage, removeNote } from '../notes/notes.ts'
import { createCustomer } from '../profiles/create-customer.ts'
import { createCustomerSession } from '../profiles/customer-session.ts'
import { editCustomer } from '../profiles/edit-customer.ts'
import { customerByReference, customerByUuid, customersOfPage } from '../profiles/read-customers.ts'
import { CUSTOMER_FIELDS } from '../storage/customer-filter.ts'
import { deleteToken } from '../tokens/delete-token.ts'
import { tokensOfCustomer } from '../tokens/list-tokens.ts'
import {
  renderCustomerData,
  renderCustomersPage,
  renderNote,
  renderNotesPage,
  renderSession,
  renderTokenData,
  renderTokens,
} from './render.ts'
import { EditCustomerBody } from '../model/customer-requests.ts'
import {
  BindTokenBody,
  CreateCustomerBody,
  CustomerData,
  CustomerSchema,
  CustomerSessionData,
  NewNoteBody,
  NoteData,
  NotesPage,
  TokenData,
  TokensData,
  TokensQuery,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/customers'
const TAG = 'Customers'

const CUSTOMER_EXISTS: Failure = {
  name: 'CustomerExists',
  data: Type.Object({ customer: Type.Optional(Type.Pick(CustomerSchema, ['uuid', 'reference_number'])) }),
}

export function customerRoutes(ctx: CustomersContext): Route[] {
  return [...profileRoutes(ctx), ...tokenRoutes(ctx), ...noteRoutes(ctx)]
}

function profileRoutes(ctx: CustomersContext): Route[] {
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
      handle: ({ caller, body }) => createCustomer(ctx, caller, body.customer),
      render: (view) => renderCustomerData(ctx.links, view),
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'customers:read',
      summary: 'List customers',
      tag: TAG,
      query: filteredListQuery(CUSTOMER_FIELDS),
      data: Type.Object({ customers: Type.Array(CustomerSchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const request = readPage('customers', query)
        return renderCustomersPage(
          ctx.links,
          request,
          await customersOfPage(ctx, caller, query.filter, request),
        )
      },
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
      handle: ({ caller, params, body }) => editCustomer(ctx, caller, params.id, body),
      render: (view) => renderCustomerData(ctx.links, view),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/ref/:id`,
      scope: 'customers:read',
      summary: 'Get a customer by your reference number',
      tag: TAG,
      params: IdParams,
      data: CustomerData,
      handle: ({ caller, params }) => customerByReference(ctx, caller, params.id),
      render: (view) => renderCustomerData(ctx.links, view),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:uuid/sessions`,
      scope: 'customers:write',
      // A session is stored nowhere: a second one does no harm.
      takesIdempotencyKey: false,
      summary: 'Open a session of a customer on payment pages',
      description:
        "Add the token to a payment link of the customer's order as `?customer_session=…`: the page then offers the saved cards at once. Give it only to a payer who is signed in as this customer.",
      tag: TAG,
      params: UuidParams,
      data: CustomerSessionData,
      handle: ({ caller, params }) => createCustomerSession(ctx, caller, params.uuid),
      render: renderSession,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'customers:read',
      summary: 'Get a customer by uuid',
      tag: TAG,
      params: IdParams,
      data: CustomerData,
      handle: ({ caller, params }) => customerByUuid(ctx, caller, params.id),
      render: (view) => renderCustomerData(ctx.links, view),
    }),
  ]
}

function tokenRoutes(ctx: CustomersContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/:uuid/payment_tokens`,
      scope: 'customers:read',
      summary: "List a customer's payment tokens",
      tag: TAG,
      params: UuidParams,
      query: TokensQuery,
      data: TokensData,
      handle: ({ caller, params, query }) => tokensOfCustomer(ctx, caller, params.uuid, query.token_type),
      render: (views) => renderTokens(ctx.links, views),
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
      handle: ({ caller, params, body }) => bindToken(ctx, caller, params.uuid, body.payment_token),
      render: (view) => renderTokenData(ctx.links, view),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/:uuid/payment_tokens/:token`,
      scope: 'customers:write',
      summary: 'Delete a payment token',
      tag: TAG,
      params: strictObject({ uuid: Type.String(), token: Type.String() }),
      data: TokenData,
      handle: ({ caller, params }) => deleteToken(ctx, caller, params.uuid, params.token),
      render: (view) => renderTokenData(ctx.links, view),
    }),
  ]
}

function noteRoutes(ctx: CustomersContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/:uuid/notes`,
      scope: 'customers:write',
      summary: 'Write a note on a customer',
      description: 'Only the merchant sees it.',
      tag: TAG,
      params: UuidParams,
      body: NewNoteBody,
      example: { note: { text: 'Asked for an invoice to another address' } },
      data: NoteData,
      handle: ({ caller, params, body }) => addNote(ctx, caller, params.uuid, body.note),
      render: renderNote,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:uuid/notes`,
      scope: 'customers:read',
      summary: 'List the notes on a customer',
      tag: TAG,
      params: UuidParams,
      query: ListQuery,
      data: NotesPage,
      handle: async ({ caller, params, query }) => {
        const request = readPage(`notes ${params.uuid}`, query)
        return renderNotesPage(request, await notesOfPage(ctx, caller, params.uuid, request))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/:uuid/notes/:id`,
      scope: 'customers:write',
      summary: 'Remove a note on a customer',
      tag: TAG,
      params: strictObject({ uuid: Type.String(), id: Type.String() }),
      data: NoteData,
      handle: ({ caller, params }) => removeNote(ctx, caller, params.uuid, params.id),
      render: renderNote,
    }),
  ]
}
