import { ControlError, readObject, readText, readWhole } from '../common/control.ts'
import type { TwinRequest } from '../common/server.ts'
import type { Desk } from './desk.ts'
import { chargeBack, decide, openDispute } from './disputes.ts'
import type { DisputeState } from './model.ts'
import { settle } from './settlement-report.ts'
import { triggerNamed } from './triggers.ts'

export type Control = (desk: Desk) => unknown

/** Control routes that act as shoppers, issuers and banks. Undefined for an unknown route. */
export function controlOf(request: TwinRequest): Control | undefined {
  const body = request.body.toString()
  const [, resource, id, action] = /^\/_twin\/(\w+)(?:\/(\w+)(?:\/(\w+))?)?$/.exec(request.path) ?? []
  switch (`${request.method} ${resource}`) {
    case 'POST settle':
      return (desk) => ({ batches: settle(desk, required(body, 'account'), request.origin) })
    case 'PUT stored_payment_methods':
      return (desk) => setStoredResult(desk, id ?? '', body)
    case 'GET disputes':
      return (desk) => ({ disputes: [...desk.model.disputes.values()] })
    case 'POST disputes':
      return id === undefined
        ? (desk) => dispute(desk, body)
        : (desk) => continueDispute(desk, id, action ?? '')
    default:
      return undefined
  }
}

/** `{"result": "NOT_ENOUGH_BALANCE"}` sets the result of every later payment with the card; null clears it. */
function setStoredResult(desk: Desk, id: string, body: string): unknown {
  const result = readText(readObject(body, ['result']), 'result') ?? null
  if (!desk.model.stored.has(id)) throw new ControlError(`There is no stored payment method ${id}`)
  if (result !== null) {
    try {
      triggerNamed(result)
    } catch (error) {
      throw new ControlError(String(error))
    }
  }
  desk.push({ type: 'stored_result', id, result })
  return { id, result }
}

/** Opens a chargeback over a captured payment; with `"announce_only": "true"` it is only announced. */
function dispute(desk: Desk, body: string): DisputeState {
  const members = readObject(body, ['payment', 'reason_code', 'amount_minor', 'announce_only'])
  const payment = desk.model.payments.get(readText(members, 'payment') ?? '')
  if (payment === undefined || payment.captured === 0)
    throw new ControlError('payment must be one that was captured')
  const value = readWhole(members, 'amount_minor', payment.captured) ?? payment.captured
  const opened = openDispute(desk, payment, {
    capture: null,
    amount: { ...payment.amount, value },
    reasonCode: readText(members, 'reason_code') ?? '10.4',
  })
  if (readText(members, 'announce_only') !== 'true') chargeBack(desk, opened)
  return opened
}

function continueDispute(desk: Desk, id: string, action: string): DisputeState {
  const found = desk.model.disputes.get(id)
  if (found === undefined) throw new ControlError(`There is no dispute ${id}`)
  if (action === 'charge_back' && !found.chargedBack) chargeBack(desk, found)
  else if (action === 'won' || action === 'lost') decide(desk, found, action)
  else throw new ControlError('The action must be charge_back, won or lost')
  return found
}

function required(body: string, name: string): string {
  const value = readText(readObject(body, [name]), name)
  if (value === undefined) throw new ControlError(`${name} is missing`)
  return value
}
