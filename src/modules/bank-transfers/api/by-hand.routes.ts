import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { BankTransfersContext } from '../context.ts'
import { moveOverpayment } from '../by-hand/move-overpayment.ts'
import { recordPayment } from '../by-hand/record-payment.ts'
import { recordRepayment } from '../by-hand/record-repayment.ts'
import { undoPayment } from '../by-hand/undo-payment.ts'
import { writeOff } from '../by-hand/write-off.ts'
import {
  renderMovedOverpayment,
  renderRecordedPayment,
  renderRecordedRepayment,
  renderUndonePayment,
  renderWrittenOff,
} from './by-hand.render.ts'
import {
  MovedOverpaymentData,
  MoveOverpaymentBody,
  NumberParams,
  RecordedPaymentData,
  RecordedRepaymentData,
  RecordPaymentBody,
  RecordRepaymentBody,
  UndonePaymentData,
  UuidParams,
  WrittenOffData,
} from './by-hand.schemas.ts'
import { WriteOffSchema } from '../model/by-hand-requests.ts'

const BASE = '/svc/billing/api/v1/openapi'
const TAG = 'Payments by hand'

/** What moved outside, and what becomes of too much and too little. */
export function outsideRoutes(ctx: BankTransfersContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/invoices/:id/payments`,
      scope: 'billing:write',
      summary: 'Record a payment of an invoice by hand',
      description:
        'Cash, cheques and transfers that no bank statement brings. The payment counts at once and cannot be voided or refunded; it can be undone, and money that was given back is recorded as a repayment.',
      tag: TAG,
      params: IdParams,
      body: RecordPaymentBody,
      example: { payment: { amount: 119, method: 'cheque', value_date: '2027-06-15', reference: '004711' } },
      data: RecordedPaymentData,
      handle: ({ caller, params, body }) => recordPayment(ctx, caller, params.id, body.payment),
      render: renderRecordedPayment,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/transactions/:uuid/undo`,
      scope: 'billing:write',
      summary: 'Undo a payment or a repayment by hand',
      description: 'It was a mistake: the transaction is voided and no longer counts.',
      tag: TAG,
      params: UuidParams,
      data: UndonePaymentData,
      handle: ({ caller, params }) => undoPayment(ctx, caller, params.uuid),
      render: renderUndonePayment,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/:number/repayments`,
      scope: 'billing:write',
      summary: 'Record money that was given back',
      description:
        'A successful refund of each transfer and payment by hand that the amount takes, newest first. Issues no credit note.',
      tag: TAG,
      params: NumberParams,
      body: RecordRepaymentBody,
      example: { repayment: { amount: 20, value_date: '2027-06-18' } },
      data: RecordedRepaymentData,
      handle: ({ caller, params, body }) => recordRepayment(ctx, caller, params.number, body.repayment),
      render: renderRecordedRepayment,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/orders/:number/overpayment`,
      scope: 'billing:write',
      summary: "Move an overpayment to a plan's credit",
      description: 'All that is over-paid becomes credit of a plan of the same customer and currency.',
      tag: TAG,
      params: NumberParams,
      body: MoveOverpaymentBody,
      example: { plan_id: 'rpl_01j9z3k6v8q4t2n7b5m1c0x4hr' },
      data: MovedOverpaymentData,
      handle: ({ caller, params, body }) => moveOverpayment(ctx, caller, params.number, body.plan_id),
      render: renderMovedOverpayment,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/invoices/:id/write_off`,
      scope: 'billing:write',
      summary: 'Write off what is due of an invoice',
      description: 'Gives it up without a credit note, so the tax stays.',
      tag: TAG,
      params: IdParams,
      body: WriteOffSchema,
      example: { amount: 0.35, reason: 'Bank charges' },
      data: WrittenOffData,
      handle: ({ caller, params, body }) => writeOff(ctx, caller, params.id, body),
      render: renderWrittenOff,
    }),
  ]
}
