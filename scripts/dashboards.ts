/**
 * Writes the dashboards of deploy/grafana from the panels below. With `--check` it fails when a file differs. Grafana fills in
 * `$__rate_interval`; `$job` is the Prometheus job that scrapes the service. Prometheus renames our own label `job` to
 * `exported_job`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../deploy/grafana/dashboards')

type Unit = 'short' | 's' | 'percentunit' | 'reqps' | 'ops' | 'bytes'

export interface Panel {
  readonly title: string
  readonly unit: Unit
  /** An expression and the legend of its series. */
  readonly queries: readonly (readonly [expr: string, legend: string])[]
  readonly description?: string
}

export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const WINDOW = '[$__rate_interval]'

function rate(metric: string, labels = ''): string {
  return `rate(${metric}{job="$job"${labels === '' ? '' : `, ${labels}`}}${WINDOW})`
}

function rateBy(by: string, metric: string, labels = ''): string {
  return `sum by (${by}) (${rate(metric, labels)})`
}

function quantile(share: number, metric: string, labels = '', by = ''): string {
  const grouping = by === '' ? 'le' : `le, ${by}`
  return `histogram_quantile(${share}, sum by (${grouping}) (${rate(`${metric}_bucket`, labels)}))`
}

function quantiles(metric: string, labels = ''): Panel['queries'] {
  return [0.5, 0.95, 0.99].map((share) => [quantile(share, metric, labels), `p${share * 100}`] as const)
}

function shareOf(metric: string, part: string, whole = ''): string {
  return `(${orZero(`sum(${rate(metric, part)})`)}) / sum(${rate(metric, whole)})`
}

/** Shows a counter or gauge that has no series until something happens. */
function orZero(expr: string): string {
  return `${expr} or vector(0)`
}

const HTTP = 'http_request_duration_seconds'
const ATTEMPTS = 'webhook_attempt_duration_seconds'
const DECISIONS = 'card_decision_duration_seconds'
const PAY = 'route=~".*/orders/pay"'

