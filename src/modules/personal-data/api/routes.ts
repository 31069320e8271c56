import Type from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { IdParams, UuidParams } from '#platform/http/validation/schemas'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { checkErasure } from '../erasing/check-erasure.ts'
import { erasureById, erasuresOfPage } from '../erasing/read-erasures.ts'
import { eraseCustomer } from '../erasing/request-erasure.ts'
import { exportCustomer } from '../exporting/export-customer.ts'
import { liftHold, placeHold } from '../holds/legal-hold.ts'
import { getRetention, setRetention } from '../retention/retention-settings.ts'
import {
  renderCheck,
  renderErasureData,
  renderErasuresPage,
  renderHoldData,
  renderRetention,
} from './render.ts'
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

export function personalDataRoutes(deps: PersonalDataDependencies): Route[] {
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
      handle: ({ caller, params }) => exportCustomer(deps, caller, params.uuid),
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
      handle: ({ caller, params }) => checkErasure(deps, caller, params.uuid),
      render: renderCheck,
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
      handle: ({ caller, params }) => eraseCustomer(deps, caller, params.uuid),
      render: renderErasureData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/erasures`,
      scope: 'privacy:read',
      summary: 'List erasures',
      tag: TAG,
      query: ErasuresQuery,
      data: ErasuresData,
      handle: async ({ caller, query }) => {
        const request = readPage('erasures', query)
        return renderErasuresPage(request, await erasuresOfPage(deps, caller, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/erasures/:id`,
      scope: 'privacy:read',
      summary: 'Get an erasure',
      tag: TAG,
      params: IdParams,
      data: ErasureData,
      handle: ({ caller, params }) => erasureById(deps, caller, params.id),
      render: renderErasureData,
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
      handle: ({ caller, params, body }) => placeHold(deps, caller, params.uuid, body.legal_hold.reason),
      render: renderHoldData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${CUSTOMER}/legal_hold`,
      scope: 'privacy:write',
      summary: 'Lift the legal hold on a customer',
      tag: TAG,
      params: UuidParams,
      data: LegalHoldData,
      handle: ({ caller, params }) => liftHold(deps, caller, params.uuid),
      render: renderHoldData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/retention`,
      scope: 'privacy:read',
      summary: 'Get how long customers are kept',
      tag: TAG,
      data: RetentionData,
      handle: ({ caller }) => getRetention(deps, caller),
      render: renderRetention,
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
      handle: ({ caller, body }) => setRetention(deps, caller, body.retention.customer_days),
      render: renderRetention,
    }),
  ]
}
