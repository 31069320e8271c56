import type { Span } from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'
import type { Sql } from 'sql-template-tag'
import { isRecording, traced } from '#platform/observability/tracing'
import type { QueryResult } from '#platform/postgres/wire/wire'

export function tracedStatement<T>(statement: Sql, send: () => Promise<T>): Promise<T> {
  if (!isRecording()) return send()
  const name = summaryOf(statement)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
  return traced(name, { kind: 'client', attributes }, send)
}

export function recordStatement(span: Span, statement: Sql, result: Promise<QueryResult<object>>): void {
  const startedAt = performance.now()
  const record = (outcome: object) => {
    if (!span.isRecording()) return
    const durationMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000
    span.addEvent(summaryOf(statement), { 'quittance.duration_ms': durationMs, ...outcome })
  }
  result.then(
    ({ rows, count }) => record({ 'db.response.returned_rows': rows.length || count }),
    () => record({ 'error.type': 'failed' }),
  )
}

const MAX_SUMMARIES = 2_000
const WRITE = /(?<!\b(?:for|key|do) )\b(insert into|update|delete from)\s+([a-z_][a-z0-9_]*)/gi
const SOURCE = /\bfrom\s+([a-z_][a-z0-9_]*)/i

const summaries = new LRUCache<string, string>({ max: MAX_SUMMARIES })

function summaryOf({ text }: Pick<Sql, 'text'>): string {
  const known = summaries.get(text)
  if (known !== undefined) return known
  const summary = summarize(text)
  summaries.set(text, summary)
  return summary
}

function summarize(text: string): string {
  const first = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const write = first === 'select' ? undefined : [...text.matchAll(WRITE)].at(-1)
  if (write !== undefined) return `${write[1]?.split(' ')[0]?.toLowerCase()} ${write[2]}`
  const source = SOURCE.exec(text)?.[1]
  const verb = first === 'with' ? 'select' : first
  return source === undefined ? verb : `${verb} ${source}`
}