export const DASHBOARDS: readonly Dashboard[] = [
  {
    uid: 'quittance-payments',
    title: 'Payments',
    panels: [
      panel('Orders', 'ops', [[rateBy('type', 'events_written_total', 'type=~"order[.].*"'), '{{type}}']]),
      panel('Transactions', 'ops', [
        [rateBy('type', 'events_written_total', 'type=~"transaction[.].*"'), '{{type}}'],
      ]),
      panel('Approved share of charges', 'percentunit', [
        [
          shareOf(
            'acquirer_outcomes_total',
            'operation=~"sale|authorize", outcome="approved"',
            'operation=~"sale|authorize"',
          ),
          'approved',
        ],
      ]),
      panel(
        'Outcomes that are not known',
        'short',
        [['max(payment_outcomes_unknown{job="$job"})', 'unknown']],
        'Movements of money that the acquirer did not answer. It is asked until it does.',
      ),
      panel('Duration of payments', 's', quantiles(HTTP, PAY)),
      panel('Payments by status', 'reqps', [[rateBy('status', `${HTTP}_count`, PAY), '{{status}}']]),
    ],
  },
  {
    uid: 'quittance-billing',
    title: 'Billing and dunning',
    panels: [
      panel('Cycles', 'ops', [[rateBy('type', 'events_written_total', 'type=~"cycle[.].*"'), '{{type}}']]),
      panel('Plans', 'ops', [[rateBy('type', 'events_written_total', 'type=~"plan[.].*"'), '{{type}}']]),
      panel('Past due and uncollectible', 'ops', [
        [
          orZero(rateBy('type', 'events_written_total', 'type=~"cycle[.](past_due|uncollectible)"')),
          '{{type}}',
        ],
      ]),
      panel('Plans handled by billing', 'ops', [
        [`sum(${rate('job_handled_total', 'exported_job="recurring"')})`, 'plans'],
      ]),
      panel(
        'Duration of billing runs',
        's',
        quantiles('job_run_duration_seconds', 'exported_job="recurring"'),
      ),
      panel('How late billing is', 's', [
        [orZero('max(jobs_late_seconds{job="$job", exported_job="recurring"})'), 'late'],
      ]),
    ],
  },
  {
    uid: 'quittance-cards',
    title: 'Cards',
    panels: [
      panel('Decisions', 'ops', [[rateBy('decision', `${DECISIONS}_count`), '{{decision}}']]),
      panel('Approved share', 'percentunit', [
        [shareOf(`${DECISIONS}_count`, 'decision="approved"'), 'approved'],
      ]),
      panel('Duration of decisions', 's', quantiles(DECISIONS)),
      panel('Changes of cards', 'ops', [
        [rateBy('type', 'events_written_total', 'type=~"card[.].*"'), '{{type}}'],
      ]),
      panel('Requests', 'reqps', [[rateBy('status', `${HTTP}_count`, 'route=~".*/cards.*"'), '{{status}}']]),
      panel('How late holds and cards expire', 's', [
        [
          orZero('max by (exported_job) (jobs_late_seconds{job="$job", exported_job=~"card_.*"})'),
          '{{exported_job}}',
        ],
      ]),
    ],
  },
  {
    uid: 'quittance-wallets',
    title: 'Wallets',
    panels: [
      panel('Age of the newest scanned block', 's', [
        ['max by (blockchain) (wallet_chain_lag_seconds{job="$job"})', '{{blockchain}}'],
      ]),
      panel('Blocks behind the head', 'short', [
        ['max by (blockchain) (wallet_chain_lag_blocks{job="$job"})', '{{blockchain}}'],
      ]),
      panel('Failed requests to nodes', 'ops', [
        [
          orZero(rateBy('blockchain, trouble', 'wallet_chain_node_errors_total')),
          '{{blockchain}} {{trouble}}',
        ],
      ]),
      panel('Reorganisations', 'ops', [
        [orZero(rateBy('blockchain', 'wallet_chain_reorganisations_total')), '{{blockchain}}'],
      ]),
      panel('Requests', 'reqps', [
        [rateBy('status', `${HTTP}_count`, 'route=~".*/digital_wallets.*"'), '{{status}}'],
      ]),
    ],
  },
  {
    uid: 'quittance-webhooks',
    title: 'Webhooks',
    panels: [
      panel(
        'Attempts',
        'ops',
        [[rateBy('result', `${ATTEMPTS}_count`), '{{result}}']],
        '`pending` is tried again; `exhausted` is not.',
      ),
      panel('Delivered share', 'percentunit', [
        [shareOf(`${ATTEMPTS}_count`, 'result="delivered"'), 'delivered'],
      ]),
      panel('Duration of attempts', 's', quantiles(ATTEMPTS)),
      panel('How late deliveries are', 's', [
        [orZero('max(jobs_late_seconds{job="$job", exported_job="webhook_deliveries"})'), 'late'],
      ]),
      panel('Events', 'ops', [[rateBy('type', 'events_written_total'), '{{type}}']]),
    ],
  },
  {
    uid: 'quittance-acquirers',
    title: 'Acquirers',
    panels: [
      panel('Outcomes', 'ops', [
        [rateBy('acquirer, outcome', 'acquirer_outcomes_total'), '{{acquirer}} {{outcome}}'],
      ]),
      panel('Operations', 'ops', [
        [rateBy('acquirer, operation', 'acquirer_outcomes_total'), '{{acquirer}} {{operation}}'],
      ]),
      panel('95th percentile of operations', 's', [
        [
          quantile(0.95, 'acquirer_operation_duration_seconds', '', 'acquirer, operation'),
          '{{acquirer}} {{operation}}',
        ],
      ]),
      panel('Share without an answer', 'percentunit', [
        [shareOf('acquirer_outcomes_total', 'outcome="unknown"'), 'unknown'],
      ]),
      panel(
        'Approved share of accounts',
        'percentunit',
        [['min by (account) (acquirer_account_success_rate{job="$job"})', '{{account}}']],
        'From 20 payments within an hour on.',
      ),
      panel('Average duration of accounts', 's', [
        ['max by (account) (acquirer_account_average_duration_seconds{job="$job"})', '{{account}}'],
      ]),
    ],
  },
  {
    uid: 'quittance-jobs',
    title: 'Jobs',
    panels: [
      panel('Runs', 'ops', [[rateBy('exported_job', 'job_run_duration_seconds_count'), '{{exported_job}}']]),
      panel('Rows handled', 'ops', [[rateBy('exported_job', 'job_handled_total'), '{{exported_job}}']]),
      panel('95th percentile of runs', 's', [
        [quantile(0.95, 'job_run_duration_seconds', '', 'exported_job'), '{{exported_job}}'],
      ]),
      panel('How late jobs are', 's', [
        [orZero('max by (exported_job) (jobs_late_seconds{job="$job"})'), '{{exported_job}}'],
      ]),
      panel('Failed runs', 'ops', [
        [orZero(rateBy('exported_job', 'job_failures_total')), '{{exported_job}}'],
      ]),
    ],
  },
  {
    uid: 'quittance-http',
    title: 'HTTP',
    panels: [
      panel('Requests by status', 'reqps', [[rateBy('status', `${HTTP}_count`), '{{status}}']]),
      panel('Share of errors', 'percentunit', [[shareOf(`${HTTP}_count`, 'status=~"5.."'), '5xx']]),
      panel('Duration', 's', quantiles(HTTP)),
      panel('Busiest routes', 'reqps', [
        [`topk(10, ${rateBy('method, route', `${HTTP}_count`)})`, '{{method}} {{route}}'],
      ]),
      panel('Slowest routes, 95th percentile', 's', [
        [`topk(10, ${quantile(0.95, HTTP, '', 'method, route')})`, '{{method}} {{route}}'],
      ]),
      panel('Requests missing in the request log', 'ops', [
        [`sum(${rate('request_log_dropped_total')})`, 'dropped'],
      ]),
    ],
  },
  {
    uid: 'quittance-processes',
    title: 'Processes and database pool',
    panels: [
      panel(
        'Processor',
        'percentunit',
        [[rate('process_cpu_seconds_total'), '{{instance}}']],
        'Share of one processor.',
      ),
      panel('Memory', 'bytes', [
        ['process_resident_memory_bytes{job="$job"}', '{{instance}} resident'],
        ['nodejs_heap_size_used_bytes{job="$job"}', '{{instance}} heap'],
      ]),
      panel('Delay of the event loop, 99th percentile', 's', [
        ['nodejs_eventloop_lag_p99_seconds{job="$job"}', '{{instance}}'],
      ]),
      panel('Garbage collection', 'percentunit', [
        [rateBy('instance, kind', 'nodejs_gc_duration_seconds_sum'), '{{instance}} {{kind}}'],
      ]),
      panel(
        'Connections to the database',
        'short',
        [['sum by (state) (database_connections{job="$job"})', '{{state}}']],
        '`waiting` are transactions for which no connection is free.',
      ),
      panel(
        'Requests refused above the capacity',
        'reqps',
        [[rateBy('priority', 'database_queue_refused_total'), '{{priority}}']],
        'Payments are `critical`, lists and reports `low`.',
      ),
      panel('Transactions', 'ops', [
        [rateBy('instance', 'database_transaction_duration_seconds_count'), '{{instance}}'],
      ]),
      panel('Duration of transactions', 's', quantiles('database_transaction_duration_seconds')),
      panel('Open files', 'short', [['process_open_fds{job="$job"}', '{{instance}}']]),
    ],
  },
]

