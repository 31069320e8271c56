import { download, get, list, post, postBody, put } from '../methods.ts'

const DISPUTES = '/svc/payment/api/v1/openapi/disputes'
const DISPUTE = `${DISPUTES}/{id}` as const
const RECONCILIATIONS = '/svc/payment/api/v1/openapi/reconciliations'
const RECONCILIATION = `${RECONCILIATIONS}/{id}` as const
const ENTRIES = `${RECONCILIATION}/entries` as const

/** Payments that the payer contests. */
export const disputes = {
  list: list(DISPUTES, (query?) => ({ query }), 'disputes'),
  get: get(DISPUTE, (id) => ({ path: { id } }), 'dispute'),
  /** Stages evidence. Nothing is sent to the acquirer before `submit`. */
  stageEvidence: put(
    `${DISPUTE}/evidence`,
    (id, evidence) => ({ path: { id }, body: { evidence } }),
    'dispute',
  ),
  /** Submits the staged evidence, which is possible once. */
  submit: post(`${DISPUTE}/submit`, (id) => ({ path: { id } }), 'dispute'),
}

/** The comparison of our books with the acquirers' settlement reports. */
export const reconciliations = {
  list: list(RECONCILIATIONS, (query?) => ({ query }), 'reconciliations'),
  get: get(RECONCILIATION, (id) => ({ path: { id } }), 'reconciliation'),
  /** Compares the books now. */
  run: postBody(`${RECONCILIATIONS}/run`, (body?) => ({ body }), 'reconciliation_runs'),
  listEntries: list(ENTRIES, (id, query?) => ({ path: { id }, query }), 'entries'),
  /** All entries as CSV: a `Response` whose body can be streamed. */
  downloadReport: download(`${RECONCILIATION}/report.csv`, (id) => ({ path: { id } })),
}
