import { createHash } from 'node:crypto'
import { Money } from '#kernel/money'
import { onOneLine } from '#kernel/one-line'
import type {
  DisputeRecord,
  Disputes,
  DisputeState,
  Evidence,
  EvidenceFile,
  Reply,
} from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import { currencyOf, minorOf } from '../amounts.ts'
import type { AirwallexClient } from '../wire/airwallex-client.ts'
import { instantOf, listOf, membersOf, textOf, timeText } from '../wire/members.ts'
import { failedReply, unreadable } from './replies.ts'

const PATH = '/pa/payment_disputes'
const PAGE = 50
const INQUIRIES: ReadonlySet<unknown> = new Set(['RFI', 'PRE_CHARGEBACK'])

const STATES: ReadonlyMap<unknown, DisputeState> = new Map([
  ['REQUIRES_RESPONSE', 'needs_response'],
  ['CHALLENGED', 'under_review'],
  ['PENDING_DECISION', 'under_review'],
  ['PENDING_CLOSURE', 'under_review'],
  ['WON', 'won'],
  ['REVERSED', 'won'],
  ['LOST', 'lost'],
  ['ACCEPTED', 'lost'],
  ['EXPIRED', 'lost'],
])
const INQUIRY_STATES: ReadonlyMap<unknown, DisputeState> = new Map([
  ['REQUIRES_RESPONSE', 'inquiry_needs_response'],
  ['CHALLENGED', 'inquiry_under_review'],
  ['PENDING_DECISION', 'inquiry_under_review'],
  ['PENDING_CLOSURE', 'inquiry_under_review'],
  ...['WON', 'REVERSED', 'LOST', 'ACCEPTED', 'EXPIRED'].map((one) => [one, 'inquiry_closed'] as const),
])

/** In upper case at Airwallex. */
const CHOICES: ReadonlySet<string> = new Set(['product_type', 'reason'])
const EVIDENCE_TEXTS: ReadonlySet<string> = new Set([
  ...CHOICES,
  'product_description',
  'description',
  'refund_refusal_reason',
])
const EVIDENCE_FILES: ReadonlySet<string> = new Set(['primary', 'order', 'customer', 'other'])

export function airwallexDisputes(client: AirwallexClient): Disputes {
  const get = async (reference: string): Promise<Reply<DisputeRecord>> => {
    const answer = await client.get(pathOf(reference))
    return answer.kind === 'ok' ? readReply(answer.object) : failedReply(answer)
  }
  return {
    evidenceTexts: EVIDENCE_TEXTS,
    evidenceFiles: EVIDENCE_FILES,
    get,
    list: async ({ openedAfter, cursor }) => {
      const query = { from_updated_at: timeText(openedAfter), size: String(PAGE), page: cursor ?? '0' }
      const answer = await client.get(PATH, query)
      if (answer.kind !== 'ok') return failedReply(answer)
      if (!Array.isArray(answer.object.items)) return unreadable()
      const items = listOf(answer.object.items).map((one) => readDispute(membersOf(one)))
      if (items.some((one) => one === null)) return unreadable()
      const read = items.filter((one) => one !== null)
      // The cursor is the last dispute of the page, so a page without disputes is the end.
      const nextCursor = read.length === 0 ? null : textOf(answer.object.page_after)
      return { kind: 'ok', value: { items: read, nextCursor } }
    },
    submit: async (reference, evidence, key) => {
      const before = await get(reference)
      if (before.kind !== 'ok' || before.value.isSubmitted) return before
      const submitted = await submit(client, reference, evidence, key)
      if (submitted.kind !== 'refused') return submitted
      const after = await get(reference)
      return after.kind === 'ok' && after.value.isSubmitted ? after : submitted
    },
  }
}

async function submit(
  client: AirwallexClient,
  reference: string,
  { texts, files }: Evidence,
  key: string,
): Promise<Reply<DisputeRecord>> {
  const given = Object.entries(files)
  if (given.length === 0) {
    return {
      kind: 'refused',
      message: 'Airwallex takes evidence with at least one file: primary, order, customer or other.',
    }
  }
  const documents: object[] = []
  for (const [member, file] of given) {
    const answer = await client.upload('/files/upload', multipart(file))
    if (answer.kind !== 'ok') return failedReply(answer)
    const id = textOf(answer.object.file_id)
    if (id === null) return unreadable()
    documents.push({ type: member.toUpperCase(), file_ids: [id] })
  }
  const members = Object.entries(texts).map(([name, text]) => [
    name,
    CHOICES.has(name) ? text.toUpperCase() : text,
  ])
  const body = { ...Object.fromEntries(members), supporting_documents: { documents } }
  // A file that is uploaded again has another id, and a request id is never used for two bodies. A dispute takes one challenge.
  const requestId = `${key}:${digestOf(JSON.stringify(body))}`
  const answer = await client.post(`${pathOf(reference)}/challenge`, body, { via: 'ask', requestId })
  return answer.kind === 'ok' ? readReply(answer.object) : failedReply(answer)
}

function multipart({ name, contentType, content }: EvidenceFile): { contentType: string; content: Buffer } {
  const boundary = `evidence-${digestOf(content)}`
  const quotable = (text: string) => onOneLine(text).replace(/["\\]/g, '_')
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${quotable(name)}"`,
    `content-type: ${quotable(contentType)}`,
    '',
    '',
  ].join('\r\n')
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

function readReply(object: Members): Reply<DisputeRecord> {
  const value = readDispute(object)
  return value === null ? unreadable() : { kind: 'ok', value }
}

function readDispute(object: Members): DisputeRecord | null {
  const reference = textOf(object.id)
  const paymentReference = textOf(object.payment_intent_id)
  const currency = currencyOf(object.currency)
  const minor = currency === null ? null : minorOf(currency, object.amount)
  const openedAt = instantOf(object.created_at)
  if (reference === null || paymentReference === null || openedAt === null) return null
  if (currency === null || minor === null) return null
  const isInquiry = INQUIRIES.has(object.stage)
  const states = isInquiry ? INQUIRY_STATES : STATES
  const isAnswered = listOf(object.challenge_details).some((one) => membersOf(one).stage === object.stage)
  return {
    reference,
    paymentReference,
    amount: Money.ofMinor(currency, minor),
    reason: textOf(membersOf(object.reason).type)?.toLowerCase() ?? 'general',
    state: states.get(object.status) ?? (isInquiry ? 'inquiry_under_review' : 'under_review'),
    respondBy: instantOf(object.due_at),
    openedAt,
    isSubmitted: object.status === 'CHALLENGED' || isAnswered,
  }
}

function pathOf(reference: string): string {
  return `${PATH}/${encodeURIComponent(reference)}`
}
