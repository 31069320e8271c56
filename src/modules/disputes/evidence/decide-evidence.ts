import { type Instant, isBefore } from '#kernel/clock'
import type { AcquirerDisputes } from '#modules/acquirers'
import { errors } from '../errors.ts'
import { type Dispute, isAwaitingResponse } from '../model/dispute.ts'
import type { EvidenceRequest, NewEvidence, StagedEvidence } from '../model/evidence.ts'

/** Stripe's limits: all texts together, in characters, and all files together, in bytes. */
const MAX_TEXT_CHARACTERS = 150_000
const MAX_FILE_BYTES = 5_000_000

export function requireOpen(dispute: Dispute, now: Instant): void {
  if (dispute.submittedAt !== null) throw errors.evidence_already_submitted()
  if (!isAwaitingResponse(dispute.state)) throw errors.dispute_not_open()
  if (dispute.respondBy !== null && !isBefore(now, dispute.respondBy)) throw errors.dispute_deadline_passed()
}

export interface EvidenceEdit {
  readonly saved: readonly NewEvidence[]
  readonly removed: readonly string[]
}

type TakenNames = Pick<AcquirerDisputes, 'evidenceTexts' | 'evidenceFiles'>

export function readEvidence(request: EvidenceRequest, taken: TakenNames): EvidenceEdit {
  const saved: NewEvidence[] = []
  const removed: string[] = []
  for (const [name, value] of Object.entries(request)) {
    requireTaken(name, value, taken)
    if (value === null) removed.push(name)
    else if (typeof value === 'string') saved.push({ name, kind: 'text', text: value })
    else {
      const content = Buffer.from(value.content, 'base64')
      saved.push({ name, kind: 'file', fileName: value.name, contentType: value.content_type, content })
    }
  }
  return { saved, removed }
}

function requireTaken(name: string, value: EvidenceRequest[string], taken: TakenNames): void {
  const param = `evidence.${name}`
  const isText = taken.evidenceTexts.has(name)
  const isFile = taken.evidenceFiles.has(name)
  if (!isText && !isFile) {
    const names = [...taken.evidenceTexts, ...taken.evidenceFiles].toSorted().join(', ')
    const message = `The acquirer does not accept evidence named ${name}. It accepts ${names}.`
    throw errors.evidence_not_taken({ param, message })
  }
  if (typeof value === 'string' && !isText) {
    const message = `${param} must be a file: an object with name, content_type and content.`
    throw errors.evidence_not_taken({ param, message })
  }
  if (typeof value === 'object' && value !== null && !isFile) {
    throw errors.evidence_not_taken({ param, message: `${param} must be a string.` })
  }
}

export function requireRoom(staged: readonly StagedEvidence[], { saved, removed }: EvidenceEdit): void {
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
  if (characters > MAX_TEXT_CHARACTERS || bytes > MAX_FILE_BYTES) {
    throw errors.evidence_too_large({ param: 'evidence' })
  }
}
