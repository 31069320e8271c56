import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const POLICIES = '/svc/billing/api/v1/openapi/dunning_policies'

type PolicyEdit = Body<'put', `${typeof POLICIES}/{id}`>['dunning_policy']

/** When unpaid orders of plans are attempted again. */
export function dunningPoliciesOf(client: Client) {
  return {
    create: (policy: Body<'post', typeof POLICIES>['dunning_policy'], options?: RequestOptions) =>
      pick(client.send('post', POLICIES, { body: { dunning_policy: policy } }, options), 'dunning_policy'),
    list: (query?: Query<'get', typeof POLICIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', POLICIES, { query: page }, options),
        (data) => data.dunning_policies,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${POLICIES}/{id}`, { path: { id } }, options), 'dunning_policy'),
    /** Attempts that already have a time keep it. */
    update: (id: string, policy: PolicyEdit, options?: RequestOptions) =>
      pick(
        client.send('put', `${POLICIES}/{id}`, { path: { id }, body: { dunning_policy: policy } }, options),
        'dunning_policy',
      ),
  }
}
