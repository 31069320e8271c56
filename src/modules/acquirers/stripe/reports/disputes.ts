import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { Money } from '#kernel/money'
import { onOneLine } from '#kernel/one-line'
import type {
  DisputeRecord,
  DisputeState,
  Disputes,
  Evidence,
  EvidenceFile,
  Page,
  Reply,
} from '../../port/disputes.ts'
import { EVIDENCE_FILES, EVIDENCE_TEXTS } from '../../port/evidence-names.ts'
import { currencyOf, fromStripeAmount } from '../amounts.ts'
import type { FormOf } from '../wire/form.ts'
import type { Members } from '../../port/members.ts'
import { idOf, membersOf, textOf, wholeOf } from '../wire/members.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { failedReply, instantOfSeconds, readPage } from './replies.ts'

const PATH = '/v1/disputes'

const STATES: ReadonlyMap<unknown, DisputeState> = new Map([
  ['warning_needs_response', 'inquiry_needs_response'],
  ['warning_under_review', 'inquiry_under_review'],
  ['warning_closed', 'inquiry_closed'],
  ['prevented', 'inquiry_closed'],
  ['needs_response', 'needs_response'],
  ['appeal_needs_response', 'needs_response'],
  ['under_review', 'under_review'],
  ['appeal_under_review', 'under_review'],
  ['won', 'won'],
  ['lost', 'lost'],
])

export function stripeDisputes(client: StripeClient, files: StripeClient): Disputes {
  const get = async (reference: string): Promise<Reply<DisputeRecord>> => {
    const answer = await client.get(pathOf(reference))
    return answer.kind === 'ok' ? readReply(answer.object) : failedReply(answer)
  }
  return {
    evidenceTexts: EVIDENCE_TEXTS,
    evidenceFiles: EVIDENCE_FILES,
    get,
    list: async ({ openedAfter, cursor }): Promise<Reply<Page<DisputeRecord>>> => {
      const created = { gte: Math.floor(openedAfter.epochMilliseconds / 1000) }
      const query: FormOf<Stripe.DisputeListParams> = { limit: 100, created, starting_after: cursor }
      const answer = await client.get(PATH, query)
      return answer.kind === 'ok' ? readPage(answer.object, readDispute) : failedReply(answer)
    },
    submit: async (reference, evidence, key) => {
      const submitted = await submit(client, files, { reference, evidence, key })
      if (submitted.kind !== 'refused') return submitted
      const current = await get(reference)
      return current.kind === 'ok' && current.value.isSubmitted ? current : submitted
    },
  }
}

interface Submission {
  readonly reference: string
  readonly evidence: Evidence
  readonly key: string
}

async function submit(
  client: StripeClient,
  files: StripeClient,
  { reference, evidence, key }: Submission,
): Promise<Reply<DisputeRecord>> {
  const members: Record<string, string> = { ...evidence.texts }
  for (const [member, file] of Object.entries(evidence.files)) {
    const answer = await files.upload('/v1/files', multipart(file), `${key}:file:${member}`)
    if (answer.kind !== 'ok') return failedReply(answer)
    const id = textOf(answer.object.id)
    if (id === null) return unreadable()
    members[member] = id
  }
  const form: FormOf<Stripe.DisputeUpdateParams> = { evidence: members, submit: true }
  const answer = await client.post(pathOf(reference), form, { via: 'ask', key })
  return answer.kind === 'ok' ? readReply(answer.object) : failedReply(answer)
}

function multipart({ name, contentType, content }: EvidenceFile): { contentType: string; content: Buffer } {
  const boundary = `evidence-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`
  const quotable = (text: string) => onOneLine(text).replace(/["\\]/g, '_')
  const head = [
    `--${boundary}`,
    'content-disposition: form-data; name="purpose"',
    '',
    'dispute_evidence',
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${quotable(name)}"`,
    `content-type: ${quotable(contentType)}`,
    '',
    '',
  ].join('\r\n')
  const tail = `\r\n--${boundary}--\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]),
  }
}

function readReply(object: Members): Reply<DisputeRecord> {
  const value = readDispute(object)
  return value === null ? unreadable() : { kind: 'ok', value }
}

function readDispute(object: Members): DisputeRecord | null {
  const reference = textOf(object.id)
  const paymentReference = idOf(object.payment_intent) ?? idOf(object.charge)
  const currency = currencyOf(object.currency)
  const amount = wholeOf(object.amount)
  const openedAt = instantOfSeconds(object.created)
  if (reference === null || paymentReference === null || currency === null || amount === null) return null
  if (openedAt === null) return null
  const details = membersOf(object.evidence_details)
  return {
    reference,
    paymentReference,
    amount: Money.ofMinor(currency, fromStripeAmount(currency, amount)),
    reason: textOf(object.reason) ?? 'general',
    state: STATES.get(object.status) ?? 'under_review',
    respondBy: instantOfSeconds(details.due_by),
    openedAt,
    isSubmitted: (wholeOf(details.submission_count) ?? 0n) > 0n,
  }
}

function unreadable(): Reply<never> {
  return { kind: 'unavailable', message: "Stripe's response cannot be parsed." }
}

function pathOf(reference: string): string {
  return `${PATH}/${encodeURIComponent(reference)}`
}
