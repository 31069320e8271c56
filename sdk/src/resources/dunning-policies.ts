import { get, list, post, put } from '../methods.ts'

const POLICIES = '/svc/billing/api/v1/openapi/dunning_policies'

/** When unpaid orders of plans are attempted again. */
export const dunningPolicies = {
  create: post(POLICIES, (policy) => ({ body: { dunning_policy: policy } }), 'dunning_policy'),
  list: list(POLICIES, (query?) => ({ query }), 'dunning_policies'),
  get: get(`${POLICIES}/{id}`, (id) => ({ path: { id } }), 'dunning_policy'),
  /** Attempts that already have a time keep it. */
  update: put(
    `${POLICIES}/{id}`,
    (id, policy) => ({ path: { id }, body: { dunning_policy: policy } }),
    'dunning_policy',
  ),
}
