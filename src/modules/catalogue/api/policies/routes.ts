import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { defineRoute, type Route } from '#platform/http/routes/route'
import {
  byCreation,
  filteredListQuery,
  type PageRequest,
  readPage,
  renderPage,
} from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { CatalogueContext } from '../../context.ts'
import type { DunningPolicy, DunningStep } from '../../model/dunning-policy.ts'
import { membersOfStep } from '../../model/step-members.ts'
import {
  createDunningPolicy,
  dunningPoliciesOfPage,
  dunningPolicyById,
  editDunningPolicy,
} from '../../policies/dunning-policies.ts'
import { DUNNING_POLICY_FIELDS } from '../../storage/dunning-policy.repository.ts'
import {
  CreateDunningPolicyBody,
  DUNNING_POLICY_EXISTS,
  DunningPoliciesPage,
  DunningPolicyData,
  type DunningPolicySchema,
  EditDunningPolicyBody,
} from './schemas.ts'

const BASE = '/svc/billing/api/v1/openapi/dunning_policies'
const TAG = 'Dunning policies'

export function dunningPolicyRoutes(ctx: CatalogueContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'recurring:write',
      summary: 'Create a dunning policy',
      description: 'When unpaid orders of the plans that have it are attempted again.',
      tag: TAG,
      body: CreateDunningPolicyBody,
      example: {
        dunning_policy: {
          name: 'Three tries',
          steps: [
            { after_days: 3, at_time: '09:00' },
            { after_days: 7, at_time: '09:00' },
          ],
          soft: [{ decline_codes: ['insufficient_funds'], steps: [{ days_of_month: [1, 15] }] }],
        },
      },
      data: DunningPolicyData,
      failures: { 409: DUNNING_POLICY_EXISTS },
      handle: ({ caller, body }) => createDunningPolicy(ctx, caller, body.dunning_policy),
      render: renderDunningPolicyData,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'recurring:read',
      summary: 'List dunning policies',
      tag: TAG,
      query: filteredListQuery(DUNNING_POLICY_FIELDS),
      data: DunningPoliciesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('dunning_policies', query)
        return renderDunningPoliciesPage(
          request,
          await dunningPoliciesOfPage(ctx, caller, query.filter, request),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'recurring:read',
      summary: 'Get a dunning policy',
      tag: TAG,
      params: IdParams,
      data: DunningPolicyData,
      handle: ({ caller, params }) => dunningPolicyById(ctx, caller, params.id),
      render: renderDunningPolicyData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id`,
      scope: 'recurring:write',
      summary: 'Edit a dunning policy',
      description:
        'Members that are left out stay. Times that were set for attempts stay, too; the steps count from the next failed attempt on.',
      tag: TAG,
      params: IdParams,
      body: EditDunningPolicyBody,
      example: { dunning_policy: { exhausted: 'cancel' } },
      data: DunningPolicyData,
      handle: ({ caller, params, body }) => editDunningPolicy(ctx, caller, params.id, body.dunning_policy),
      render: renderDunningPolicyData,
    }),
  ]
}

export function renderDunningPolicyData(policy: DunningPolicy): Static<typeof DunningPolicyData> {
  return { dunning_policy: renderDunningPolicy(policy) }
}

export function renderDunningPoliciesPage(
  request: PageRequest,
  found: readonly DunningPolicy[],
): Static<typeof DunningPoliciesPage> {
  const { rows, page } = renderPage(request, found, byCreation, renderDunningPolicy)
  return { dunning_policies: rows, page }
}

function renderDunningPolicy(policy: DunningPolicy): Static<typeof DunningPolicySchema> {
  return {
    id: policy.id,
    name: policy.name,
    steps: policy.steps.map(renderStep),
    soft: policy.soft.map(({ declineCodes, steps }) => ({
      decline_codes: [...declineCodes],
      steps: steps.map(renderStep),
    })),
    hard: policy.hard,
    new_token: policy.newToken,
    exhausted: policy.exhausted,
    reminders: [...policy.reminders],
    reference_id: policy.referenceId,
    ...(policy.metadata !== null && { metadata: policy.metadata }),
    created_at: toRfc3339(policy.createdAt),
    updated_at: toRfc3339(policy.updatedAt),
  }
}

function renderStep(step: DunningStep) {
  const { days_of_month, ...others } = membersOfStep(step)
  return { ...others, ...(days_of_month !== undefined && { days_of_month: [...days_of_month] }) }
}
