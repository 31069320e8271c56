import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readWalletConfiguration } from '#modules/wallets'
import { createMetrics } from '#platform/observability/metrics'
import { walletSettings } from '../scenarios/harness/chains.ts'
import { composeUnconnected } from './compose-unconnected.ts'
import { dashboardFiles, DASHBOARDS } from './dashboards.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

const rules = (parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
)
const panels = DASHBOARDS.flatMap(({ title, panels: all }) =>
  all.flatMap((panel) =>
    panel.queries.map(([expr, legend]) => ({ name: `${title}: ${panel.title}`, expr, legend })),
  ),
)
const expressions = [...panels, ...rules.map(({ alert, expr }) => ({ name: alert, expr, legend: '' }))]

const metrics = createMetrics()
const { CHAINS_FILE: chainsFile, WALLET_XPUB: walletXpub } = await walletSettings()
await composeUnconnected({
  metrics,
  requestLogDays: 1,
  wallets: await readWalletConfiguration({ chainsFile, walletXpub }),
})

/** The labels of each series that Prometheus reads, by name. It renames our labels that its own would hide. */
function exposedSeries(): Map<string, Set<string>> {
  const target = ['job', 'instance']
  const series = new Map([['up', new Set(target)]])
  const registered = metrics.registry.getMetricsAsArray() as unknown as readonly {
    name: string
    type: string
    labelNames: readonly string[]
  }[]
  for (const { name, type, labelNames } of registered) {
    const renamed = labelNames.map((label) => (target.includes(label) ? `exported_${label}` : label))
    const labels = new Set([...target, ...renamed])
    series.set(name, labels)
    if (type !== 'histogram') continue
    series.set(`${name}_sum`, labels).set(`${name}_count`, labels)
    series.set(`${name}_bucket`, new Set([...labels, 'le']))
  }
  return series
}

const series = exposedSeries()

interface Used {
  readonly names: readonly string[]
  readonly labels: readonly string[]
}

/** The metrics of an expression and the labels that it matches or groups by. Throws where it does not parse. */
function usedBy(expr: string): Used {
  const text = expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'quittance')
  const names: string[] = []
  const labels: string[] = []
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`${text} does not parse at ${from}`)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to))
      if (type.name === 'LabelName') labels.push(text.slice(from, to))
    },
  })
  return { names, labels }
}

test('a broken expression does not parse, and its metrics and labels are found', () => {
  expect(() => usedBy('sum(rate(up[5m])')).toThrow('does not parse')
  expect(usedBy('sum by (le) (rate(a_bucket{route="x"}[$__rate_interval])) / b')).toEqual({
    names: ['a_bucket', 'b'],
    labels: ['le', 'route'],
  })
})

// Proves reference/operations#metrics.
test.each(expressions)('$name asks for metrics and labels that the service has', ({ expr, legend }) => {
  const { names, labels } = usedBy(expr)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect([...series.keys()]).toContain(name)
  const known = new Set(names.flatMap((name) => [...(series.get(name) ?? [])]))
  for (const label of labels) expect([...known]).toContain(label)
  for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect([...known]).toContain(label)
})

test('a share is 0, not missing, while what it counts has not happened yet', () => {
  const shares = panels.filter(({ expr }) => expr.includes(' / '))
  expect(shares.length).toBeGreaterThan(4)
  for (const { name, expr } of shares) expect(expr, name).toMatch(/^\(.+ or vector\(0\)\) \/ /)
})

test('the files of the dashboards are those of the panels', () => {
  for (const [file, text] of dashboardFiles()) expect(readFileSync(file, 'utf8')).toBe(text)
})

test('every alert has a test of its rule, and a section that says what to do', () => {
  const page = readFileSync('docs/operating/watching.md', 'utf8')
  const tested = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8')
  expect(rules.length).toBeGreaterThan(10)
  for (const { alert, annotations } of rules) {
    expect(page).toContain(`### ${alert}\n`)
    expect(annotations.runbook).toBe(`docs/operating/watching.md#${alert.toLowerCase()}`)
    expect(tested.split(`alertname: ${alert}\n`).length).toBeGreaterThan(2)
    expect(tested).toContain(annotations.summary)
  }
})

/** Metrics that prom-client adds about the process. */
const OF_THE_PROCESS = /^(?:nodejs|process)_/

test('the reference lists every metric of the service, and no other', () => {
  const reference = readFileSync('docs/reference/operations.md', 'utf8')
  const section = reference.slice(reference.indexOf('## Metrics'), reference.indexOf('## Tracing'))
  const listed = [...section.matchAll(/`([a-z_]+)`(?: \(|[,`]| \|)/g)].map(([, name]) => name ?? '')
  const own = metrics.registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => !OF_THE_PROCESS.test(name))
  expect(listed.filter((name) => name.includes('_')).toSorted()).toEqual(
    expect.arrayContaining(own.toSorted()),
  )
  for (const name of listed) if (/_(?:total|seconds)$/.test(name)) expect(own).toContain(name)
})
