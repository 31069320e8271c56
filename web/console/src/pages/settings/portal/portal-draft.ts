import type { Quittance, Schemas } from 'quittance'

type Allow = NonNullable<Parameters<Quittance['portal']['update']>[0]['allow']>

/** What the form shows. What a switch hides is kept until it is saved. */
export interface Draft {
  readonly returnUrl: string
  readonly invoices: boolean
  readonly billing_details: boolean
  readonly usage: boolean
  readonly reactivate: boolean
  readonly paymentMethods: boolean
  readonly removeLast: boolean
  readonly changes: boolean
  readonly priceIds: readonly string[]
  readonly changesAt: 'now' | 'period_end'
  readonly pauses: boolean
  readonly maxDays: number | string
  readonly cancels: boolean
  readonly reasons: readonly string[]
  readonly offer: string | null
}

const PAUSE_DAYS = 30

export function draftOf({ return_url: returnUrl, allow }: Schemas['Portal']): Draft {
  const { payment_methods: methods, change, pause, cancel } = allow
  return {
    returnUrl: returnUrl ?? '',
    invoices: allow.invoices,
    billing_details: allow.billing_details,
    usage: allow.usage,
    reactivate: allow.reactivate,
    paymentMethods: methods !== false,
    removeLast: typeof methods === 'object' && methods.remove_last,
    changes: change !== undefined,
    priceIds: change?.price_ids ?? [],
    changesAt: change?.at ?? 'now',
    pauses: pause !== undefined,
    maxDays: pause?.max_days ?? PAUSE_DAYS,
    cancels: cancel !== undefined,
    reasons: cancel?.reasons ?? [],
    offer: cancel?.offer_coupon_id ?? null,
  }
}

export function isComplete({ changes, priceIds, pauses, maxDays, cancels, reasons }: Draft): boolean {
  return (!changes || priceIds.length > 0) && (!pauses || maxDays !== '') && (!cancels || reasons.length > 0)
}

export function allowOf(draft: Draft): Allow {
  const { invoices, billing_details, usage, reactivate } = draft
  return {
    invoices,
    billing_details,
    usage,
    reactivate,
    payment_methods: draft.paymentMethods && { remove_last: draft.removeLast },
    ...(draft.changes && { change: { price_ids: [...draft.priceIds], at: draft.changesAt } }),
    ...(draft.pauses && { pause: { max_days: Number(draft.maxDays) } }),
    ...(draft.cancels && {
      cancel: {
        reasons: [...draft.reasons],
        ...(draft.offer !== null && { offer_coupon_id: draft.offer }),
      },
    }),
  }
}
