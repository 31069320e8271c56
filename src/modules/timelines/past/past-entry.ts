import type { Money } from '#kernel/money'
import type { Placed } from './past-page.ts'

export interface PastEntry extends Placed {
  readonly kind: string
  readonly text: string
  readonly objectId: string
  readonly eventId: string | null
  readonly requestId: string | null
  readonly actorId: string | null
  readonly transactionUuid: string | null
  readonly acquirer: AcquirerOfEntry | null
  readonly details: PastDetails
}

export interface PastDetails {
  readonly cause?: 'failed_later' | 'void_failed' | 'expired'
  readonly order_number?: string
  readonly document_number?: string
  readonly about?: string
  readonly amount?: Money
  readonly currency?: string
  readonly state?: string
  readonly transaction_type?: string
  readonly message?: string
  readonly note?: string
  readonly reason?: string
  readonly billed?: string
  readonly billed_before?: string
  readonly notice_id?: string
  readonly notice_type?: string
}

export interface AcquirerOfEntry {
  readonly name: string
  readonly account_id: string | null
  readonly reference: string | null
  readonly resp_code: string | null
  readonly decline_code: string | null
}

export const WITHOUT_LINKS = {
  eventId: null,
  requestId: null,
  actorId: null,
  transactionUuid: null,
  acquirer: null,
  details: {},
} as const satisfies Partial<PastEntry>
