import type { CustomerNote } from '#modules/customers'
import { DECLINED_FAILURES, isMovedOutside, type Transaction } from '#modules/payments'
import type { Acquirers } from '#modules/acquirers'
import type { PastEvent } from '#platform/events/event-history'
import type { JsonObject } from '#kernel/json'
import { moneyInSentence } from '#platform/documents/money-text'
import { billedBy, billedByCycle, documentIn, isDecidedByAPerson, textOfEvent } from './event-texts.ts'
import { moneyAt, objectAt, readDocument, textAt } from './event-document.ts'
import { type AcquirerOfEntry, type PastDetails, type PastEntry, WITHOUT_LINKS } from './past-entry.ts'
import { placeOf } from './past-page.ts'

type StoredNotice = Awaited<ReturnType<Acquirers['noticesAbout']>>[number]

export interface ReadEvent extends PastEvent {
  /** For `plan.changed`: what the plan billed before, if the previous event is on the page. */
  readonly before?: JsonObject | undefined
  readonly document: JsonObject
  readonly transactionUuid: string | null
}

export function readEvent(event: PastEvent): ReadEvent {
  const document = readDocument(event.data)
  const ofDispute = objectAt(objectAt(document, 'dispute'), 'transaction')
  const uuid = textAt(objectAt(document, 'transaction'), 'uuid') ?? textAt(ofDispute, 'uuid')
  return { ...event, document, transactionUuid: uuid }
}

export function entryOfEvent(event: ReadEvent, transactions: ReadonlyMap<string, Transaction>): PastEntry {
  const { document, type, transactionUuid } = event
  return {
    at: event.timestamp,
    place: placeOf(event.id),
    kind: isDecidedByAPerson(type, document) ? 'outcome.decided' : type,
    text: textOfEvent(type, document, event.before) ?? 'The stored event cannot be read.',
    objectId: event.object_id,
    eventId: event.id,
    requestId: event.request_id,
    actorId: event.actor_id,
    transactionUuid,
    acquirer: acquirerOf(document, transactions.get(transactionUuid ?? '')),
    details: { ...detailsOf(type, document), ...changeOf(event) },
  }
}

/** The acquirer as it was when the event was written. The account of a transaction never changes. */
function acquirerOf(document: JsonObject, transaction: Transaction | undefined): AcquirerOfEntry | null {
  const data = objectAt(objectAt(document, 'transaction'), 'payment_data')
  const name = textAt(data, 'acquirer_name')
  if (name === null) return null
  const code = textAt(data, 'resp_code')
  const isDeclined = transaction !== undefined && DECLINED_FAILURES.has(transaction.answer.failure)
  return {
    name,
    account_id: transaction?.acquirerAccountId ?? null,
    reference: textAt(data, 'new_gateway_txn_id'),
    resp_code: code,
    decline_code: isDeclined ? code : null,
  }
}

function detailsOf(eventType: string, document: JsonObject): PastDetails {
  const transaction = objectAt(document, 'transaction')
  const order = objectAt(document, 'order')
  const dispute = objectAt(document, 'dispute')
  const invoice = documentIn(document)
  const [object, member] =
    textAt(transaction, 'uuid') !== null
      ? ([transaction, 'amount'] as const)
      : textAt(dispute, 'id') !== null
        ? ([dispute, 'amount'] as const)
        : textAt(invoice, 'id') !== null
          ? ([invoice, 'total'] as const)
          : ([order, 'initial_total'] as const)
  const amount = moneyAt(object, member)
  const data = objectAt(transaction, 'payment_data')
  const plan = objectAt(document, 'plan')
  const state = textAt(data, 'transaction_state') ?? textAt(object, 'state') ?? textAt(plan, 'state')
  const cause = causeOf(eventType, transaction)
  const failure = objectAt(transaction, 'void_failure')
  const message = textAt(cause === 'void_failed' ? failure : data, 'resp_msg')
  const note = textAt(transaction, 'note')
  const type = textAt(transaction, 'type')
  const reason = textAt(dispute, 'reason') ?? textAt(invoice, 'reason')
  const number = textAt(order, 'number') ?? textAt(dispute, 'order_number') ?? textAt(invoice, 'order_number')
  const documentNumber = textAt(invoice, 'number')
  const about = textAt(objectAt(document, 'message'), 'object_id')
  return {
    ...(number !== null && { order_number: number }),
    ...(documentNumber !== null && { document_number: documentNumber }),
    ...(about !== null && { about }),
    ...(amount !== null && { amount, currency: amount.currency }),
    ...(state !== null && { state }),
    ...(type !== null && { transaction_type: type }),
    ...(cause !== undefined && { cause }),
    ...(message !== null && { message }),
    ...(note !== null && { note }),
    ...(reason !== null && { reason }),
  }
}

