import type { TwinRequest } from '../common/server.ts'
import type { Desk } from './desk.ts'
import { accept, defenseReasons, defend, deleteDocument, supplyDocuments } from './disputes.ts'
import { notFound } from './errors.ts'
import { type Json, parseJson } from './json.ts'
import type { StoredReply } from './model.ts'
import { cancel, capture, refund, reverse, technicalCancel } from './modifications.ts'
import { completePayment, pay } from './payments.ts'
import {
  listStoredPaymentMethods,
  paymentMethods,
  removeStoredPaymentMethod,
  storePaymentMethod,
} from './stored-payment-methods.ts'

/** Throws `ServiceError` before it changes anything. */
export type Route = (desk: Desk) => StoredReply

const CHECKOUT = /^(?:\/checkout)?\/v72\/(.+)$/
const DISPUTES = /^\/ca\/services\/DisputeService\/v30\/(\w+)$/
const MODIFICATION = /^payments\/([A-Z0-9]{1,32})\/(captures|refunds|cancels|reversals)$/
const STORED = /^storedPaymentMethods\/([A-Z0-9]{1,32})$/

const MODIFICATIONS: Readonly<Record<string, (desk: Desk, psp: string, body: Json) => Json>> = {
  captures: capture,
  refunds: refund,
  cancels: cancel,
  reversals: reverse,
}

const DISPUTE_OPERATIONS: Readonly<Record<string, (desk: Desk, body: Json) => Json>> = {
  retrieveApplicableDefenseReasons: defenseReasons,
  supplyDefenseDocument: supplyDocuments,
  deleteDisputeDefenseDocument: deleteDocument,
  defendDispute: defend,
  acceptDispute: accept,
}

export function routeOf(request: TwinRequest): Route {
  const checkout = CHECKOUT.exec(request.path)?.[1]
  if (checkout !== undefined) return checkoutRoute(request, checkout)
  const operation = DISPUTE_OPERATIONS[DISPUTES.exec(request.path)?.[1] ?? '']
  if (operation === undefined || request.method !== 'POST') throw notFound()
  const body = parseJson(request.body.toString())
  return (desk) => ok(operation(desk, body))
}

function checkoutRoute(request: TwinRequest, path: string): Route {
  const stored = STORED.exec(path)?.[1]
  if (request.method === 'DELETE' && stored !== undefined) {
    return (desk) => {
      removeStoredPaymentMethod(desk, stored, request.query)
      return { status: 204, body: null }
    }
  }
  if (request.method === 'GET' && path === 'storedPaymentMethods') {
    return (desk) => ok(listStoredPaymentMethods(desk.model, request.query))
  }
  if (request.method !== 'POST') throw notFound()
  const body = parseJson(request.body.toString())
  const [, psp, kind] = MODIFICATION.exec(path) ?? []
  const modify = MODIFICATIONS[kind ?? '']
  if (psp !== undefined && modify !== undefined) return (desk) => created(modify(desk, psp, body))
  switch (path) {
    case 'payments':
      return (desk) => ok(pay(desk, body, request.origin))
    case 'payments/details':
      return (desk) => ok(completePayment(desk, body))
    case 'cancels':
      return (desk) => created(technicalCancel(desk, body))
    case 'paymentMethods':
      return (desk) => ok(paymentMethods(desk.model, body))
    case 'storedPaymentMethods':
      return (desk) => created(storePaymentMethod(desk, body))
    default:
      throw notFound()
  }
}

const ok = (body: Json): StoredReply => ({ status: 200, body })
const created = (body: Json): StoredReply => ({ status: 201, body })
