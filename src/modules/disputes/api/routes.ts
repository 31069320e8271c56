import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { DisputesContext } from '../context.ts'
import { editEvidence } from '../evidence/edit-evidence.ts'
import { submitEvidence } from '../evidence/submit-evidence.ts'
import { disputeById, disputesOfPage } from '../read-disputes.ts'
import { renderDisputeData, renderDisputesPage } from './render.ts'
import {
  DisputeData,
  DisputesData,
  DisputesQuery,
  EvidenceRequestBody,
  SUBMISSION_FAILURES,
} from './schemas.ts'

const PATH = '/svc/payment/api/v1/openapi/disputes'
const TAG = 'Disputes'

export function disputeRoutes(ctx: DisputesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'payments:read',
      summary: 'List disputes',
      tag: TAG,
      query: DisputesQuery,
      data: DisputesData,
      handle: async ({ caller, query }) => {
        const request = readPage('disputes', query)
        return renderDisputesPage(request, await disputesOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id`,
      scope: 'payments:read',
      summary: 'Get a dispute',
      tag: TAG,
      params: IdParams,
      data: DisputeData,
      handle: ({ caller, params }) => disputeById(ctx, caller, params.id),
      render: renderDisputeData,
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
      handle: ({ caller, params, body }) => editEvidence(ctx, caller, params.id, body.evidence),
      render: renderDisputeData,
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
      handle: ({ caller, params }) => submitEvidence(ctx, caller, params.id),
      render: renderDisputeData,
    }),
  ]
}
