import type { Logger } from 'pino'
import { realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Caller } from '#platform/caller'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { onBehalfOf } from '#platform/request-scope'
import type { BulkAction, BulkItem, ItemResult } from '../model/bulk-action.ts'
import { refusalOf } from './refusal.ts'
import type { BulkTarget } from './targets.ts'

/** The last try comes about 70 minutes after the first. */
const MAX_TRIES = 5
const ENDPOINT = 'bulk_actions'

export async function performItem(
  target: BulkTarget,
  action: BulkAction,
  item: BulkItem,
  log: Logger,
): Promise<ItemResult> {
  try {
    const amounts = action.dryRun
      ? await target.preview(action, item.id)
      : await onBehalfOf(action.caller, () =>
          target.perform(action, item.id, (...parts) => callerOfItem(action, item, parts)),
        )
    return { kind: 'succeeded', item, amounts }
  } catch (error) {
    if (!(error instanceof RequestError) && !(error instanceof StoredReply)) {
      log.error({ err: error, bulk_action: action.id, item: item.id }, 'an item of a bulk action failed')
    }
    return resultOf(error, item)
  }
}

function callerOfItem({ id, caller }: BulkAction, item: BulkItem, parts: readonly string[]): Caller {
  const key = [id, item.id, ...parts].join(':')
  return { ...caller, idempotency: { key, endpoint: ENDPOINT, fingerprint: key } }
}

export function resultOf(error: unknown, item: BulkItem): ItemResult {
  if (error instanceof StoredReply && error.status === 200) {
    return { kind: 'succeeded', item, amounts: new Map() }
  }
  const { status, reason, message } = refusalOf(error)
  // The outcome is not known yet, the same item is still under way, or the service is busy.
  const mayChange = status >= 503 || status === 429 || reason === 'idempotency_key_in_use'
  if (mayChange && item.tries < MAX_TRIES) {
    return { kind: 'postponed', item, until: nextInquiryAt(item.tries, realClock.now()) }
  }
  return { kind: 'failed', item, reason, message }
}
