import type { Evidence } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import { listOf, textOf } from '../members.ts'

export const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  uncategorized_file: 'DefenseMaterial',
  receipt: 'TIDorInvoice',
  goods_not_returned: 'GoodsNotReturned',
  goods_repaired_or_replaced: 'GoodsRepairedOrReplaced',
  goods_were_as_described: 'GoodsWereAsDescribed',
}
export const DEFENSE_REASON = 'defense_reason_code'

interface DefenseReason {
  readonly code: string
  readonly required: readonly string[]
}

export function documentsOf({ files }: Evidence): readonly Members[] {
  return Object.entries(files).map(([name, { contentType, content }]) => ({
    defenseDocumentTypeCode: DOCUMENT_TYPES[name],
    contentType,
    content: content.toString('base64'),
  }))
}

export function readReasons(body: Members): readonly DefenseReason[] {
  return listOf(body, 'defenseReasons').map((reason) => ({
    code: textOf(reason, 'defenseReasonCode'),
    required: listOf(reason, 'defenseDocumentTypes')
      .filter((type) => textOf(type, 'requirementLevel') === 'Required')
      .map((type) => textOf(type, 'defenseDocumentTypeCode')),
  }))
}

export function chooseReason(
  reasons: readonly DefenseReason[],
  { texts, files }: Evidence,
): { readonly ok: true; readonly code: string } | { readonly ok: false; readonly message: string } {
  const named = texts[DEFENSE_REASON]
  const supplied = new Set(Object.keys(files).map((name) => DOCUMENT_TYPES[name] ?? ''))
  const fitting = reasons
    .filter(({ code }) => named === undefined || code === named)
    .filter(({ required }) => required.every((type) => supplied.has(type)))
    .toSorted((a, b) => b.required.length - a.required.length)
  const [best] = fitting
  if (best !== undefined) return { ok: true, code: best.code }
  const needs = reasons
    .map(({ code, required }) => `${code} (${required.map(fileNameOf).join(', ')})`)
    .join('; ')
  return { ok: false, message: `This evidence fits none of Adyen's defense reasons: ${needs}.` }
}

function fileNameOf(type: string): string {
  return Object.entries(DOCUMENT_TYPES).find(([, each]) => each === type)?.[0] ?? type
}
