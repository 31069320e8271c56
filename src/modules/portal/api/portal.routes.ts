import Type from 'typebox'
import {
  CHANGE_REFUSED,
  renderPlanChange,
  renderPlanChangePreview,
  renderPlanData,
  renderPlansPage,
} from '#modules/billing'
import { DocumentQuery, EINVOICE_INCOMPLETE, renderDocument, renderInvoicesPage } from '#modules/invoices'
import { renderPayment } from '#modules/payments'
import { renderBillingDetailsData } from '#modules/taxes'
import type { Failure, Route } from '#platform/http/routes/route'
import { ListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import { deleteCard } from '../cards/delete-card.ts'
import type { PortalContext } from '../context.ts'
import { invoicesOf, requireOwnInvoice } from '../invoices/own-invoice.ts'
import { payInvoice } from '../invoices/pay-invoice.ts'
import { readOverview } from '../overview/read-overview.ts'
import { acceptOffer, cancelOwnPlan } from '../plans/cancel-plan.ts'
import { changeOwnPlan, previewOwnChange } from '../plans/change-plan.ts'
import { plansOf, requireOwnPlan } from '../plans/own-plan.ts'
import { portalRoute } from './portal-route.ts'
import { renderOverview } from './render.ts'
import {
  AddTokenBody,
  ChangeBody,
  ChangeData,
  ChangePreviewData,
  DetailsData,
  EditDetailsBody,
  InvoicesPage,
  OverviewData,
  PauseBody,
  PaymentData,
  PlanData,
  PlansPage,
  PreviewChangeBody,
  ReactivateBody,
  TokenData,
  TokenParams,
  TokensData,
  UsageData,
} from './schemas.ts'
import { CancelBody, PayBody } from '../model/portal-requests.ts'

const CHOICE = { recurring_items: [{ recurring_item_id: 'rit_01m82g28fyf0nvy1g0k3jq9x6r', quantity: 5 }] }

const PAYMENT_FAILED: Failure = { name: 'PortalPaymentFailed', data: Type.Partial(PaymentData) }

export function portalRoutes(ctx: PortalContext): Route[] {
  return [
    portalRoute(ctx, {
      method: 'GET',
      path: '/overview',
      summary: 'Get what the portal begins with',
      description: 'The customer, the plans, and what the business lets customers do.',
      data: OverviewData,
      handle: (visitor) => readOverview(ctx, visitor),
      render: renderOverview,
    }),
    ...planRoutes(ctx),
    ...cancellationRoutes(ctx),
    ...invoiceRoutes(ctx),
    ...tokenRoutes(ctx),
    ...detailsRoutes(ctx),
  ]
}

function planRoutes(ctx: PortalContext): Route[] {
  return [
    portalRoute(ctx, {
      method: 'GET',
      path: '/plans',
      summary: 'List the customer’s plans',
      query: ListQuery,
      data: PlansPage,
      handle: async (visitor, { query }) => {
        const request = readPage('recurring_plans', query)
        return renderPlansPage(request, await plansOf(ctx, visitor, request))
      },
      render: (page) => page,
    }),
    portalRoute(ctx, {
      method: 'GET',
      path: '/plans/:id/usage',
      permission: 'usage',
      summary: 'List what metered prices of a plan have counted',
      params: IdParams,
      data: UsageData,
      handle: async (visitor, { params }) => {
        await requireOwnPlan(ctx, visitor, params.id)
        return { usage: [] }
      },
      render: (usage) => usage,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/change',
      permission: 'change',
      summary: 'Change a plan',
      description:
        'The business says which prices there are, when changes take effect, and how they are billed.',
      params: IdParams,
      body: ChangeBody,
      example: { change: { ...CHOICE, expected_total: 30.97 } },
      data: ChangeData,
      failures: { 409: CHANGE_REFUSED },
      handle: (visitor, { params, body }) => changeOwnPlan(ctx, visitor, params.id, body.change),
      render: renderPlanChange,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/change/preview',
      permission: 'change',
      reads: true,
      summary: 'Preview a change of a plan',
      description: 'Nothing is stored.',
      params: IdParams,
      body: PreviewChangeBody,
      example: { change: CHOICE },
      data: ChangePreviewData,
      failures: { 409: CHANGE_REFUSED },
      handle: (visitor, { params, body }) => previewOwnChange(ctx, visitor, params.id, body.change),
      render: renderPlanChangePreview,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/pause',
      permission: 'pause',
      summary: 'Pause a plan',
      description: 'Until `until`, or for as long as the business allows.',
      params: IdParams,
      body: PauseBody,
      example: { until: '2031-03-01' },
      data: PlanData,
      handle: async (visitor, { params, body }) => {
        await requireOwnPlan(ctx, visitor, params.id)
        return ctx.billing.pause(visitor.caller, params.id, body.until, visitor.allow.pause?.max_days ?? 0)
      },
      render: renderPlanData,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/resume',
      permission: 'pause',
      summary: 'Resume a paused plan',
      params: IdParams,
      data: PlanData,
      handle: async (visitor, { params }) => {
        await requireOwnPlan(ctx, visitor, params.id)
        return ctx.billing.resume(visitor.caller, params.id)
      },
      render: renderPlanData,
    }),
  ]
}

function cancellationRoutes(ctx: PortalContext): Route[] {
  return [
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/cancel',
      permission: 'cancel',
      summary: 'Cancel a plan',
      description: 'At the end of the period, within the terms of the plan.',
      params: IdParams,
      body: CancelBody,
      example: { reason: 'Too expensive', comment: 'See you next year' },
      data: PlanData,
      handle: (visitor, { params, body }) => cancelOwnPlan(ctx, visitor, params.id, body),
      render: renderPlanData,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/uncancel',
      permission: 'cancel',
      summary: 'Take back the cancellation of a plan',
      params: IdParams,
      data: PlanData,
      handle: async (visitor, { params }) => {
        await requireOwnPlan(ctx, visitor, params.id)
        return ctx.billing.uncancel(visitor.caller, params.id)
      },
      render: renderPlanData,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/accept_offer',
      permission: 'cancel',
      summary: 'Stay with a plan for the coupon that is offered',
      description: 'Attaches the coupon, once a plan, and takes the cancellation back.',
      params: IdParams,
      data: PlanData,
      handle: (visitor, { params }) => acceptOffer(ctx, visitor, params.id),
      render: renderPlanData,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/plans/:id/reactivate',
      permission: 'reactivate',
      summary: 'Come back to a plan that has ended',
      description:
        'The first period begins now. A wrong `expected_total` is refused with the total of its order.',
      params: IdParams,
      body: ReactivateBody,
      example: { expected_total: 39.9 },
      data: PlanData,
      failures: { 409: CHANGE_REFUSED },
      handle: async (visitor, { params, body }) => {
        await requireOwnPlan(ctx, visitor, params.id)
        return ctx.billing.reactivate(visitor.caller, params.id, body.expected_total)
      },
      render: renderPlanData,
    }),
  ]
}

