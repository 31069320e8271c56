import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const DISPUTES = '/svc/payment/api/v1/openapi/disputes'
const DISPUTE = `${DISPUTES}/{id}` as const
const RECONCILIATIONS = '/svc/payment/api/v1/openapi/reconciliations'
const RECONCILIATION = `${RECONCILIATIONS}/{id}` as const
const ENTRIES = `${RECONCILIATION}/entries` as const

/** Payments that the payer contests. */
export function disputesOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof DISPUTES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', DISPUTES, { query: page }, options),
        ({ disputes }) => disputes,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', DISPUTE, { path: { id } }, options), 'dispute'),
    /** Stages evidence. Nothing is sent to the acquirer before `submit`. */
    stageEvidence: (
      id: string,
      evidence: Body<'put', `${typeof DISPUTE}/evidence`>['evidence'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send('put', `${DISPUTE}/evidence`, { path: { id }, body: { evidence } }, options),
        'dispute',
      ),
    /** Submits the staged evidence, which is possible once. */
    submit: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${DISPUTE}/submit`, { path: { id } }, options), 'dispute'),
  }
}

/** The comparison of our books with the acquirers' settlement reports. */
export function reconciliationsOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof RECONCILIATIONS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', RECONCILIATIONS, { query: page }, options),
        ({ reconciliations }) => reconciliations,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', RECONCILIATION, { path: { id } }, options), 'reconciliation'),
    /** Compares the books now. */
    run: (body?: Body<'post', `${typeof RECONCILIATIONS}/run`>, options?: RequestOptions) =>
      pick(client.send('post', `${RECONCILIATIONS}/run`, { body }, options), 'reconciliation_runs'),
    listEntries: (id: string, query?: Query<'get', typeof ENTRIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ENTRIES, { path: { id }, query: page }, options),
        ({ entries }) => entries,
      ),
    /** All entries as CSV: a `Response` whose body can be streamed. */
    downloadReport: (id: string, options?: RequestOptions) =>
      client.download(`${RECONCILIATION}/report.csv`, { path: { id } }, options),
  }
}
