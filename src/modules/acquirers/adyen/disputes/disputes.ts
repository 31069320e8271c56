import type { AccountSettings, AdapterDependencies } from '../../port/adapter.ts'
import type { DisputeRecord, Disputes, Evidence, Reply } from '../../port/disputes.ts'
import { customerAreaOf } from '../account.ts'
import { clientOf, readResponse, replyOf } from '../api.ts'
import type { Members } from '../../port/members.ts'
import { membersOf, textOf } from '../members.ts'
import { chooseReason, DEFENSE_REASON, DOCUMENT_TYPES, documentsOf, readReasons } from './defense.ts'
import { disputeOf } from './dispute-record.ts'

const SERVICE = '/ca/services/DisputeService/v30'
/** Evidence is megabytes long. */
const SUPPLY_TIMEOUT_MS = 60_000

export function createDisputes(
  settings: AccountSettings,
  deps: AdapterDependencies,
): { readonly disputes: Disputes; close(): Promise<void> } {
  const client = clientOf(customerAreaOf(settings), settings, deps)
  const call = async (
    operation: string,
    members: Members,
    idempotencyKey: string,
  ): Promise<Reply<Members>> => {
    const body = { merchantAccountCode: settings.credentials.merchant_account, ...members }
    const response = await client.ask({
      method: 'POST',
      path: `${SERVICE}/${operation}`,
      body: JSON.stringify(body),
      headers: { 'idempotency-key': idempotencyKey },
      timeoutMs: SUPPLY_TIMEOUT_MS,
    })
    return accepted(replyOf(readResponse(response)))
  }

  const get = async (reference: string): Promise<Reply<DisputeRecord>> => {
    const record = disputeOf(reference, await deps.findNotices({ key: '', reference }))
    return record === null ? { kind: 'absent' } : { kind: 'ok', value: record }
  }

  const defend = async (disputePspReference: string, evidence: Evidence, key: string) => {
    const applicable = await call(
      'retrieveApplicableDefenseReasons',
      { disputePspReference },
      `${key}:reasons`,
    )
    if (applicable.kind !== 'ok') return applicable
    const reason = chooseReason(readReasons(applicable.value), evidence)
    if (!reason.ok) return { kind: 'refused' as const, message: reason.message }
    const defenseDocuments = documentsOf(evidence)
    if (defenseDocuments.length > 0) {
      const supplied = await call(
        'supplyDefenseDocument',
        { disputePspReference, defenseDocuments },
        `${key}:documents`,
      )
      if (supplied.kind !== 'ok') return supplied
    }
    return call('defendDispute', { disputePspReference, defenseReasonCode: reason.code }, key)
  }

  const submit: Disputes['submit'] = async (reference, evidence, key) => {
    const before = await get(reference)
    if (before.kind !== 'ok' || before.value.isSubmitted) return before
    const defended = await defend(reference, evidence, key)
    if (defended.kind === 'ok') return { kind: 'ok', value: submitted(before.value) }
    if (defended.kind !== 'refused') return defended
    const after = await get(reference)
    return after.kind === 'ok' && after.value.isSubmitted ? after : defended
  }

  return {
    disputes: {
      get,
      list: async () => ({ kind: 'ok', value: { items: [], nextCursor: null } }),
      evidenceTexts: new Set([DEFENSE_REASON]),
      evidenceFiles: new Set(Object.keys(DOCUMENT_TYPES)),
      submit,
    },
    close: () => client.close(),
  }
}

function accepted(reply: Reply<Members>): Reply<Members> {
  if (reply.kind !== 'ok') return reply
  const result = membersOf(reply.value, 'disputeServiceResult')
  if (result.success === true || result.success === 'true') return reply
  return { kind: 'refused', message: textOf(result, 'errorMessage') || 'Adyen refused the request.' }
}

function submitted(record: DisputeRecord): DisputeRecord {
  const isInquiry = record.state.startsWith('inquiry_')
  return { ...record, isSubmitted: true, state: isInquiry ? 'inquiry_under_review' : 'under_review' }
}