const NAMES_CYCLE = new Set(['cycle.activated', 'cycle.completed'])

function changeOf({ type, document, before }: ReadEvent): PastDetails {
  if (NAMES_CYCLE.has(type)) {
    const ofCycle = billedByCycle(objectAt(document, 'recurring_cycle'))
    return ofCycle === null ? {} : { billed: ofCycle }
  }
  const billed = type === 'plan.changed' ? billedBy(document) : null
  const billedBefore = before === undefined ? null : billedBy(before)
  return {
    ...(billed !== null && { billed }),
    ...(billed !== null && billedBefore !== null && { billed_before: billedBefore }),
  }
}

function causeOf(type: string, transaction: JsonObject): PastDetails['cause'] {
  const data = objectAt(transaction, 'payment_data')
  if (type === 'transaction.failed' && data['failed_later'] === true) return 'failed_later'
  if (type === 'transaction.voided' && textAt(data, 'transaction_state') === 'expired') return 'expired'
  const isVoidFailure = textAt(objectAt(transaction, 'void_failure'), 'resp_msg') !== null
  return type === 'transaction.resolved' && isVoidFailure ? 'void_failed' : undefined
}

const SENT: Readonly<Record<Transaction['type'], string>> = {
  Sales: 'A payment of',
  Authorization: 'An authorization of',
  Capture: 'A capture of',
  Refund: 'A refund of',
}

export function entryOfSending(transaction: Transaction): PastEntry | null {
  if (transaction.answer.failure === 'not_sent' || isMovedOutside(transaction)) return null
  const { id, type, amount, acquirerName, acquirerAccountId, fallbackOf } = transaction
  const again = fallbackOf === null ? '' : ', because the account before it declined'
  return {
    ...WITHOUT_LINKS,
    at: transaction.createdAt,
    place: placeOf(id),
    kind: 'transaction.sent',
    text: `${SENT[type]} ${moneyInSentence(amount.abs())} was sent to ${acquirerName}${again}.`,
    objectId: transaction.orderId,
    transactionUuid: id,
    acquirer: {
      name: acquirerName,
      account_id: acquirerAccountId,
      reference: null,
      resp_code: null,
      decline_code: null,
    },
    details: { amount, currency: amount.currency, transaction_type: type },
  }
}

export function entryOfNote(note: CustomerNote): PastEntry {
  return {
    ...WITHOUT_LINKS,
    at: note.createdAt,
    place: placeOf(note.id),
    kind: 'customer.note',
    text: note.text,
    objectId: note.customerUuid,
    actorId: note.actorId,
  }
}

export function entryOfNotice(notice: StoredNotice, transaction: Transaction): PastEntry {
  return {
    ...WITHOUT_LINKS,
    at: notice.receivedAt,
    place: `-${notice.id.replace(/[^\w.-]/g, '-').slice(0, 100)}`,
    kind: 'acquirer.notice',
    text: `${transaction.acquirerName} sent the notice ${notice.type}.`,
    objectId: transaction.orderId,
    transactionUuid: transaction.id,
    acquirer: {
      name: transaction.acquirerName,
      account_id: notice.accountId,
      reference: notice.subject.reference,
      resp_code: null,
      decline_code: null,
    },
    details: { notice_id: notice.id, notice_type: notice.type },
  }
}
