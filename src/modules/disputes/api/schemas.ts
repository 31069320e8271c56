import Type from 'typebox'
import { filteredListQuery, PageSchema } from '#platform/http/validation/list'
import type { Failure } from '#platform/http/routes/route'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { EvidenceRequestSchema } from '../model/evidence-request.ts'
import { DISPUTE_STATES } from '../model/dispute.ts'
import { DISPUTE_FIELDS } from '../storage/dispute.repository.ts'

export const EvidenceRequestBody = strictObject({ evidence: EvidenceRequestSchema })

export const DisputesQuery = filteredListQuery(DISPUTE_FIELDS)

const EvidenceFileSchema = Type.Object({
  name: Type.String(),
  content_type: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
})

const DisputeSchema = Resource('Dispute', {
  id: Type.String(),
  order_number: Nullable(
    Type.String({ description: 'Null when the payment was not made through this service.' }),
  ),
  transaction: Nullable(Type.Object({ uuid: Type.String() })),
  amount: AmountOut({ description: 'The disputed amount, which may be a part of the payment.' }),
  currency: Type.String(),
  reason: Type.String({ description: 'A word of the acquirer, such as `fraudulent`.' }),
  state: OneOf(DISPUTE_STATES, {
    description: 'An `inquiry_…` precedes a chargeback and has moved no money.',
  }),
  respond_by: Nullable(TimestampOut({ description: 'Evidence is taken until then.' })),
  acquirer_account_id: Type.String(),
  acquirer_reference: Type.String({ description: 'The id of the dispute at the acquirer.' }),
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), EvidenceFileSchema]), {
    description: 'Staged or submitted evidence: texts, and files without their content.',
  }),
  submitted_at: Nullable(TimestampOut()),
  created_at: TimestampOut({ description: 'When the acquirer opened it.' }),
  updated_at: TimestampOut(),
})

export const DisputeData = Type.Object({ dispute: DisputeSchema })
export const DisputesData = Type.Object({ disputes: Type.Array(DisputeSchema), page: PageSchema })

export const SUBMISSION_FAILURES = {
  502: { name: 'EvidenceRefused', data: DisputeData },
  504: { name: 'SubmissionUnknown', data: Type.Partial(DisputeData) },
} satisfies Record<number, Failure>
