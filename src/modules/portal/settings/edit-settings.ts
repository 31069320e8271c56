import { findCoupons, findOfferedItems } from '#modules/catalogue'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type Allow, NOTHING, type PortalSettings } from '../model/allow.ts'
import { findSettings, lockSettings, saveSettings } from '../storage/settings.repository.ts'
import type { AllowRequest, SettingsEdit } from '../model/portal-requests.ts'

export interface SettingsView extends PortalSettings {
  readonly businessId: string
}

export async function settingsOf(ctx: PortalContext, { businessId }: Caller): Promise<SettingsView> {
  return { businessId, ...(await ctx.db.transact(businessId, findSettings)) }
}

export function editSettings(ctx: PortalContext, caller: Caller, edit: SettingsEdit): Promise<SettingsView> {
  return once(ctx.db, caller, async (tx) => {
    const before = await lockSettings(tx)
    const edited: PortalSettings = {
      returnUrl: edit.return_url === undefined ? before.returnUrl : edit.return_url,
      allow: edit.allow === undefined ? before.allow : readAllow(edit.allow),
    }
    if (edit.allow !== undefined) await requireKnown(tx, edited.allow)
    await saveSettings(tx, edited)
    return { businessId: tx.businessId, ...edited }
  })
}

function readAllow({ change, pause, cancel, payment_methods: methods, ...flags }: AllowRequest): Allow {
  return {
    ...NOTHING,
    ...flags,
    payment_methods:
      typeof methods === 'object' ? { remove_last: methods.remove_last ?? false } : (methods ?? false),
    ...(change != null && { change: { price_ids: change.price_ids, at: change.at ?? 'now' } }),
    ...(pause != null && { pause }),
    ...(cancel != null && {
      cancel: {
        reasons: cancel.reasons,
        ...(cancel.offer_coupon_id != null && { offer_coupon_id: cancel.offer_coupon_id }),
      },
    }),
  }
}

async function requireKnown(tx: Tx, { change, cancel }: Allow): Promise<void> {
  const priceIds = change?.price_ids ?? []
  const prices = priceIds.length === 0 ? new Map() : await findOfferedItems(tx, priceIds)
  const unknown = priceIds.findIndex((id) => !prices.has(id))
  if (unknown !== -1) {
    const param = `portal.allow.change.price_ids[${unknown}]`
    throw errors.portal_invalid({ param, message: 'There is no such price.' })
  }
  const couponId = cancel?.offer_coupon_id
  if (couponId === undefined || (await findCoupons(tx, [couponId])).has(couponId)) return
  throw errors.portal_invalid({
    param: 'portal.allow.cancel.offer_coupon_id',
    message: 'There is no such coupon.',
  })
}
