import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { Disputes } from '../disputes.ts'
import {
  DisputeData,
  DisputesData,
  DisputesQuery,
  EvidenceRequestBody,
  SUBMISSION_FAILURES,
} from './schemas.ts'

const PATH = '/svc/payment/api/v1/openapi/disputes'
const TAG = 'Disputes'

export function disputeRoutes(disputes: Disputes): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'payments:read',
      summary: 'List disputes',
      tag: TAG,
      query: DisputesQuery,
      data: DisputesData,
      handle: ({ caller, query }) => disputes.page(caller, query.filter, readPage('disputes', query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id`,
      scope: 'payments:read',
      summary: 'Get a dispute',
      tag: TAG,
      params: IdParams,
      data: DisputeData,
      handle: ({ caller, params }) => disputes.byId(caller, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:id/evidence`,
      scope: 'payments:write',
      summary: 'Stage evidence',
      description:
        'Nothing is sent to the acquirer yet. A request has at most 1 MiB, so large files are sent one by one.',
      tag: TAG,
      params: IdParams,
      body: EvidenceRequestBody,
      example: {
        evidence: {
          uncategorized_text: 'The parcel was delivered on 3 March.',
          receipt: { name: 'receipt.pdf', content_type: 'application/pdf', content: 'JVBERi0xLjcK' },
        },
      },
      data: DisputeData,
      handle: ({ caller, params, body }) => disputes.editEvidence(caller, params.id, body.evidence),
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/:id/submit`,
      scope: 'payments:write',
      summary: 'Submit the staged evidence',
      description: 'Evidence is submitted once. After that the acquirer and the issuer decide.',
      tag: TAG,
      params: IdParams,
      data: DisputeData,
      failures: SUBMISSION_FAILURES,
      handle: ({ caller, params }) => disputes.submit(caller, params.id),
    }),
  ]
}
