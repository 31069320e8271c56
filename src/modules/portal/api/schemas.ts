import Type from 'typebox'
import { CHANGED_ITEMS, PausePlanBody, PlanChangeData, PlanChangePreview, PlanSchema } from '#modules/billing'
import { BindRequestSchema, PaymentTokenSchema } from '#modules/customers'
import { InvoiceSchema } from '#modules/invoices'
import { TransactionData } from '#modules/payments'
import { BillingDetailsData, EditBillingDetailsBody } from '#modules/taxes'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { schemaForCustomers } from '../model/customer-view.ts'
import {
  CHANGES_AT,
  ExpectedTotal,
  PortalEditSchema,
  SessionRequestSchema,
} from '../model/portal-requests.ts'

export const EditPortalBody = strictObject({ portal: PortalEditSchema })

const AllowOut = Resource('PortalAllow', {
  invoices: Type.Boolean(),
  payment_methods: Type.Union([Type.Boolean(), Type.Object({ remove_last: Type.Boolean() })]),
  billing_details: Type.Boolean(),
  usage: Type.Boolean(),
  reactivate: Type.Boolean(),
  change: Type.Optional(Type.Object({ price_ids: Type.Array(Type.String()), at: OneOf(CHANGES_AT) })),
  pause: Type.Optional(Type.Object({ max_days: Type.Integer() })),
  cancel: Type.Optional(
    Type.Object({ reasons: Type.Array(Type.String()), offer_coupon_id: Type.Optional(Type.String()) }),
  ),
})

export const PortalData = Type.Object({
  portal: Resource('Portal', {
    return_url: Nullable(Type.String()),
    allow: AllowOut,
    sign_in_url: Type.String({
      description:
        'Where customers have a link mailed to them, while messages of the kind `portal_link` are enabled. It never changes.',
    }),
  }),
})

export const CreateSessionBody = strictObject({ portal_session: SessionRequestSchema })

export const SessionData = Type.Object({
  portal_session: Resource('PortalSession', {
    url: Type.String({ description: 'Opens once, within 15 minutes.' }),
    token: Type.String({ description: 'For the operations of the portal, at once and until expires_at.' }),
    expires_at: TimestampOut(),
  }),
})

const PortalPlan = schemaForCustomers(PlanSchema)
export const PlanData = Type.Object({ plan: PortalPlan })
export const PlansPage = Type.Object({ plans: Type.Array(PortalPlan), page: PageSchema })
export const ChangeData = schemaForCustomers(PlanChangeData)
export const ChangePreviewData = schemaForCustomers(PlanChangePreview)

export const OverviewData = Type.Object({
  overview: Resource('PortalOverview', {
    business: Type.Object({ name: Type.String() }),
    customer: Type.Object({
      uuid: Type.String(),
      name: Type.String(),
      email: Type.Optional(Type.String()),
      phone: Type.String(),
    }),
    return_url: Nullable(Type.String()),
    allow: AllowOut,
  }),
  plans: Type.Array(PortalPlan, { description: 'The 100 newest.' }),
  next_bills: Type.Array(
    Type.Object({
      plan_id: Type.String(),
      date: TimestampOut(),
      amount: AmountOut(),
      currency: Type.String(),
    }),
    { description: 'What each plan that bills is billed next, if nothing changes until then.' },
  ),
  due_orders: Type.Array(
    Type.Object({
      plan_id: Type.String(),
      order_number: Type.String(),
      reference_number: Type.String({ description: 'What its pages and documents call the order.' }),
      amount: AmountOut(),
      currency: Type.String(),
      payment_link: Type.Optional(Type.String()),
    }),
    {
      description:
        'Open orders of the plans whose payment failed, or that wait for the customer to pay them, with what is left to pay.',
    },
  ),
})

export const UsageData = Type.Object({
  usage: Type.Array(
    Type.Object({
      recurring_item_id: Type.String(),
      meter_id: Type.String(),
      period: Type.Object({ start: TimestampOut(), end: TimestampOut() }),
    }),
    { description: 'A row for each metered price of the plan.' },
  ),
})

export const ChangeBody = strictObject({
  change: strictObject({ ...CHANGED_ITEMS, expected_total: ExpectedTotal }, { title: 'NewPortalPlanChange' }),
})
export const PreviewChangeBody = strictObject({
  change: strictObject(CHANGED_ITEMS, { title: 'NewPortalPlanChangePreview' }),
})
export const PauseBody = PausePlanBody
export const ReactivateBody = strictObject({ expected_total: ExpectedTotal })

const PortalInvoice = schemaForCustomers(InvoiceSchema)
export const InvoicesPage = Type.Object({ invoices: Type.Array(PortalInvoice), page: PageSchema })
export const PaymentData = schemaForCustomers(TransactionData)

const PortalToken = schemaForCustomers(PaymentTokenSchema)
export const TokenData = Type.Object({ payment_token: PortalToken })
export const TokensData = Type.Object({ payment_tokens: Nullable(Type.Array(PortalToken)) })
export const TokenParams = strictObject({ token: Type.String() })

const { acquirer_token: _vault, ...bindable } = BindRequestSchema.properties
export const AddTokenBody = strictObject({
  payment_token: strictObject(bindable, { title: 'NewPortalPaymentToken' }),
})

export const DetailsData = schemaForCustomers(BillingDetailsData)
const {
  tax_exempt: _exempt,
  exempt_reason: _reason,
  ...editable
} = EditBillingDetailsBody.properties.billing_details.properties
export const EditDetailsBody = strictObject({
  billing_details: strictObject(editable, { title: 'PortalBillingDetailsEdit' }),
})
