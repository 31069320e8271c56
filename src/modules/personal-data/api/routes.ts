import Type from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { IdParams, UuidParams } from '#platform/http/validation/schemas'
import type { PersonalDataModule } from '../personal-data.ts'
import {
  ErasureCheckData,
  ErasureData,
  ErasuresData,
  ErasuresQuery,
  LegalHoldBody,
  LegalHoldData,
  RefusedData,
  RetentionBody,
  RetentionData,
} from './schemas.ts'

const BASE = '/svc/privacy/api/v1/openapi'
const CUSTOMER = `${BASE}/customers/:uuid`
const TAG = 'Personal data'
const REFUSED: Failure = { name: 'ErasureRefused', data: RefusedData }

export function personalDataRoutes(personalData: PersonalDataModule): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${CUSTOMER}/export.jsonl`,
      scope: 'privacy:read',
      summary: 'Export the personal data of a customer',
      description: 'Everything that is kept of the customer: one JSON object a line, with `table` and `row`.',
      tag: TAG,
      params: UuidParams,
      contentType: 'application/jsonl',
      data: Type.String(),
      handle: ({ caller, params }) => personalData.export(caller, params.uuid),
    }),
    defineRoute({
      method: 'GET',
      path: `${CUSTOMER}/erasure_check`,
      scope: 'privacy:read',
      summary: 'Check whether a customer can be erased',
      description: 'Changes nothing. Says what is kept of the customer and what is in the way of an erasure.',
      tag: TAG,
      params: UuidParams,
      data: ErasureCheckData,
      handle: ({ caller, params }) => personalData.check(caller, params.uuid),
    }),
    defineRoute({
      method: 'POST',
      path: `${CUSTOMER}/erasures`,
      scope: 'privacy:write',
      summary: 'Erase the personal data of a customer',
      description:
        'Cannot be undone. Ids, amounts, dates and states stay, and so do the books. The work goes on in the background and ends about a minute later with `customer.erased`. 409 with the reasons while something is in the way.',
      tag: TAG,
      params: UuidParams,
      data: ErasureData,
      failures: { 409: REFUSED },
      handle: ({ caller, params }) => personalData.erase(caller, params.uuid),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/erasures`,
      scope: 'privacy:read',
      summary: 'List erasures',
      tag: TAG,
      query: ErasuresQuery,
      data: ErasuresData,
      handle: ({ caller, query }) => personalData.erasures(caller, readPage('erasures', query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/erasures/:id`,
      scope: 'privacy:read',
      summary: 'Get an erasure',
      tag: TAG,
      params: IdParams,
      data: ErasureData,
      handle: ({ caller, params }) => personalData.erasure(caller, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: `${CUSTOMER}/legal_hold`,
      scope: 'privacy:write',
      summary: 'Place a legal hold on a customer',
      description: 'The customer is not erased until the hold is lifted. A second call changes the reason.',
      tag: TAG,
      params: UuidParams,
      body: LegalHoldBody,
      example: { legal_hold: { reason: 'Case 2031/7' } },
      data: LegalHoldData,
      handle: ({ caller, params, body }) => personalData.hold(caller, params.uuid, body.legal_hold.reason),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${CUSTOMER}/legal_hold`,
      scope: 'privacy:write',
      summary: 'Lift the legal hold on a customer',
      tag: TAG,
      params: UuidParams,
      data: LegalHoldData,
      handle: ({ caller, params }) => personalData.lift(caller, params.uuid),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/retention`,
      scope: 'privacy:read',
      summary: 'Get how long customers are kept',
      tag: TAG,
      data: RetentionData,
      handle: ({ caller }) => personalData.retention(caller),
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/retention`,
      scope: 'privacy:write',
      summary: 'Set how long customers are kept',
      description:
        'Every day, customers who were not changed and had no order for so long are erased, unless something is in the way.',
      tag: TAG,
      body: RetentionBody,
      example: { retention: { customer_days: 3650 } },
      data: RetentionData,
      handle: ({ caller, body }) => personalData.setRetention(caller, body.retention.customer_days),
    }),
  ]
}
