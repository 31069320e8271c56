import { type Instant, isAfter, isBefore } from '#kernel/clock'
import type { AccountClient } from '../../port/account-client.ts'
import type { AccountSettings, AdapterDependencies } from '../../port/adapter.ts'
import type { Page, Reply } from '../../port/disputes.ts'
import type { BalanceEntry, Payout, SettlementReports } from '../../port/settlement.ts'
import { isLoopback } from '../account.ts'
import { clientOf } from '../api.ts'
import { factsOfNotice, timeOf } from '../notices/facts.ts'
import { SETTLEMENT_REPORTS } from '../notices/read-notices.ts'
import { CsvError } from '#kernel/csv'
import { linesFrom, type Report, type ReportLine } from './report.ts'

const PAGE_SIZE = 100
/** The bound of reference/acquirers#adyen. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024
/** For the largest report: a megabyte a second. */
const DOWNLOAD_TIMEOUT_MS = 60_000

interface ReportNotice {
  readonly name: string
  readonly url: string
  readonly at: Instant
}

interface Cursor {
  readonly name: string
  readonly offset: number
}

export function createSettlementReports(
  settings: AccountSettings,
  deps: AdapterDependencies,
): { readonly reports: SettlementReports; close(): Promise<void> } {
  const clients = new Map<string, AccountClient>()
  let latest: Report | null = null

  const download = async ({ name, url, at }: ReportNotice): Promise<Reply<Report>> => {
    if (latest?.name === name && latest.at.equals(at)) return { kind: 'ok', value: latest }
    const place = placeOf(url, settings.apiBase)
    if (place === null) return { kind: 'refused', message: `The report ${name} is not at a host of Adyen.` }
    const client = clients.get(place.origin) ?? clientOf(place.origin, settings, deps)
    clients.set(place.origin, client)
    const answer = await client.ask({
      method: 'GET',
      path: place.path,
      maxBytes: MAX_REPORT_BYTES,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    })
    if (answer.kind === 'unanswered') return { kind: 'unavailable', message: answer.reason }
    if (answer.status >= 500 || answer.status === 429) return unavailable(name, answer.status)
    if (answer.status !== 200) return refused(name, answer.status)
    latest = { name, at, text: answer.text }
    return { kind: 'ok', value: latest }
  }

  const list = async (): Promise<readonly ReportNotice[]> => {
    const notices = await deps.findNotices({ key: '', reference: SETTLEMENT_REPORTS })
    const reports = notices.flatMap((notice) => {
      const { pspReference, reason, eventDate, success } = factsOfNotice(notice)
      const at = timeOf(eventDate)
      if (pspReference === undefined || reason === undefined || at === null) return []
      return success === 'true' ? [{ name: pspReference, url: reason, at }] : []
    })
    return [...new Map(reports.map((report) => [report.name, report])).values()].toSorted((a, b) =>
      isAfter(a.at, b.at) ? -1 : 1,
    )
  }

  const read = async <Value>(
    notice: ReportNotice,
    use: (report: Report) => Page<Value>,
  ): Promise<Reply<Page<Value>>> => {
    const report = await download(notice)
    if (report.kind !== 'ok') return report
    try {
      return { kind: 'ok', value: use(report.value) }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      return { kind: 'refused', message: `Adyen's report cannot be read: ${error.message}.` }
    }
  }

  const entries: SettlementReports['entries'] = async ({ from, until, cursor }) => {
    const all = await list()
    const inRange = all.filter(({ at }) => !isBefore(at, from) && isBefore(at, until))
    const start = cursor === null ? null : readCursor(cursor)
    const place = start === null ? 0 : inRange.findIndex(({ name }) => name === start.name)
    const notice = inRange[place]
    if (notice === undefined) return EMPTY
    const following = inRange[place + 1]
    return read(notice, (report) => {
      const { items, next } = pageOf(linesFrom(report, start?.offset ?? 0))
      if (next !== null) return { items, nextCursor: writeCursor({ name: notice.name, offset: next }) }
      return { items, nextCursor: following ? writeCursor({ name: following.name, offset: 0 }) : null }
    })
  }

  const payouts: SettlementReports['payouts'] = async ({ createdAfter, cursor }) => {
    const all = await list()
    const later = all.filter(({ at }) => isAfter(at, createdAfter))
    const place = cursor === null ? 0 : later.findIndex(({ name }) => name === cursor)
    const notice = later[place]
    if (notice === undefined) return EMPTY
    return read(notice, (report) => ({
      items: payoutsOf(report),
      nextCursor: later[place + 1]?.name ?? null,
    }))
  }

  const payoutEntries: SettlementReports['payoutEntries'] = async ({ payoutId, cursor }) => {
    const all = await list()
    const notice = all.find(({ name }) => payoutId.startsWith(`${name}:`))
    if (notice === undefined) return { kind: 'absent' }
    const currency = payoutId.slice(notice.name.length + 1)
    return read(notice, (report) => {
      const lines = linesFrom(report, cursor === null ? 0 : Number(cursor))
      const paid = lines.filter(({ entry }) => entry.currency === currency && entry.type !== 'payout')
      const { items, next } = pageOf(paid)
      return { items, nextCursor: next === null ? null : String(next) }
    })
  }

  return {
    reports: { entries, payouts, payoutEntries },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

const EMPTY = { kind: 'ok', value: { items: [], nextCursor: null } } as const

function pageOf(lines: Iterator<ReportLine>): { items: BalanceEntry[]; next: number | null } {
  const items: BalanceEntry[] = []
  let next = 0
  for (;;) {
    const line = lines.next()
    if (line.done === true) return { items, next: null }
    if (items.length === PAGE_SIZE) return { items, next }
    items.push(line.value.entry)
    next = line.value.next
  }
}

function payoutsOf(report: Report): Payout[] {
  const paid = new Map<string, bigint>()
  for (const { entry } of linesFrom(report, 0)) {
    if (entry.type !== 'payout') continue
    paid.set(entry.currency, (paid.get(entry.currency) ?? 0n) - entry.netMinor)
  }
  return [...paid].map(([currency, amountMinor]) => ({
    id: `${report.name}:${currency}`,
    currency,
    amountMinor,
    arrivesAt: report.at,
    createdAt: report.at,
    state: 'paid',
  }))
}

/** Accepts only Adyen's hosts, because the address comes from a notice and the request carries our API key. */
function placeOf(text: string, apiBase: string): { origin: string; path: string } | null {
  const url = URL.parse(text)
  if (url === null) return null
  const isAdyen = url.protocol === 'https:' && url.hostname.endsWith('.adyen.com') && url.port === ''
  const isDouble = isLoopback(apiBase) && url.origin === new URL(apiBase).origin
  return isAdyen || isDouble ? { origin: url.origin, path: url.pathname + url.search } : null
}

function readCursor(text: string): Cursor {
  const at = text.lastIndexOf(':')
  return { name: text.slice(0, at), offset: Number(text.slice(at + 1)) }
}

function writeCursor({ name, offset }: Cursor): string {
  return `${name}:${offset}`
}

function unavailable(name: string, status: number): { kind: 'unavailable'; message: string } {
  return {
    kind: 'unavailable',
    message: `Adyen responded to the request for report ${name} with HTTP ${status}.`,
  }
}

function refused(name: string, status: number): { kind: 'refused'; message: string } {
  return { kind: 'refused', message: `Adyen refused the report ${name} with HTTP ${status}.` }
}
