import { type Instant, isBefore } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import type { AcquirerDisputes } from '#modules/acquirers'
import { type Dispute, isAwaitingResponse } from '../model/dispute.ts'
import type { NewEvidence, StagedEvidence } from '../model/evidence.ts'
import type { EvidenceRequest } from '../model/evidence-request.ts'

/** Stripe's limits: all texts together, in characters, and all files together, in bytes. */
const MAX_TEXT_CHARACTERS = 150_000
const MAX_FILE_BYTES = 5_000_000

export function refuseClosed(
  dispute: Dispute,
  now: Instant,
): Refused<'evidence_already_submitted' | 'dispute_not_open' | 'dispute_deadline_passed'> | null {
  if (dispute.submittedAt !== null) return { refused: 'evidence_already_submitted' }
  if (!isAwaitingResponse(dispute.state)) return { refused: 'dispute_not_open' }
  const isLate = dispute.respondBy !== null && !isBefore(now, dispute.respondBy)
  return isLate ? { refused: 'dispute_deadline_passed' } : null
}

export interface EvidenceEdit {
  readonly saved: readonly NewEvidence[]
  readonly removed: readonly string[]
}

type TakenNames = Pick<AcquirerDisputes, 'evidenceTexts' | 'evidenceFiles'>

export function decideEvidence(
  request: EvidenceRequest,
  taken: TakenNames,
  staged: readonly StagedEvidence[],
): EvidenceEdit | Refused<'evidence_not_taken' | 'evidence_too_large'> {
  const saved: NewEvidence[] = []
  const removed: string[] = []
  for (const [name, value] of Object.entries(request)) {
    const message = whyNotTaken(name, value, taken)
    if (message !== null) return { refused: 'evidence_not_taken', param: `evidence.${name}`, message }
    if (value === null) removed.push(name)
    else if (typeof value === 'string') saved.push({ name, kind: 'text', text: value })
    else {
      const content = Buffer.from(value.content, 'base64')
      saved.push({ name, kind: 'file', fileName: value.name, contentType: value.content_type, content })
    }
  }
  const edit = { saved, removed }
  return isTooLarge(staged, edit) ? { refused: 'evidence_too_large', param: 'evidence' } : edit
}

function whyNotTaken(name: string, value: EvidenceRequest[string], taken: TakenNames): string | null {
  const isText = taken.evidenceTexts.has(name)
  const isFile = taken.evidenceFiles.has(name)
  if (!isText && !isFile) {
    const names = [...taken.evidenceTexts, ...taken.evidenceFiles].toSorted().join(', ')
    return `The acquirer does not accept evidence named ${name}. It accepts ${names}.`
  }
  if (typeof value === 'string' && !isText) {
    return `evidence.${name} must be a file: an object with name, content_type and content.`
  }
  const isWrongFile = typeof value === 'object' && value !== null && !isFile
  return isWrongFile ? `evidence.${name} must be a string.` : null
}

function isTooLarge(staged: readonly StagedEvidence[], { saved, removed }: EvidenceEdit): boolean {
  const replaced = new Set([...removed, ...saved.map(({ name }) => name)])
  let characters = 0
  let bytes = 0
  for (const member of staged) {
    if (replaced.has(member.name)) continue
    if (member.kind === 'text') characters += member.text.length
    else bytes += member.bytes
  }
  for (const member of saved) {
    if (member.kind === 'text') characters += member.text.length
    else bytes += member.content.length
  }
  return characters > MAX_TEXT_CHARACTERS || bytes > MAX_FILE_BYTES
}