function panel(title: string, unit: Unit, queries: Panel['queries'], description?: string): Panel {
  return { title, unit, queries, ...(description !== undefined && { description }) }
}

const WIDTH = 12
const HEIGHT = 8
const DATASOURCE = { type: 'prometheus', uid: 'quittance-prometheus' }

/** In the format of Grafana 9 and newer (schema version 39). */
function grafanaDashboard({ uid, title, panels }: Dashboard): object {
  return {
    uid,
    title: `Quittance: ${title}`,
    tags: ['quittance'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    links: [
      { type: 'dashboards', tags: ['quittance'], asDropdown: true, title: 'Quittance', keepTime: true },
    ],
    templating: {
      list: [
        {
          name: 'job',
          label: 'Job',
          type: 'query',
          datasource: DATASOURCE,
          query: { query: 'label_values(http_request_duration_seconds_count, job)', refId: 'job' },
          refresh: 2,
          current: { text: 'quittance', value: 'quittance' },
        },
      ],
    },
    panels: panels.map(({ title: name, unit, queries, description }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: name,
      ...(description !== undefined && { description }),
      datasource: DATASOURCE,
      gridPos: {
        x: (index % 2) * WIDTH,
        y: Math.floor(index / 2) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
      targets: queries.map(([expr, legendFormat], query) => ({
        refId: String.fromCodePoint(65 + query),
        datasource: DATASOURCE,
        expr,
        legendFormat,
        exemplar: expr.includes('_bucket'),
      })),
    })),
  }
}

export function dashboardFiles(): ReadonlyMap<string, string> {
  return new Map(
    DASHBOARDS.map((dashboard) => [
      join(FOLDER, `${dashboard.uid}.json`),
      `${JSON.stringify(grafanaDashboard(dashboard), null, 2)}\n`,
    ]),
  )
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true })
  for (const [file, text] of dashboardFiles()) {
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${file} is not what scripts/dashboards.ts writes; run npm run dashboards.`)
      process.exitCode = 1
    }
  }
}