function invoiceRoutes(ctx: PortalContext): Route[] {
  return [
    portalRoute(ctx, {
      method: 'GET',
      path: '/invoices',
      permission: 'invoices',
      summary: 'List the customer’s invoices and credit notes',
      query: ListQuery,
      data: InvoicesPage,
      handle: async (visitor, { query }) => {
        const request = readPage('invoices', query)
        return renderInvoicesPage(request, await invoicesOf(ctx, visitor, request))
      },
      render: (page) => page,
    }),
    portalRoute(ctx, {
      method: 'GET',
      path: '/invoices/:id/document',
      permission: 'invoices',
      summary: 'Download an invoice or a credit note',
      params: IdParams,
      query: DocumentQuery,
      contentType: 'application/pdf',
      data: Type.String(),
      failures: { 409: EINVOICE_INCOMPLETE },
      handle: async (visitor, { params, query }) => {
        await requireOwnInvoice(ctx, visitor, params.id)
        return ctx.invoices.document(visitor.caller, params.id, query.format ?? 'pdf')
      },
      render: renderDocument,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/invoices/:id/pay',
      permission: 'invoices',
      summary: 'Pay what is open of an invoice',
      params: IdParams,
      body: PayBody,
      example: { payment_token: 'pmt_01m82g28fyf0nvy1g0k3jq9x6r', expected_total: 39.9 },
      data: PaymentData,
      failures: { 402: PAYMENT_FAILED, 409: CHANGE_REFUSED, 502: PAYMENT_FAILED, 504: PAYMENT_FAILED },
      handle: (visitor, { params, body }) => payInvoice(ctx, visitor, params.id, body),
      render: renderPayment,
    }),
  ]
}

function tokenRoutes(ctx: PortalContext): Route[] {
  const { customers } = ctx
  return [
    portalRoute(ctx, {
      method: 'GET',
      path: '/payment_tokens',
      permission: 'payment_methods',
      summary: 'List the customer’s cards and wallets',
      data: TokensData,
      handle: (visitor) => customers.tokensOf(visitor.caller, visitor.customerUuid),
      render: customers.renderTokens,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/payment_tokens',
      permission: 'payment_methods',
      summary: 'Add a card or a wallet',
      description: 'A token that is `pending` waits until the customer confirms it at `verify_url`.',
      body: AddTokenBody,
      example: { payment_token: { token_type: 'WalletAPayAutoDebit' } },
      data: TokenData,
      handle: (visitor, { body }) => customers.bind(visitor.caller, visitor.customerUuid, body.payment_token),
      render: customers.renderToken,
    }),
    portalRoute(ctx, {
      method: 'DELETE',
      path: '/payment_tokens/:token',
      permission: 'payment_methods',
      summary: 'Remove a card or a wallet',
      params: TokenParams,
      data: TokenData,
      handle: (visitor, { params }) => deleteCard(ctx, visitor, params.token),
      render: customers.renderToken,
    }),
    portalRoute(ctx, {
      method: 'POST',
      path: '/payment_tokens/:token/default',
      permission: 'payment_methods',
      summary: 'Choose the card or wallet that plans are charged to',
      params: TokenParams,
      data: TokenData,
      handle: (visitor, { params }) =>
        customers.makeDefault(visitor.caller, visitor.customerUuid, params.token),
      render: customers.renderToken,
    }),
  ]
}

function detailsRoutes(ctx: PortalContext): Route[] {
  return [
    portalRoute(ctx, {
      method: 'GET',
      path: '/billing_details',
      permission: 'billing_details',
      summary: 'Get the customer’s billing details',
      data: DetailsData,
      handle: (visitor) => ctx.taxes.billingDetailsOf(visitor.caller, visitor.customerUuid),
      render: renderBillingDetailsData,
    }),
    portalRoute(ctx, {
      method: 'PUT',
      path: '/billing_details',
      permission: 'billing_details',
      summary: 'Edit the customer’s billing details',
      description: 'Members that are left out stay, and null removes one.',
      body: EditDetailsBody,
      example: { billing_details: { invoice_email: 'billing@example.com' } },
      data: DetailsData,
      handle: (visitor, { body }) =>
        ctx.taxes.editBillingDetails(visitor.caller, visitor.customerUuid, body.billing_details),
      render: renderBillingDetailsData,
    }),
  ]
}
