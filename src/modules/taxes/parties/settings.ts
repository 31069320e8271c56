import { isCurrency } from '#kernel/currencies'
import { type Money, readMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Bookkeeping } from '../model/bookkeeping.ts'
import { opensDays } from '../model/closed-months.ts'
import { type BillingSettings, DEFAULT_SETTINGS } from '../model/settings.ts'
import { findLegalEntity } from '../storage/legal-entity.repository.ts'
import { findBookkeeping, saveBookkeeping } from '../storage/bookkeeping.repository.ts'
import { findSettings, lockSettings, saveSettings } from '../storage/settings.repository.ts'
import { readAccounts, readDatev } from './read-accounts.ts'
import type { SettingsEdit } from '../model/settings-request.ts'

export type AllSettings = BillingSettings & Bookkeeping

export async function settings(tx: Tx): Promise<BillingSettings> {
  return (await findSettings(tx)) ?? DEFAULT_SETTINGS
}

export function settingsOf(ctx: TaxesContext, { businessId }: Caller): Promise<AllSettings> {
  return ctx.db.transact(businessId, async (tx) => ({
    ...(await settings(tx)),
    ...(await findBookkeeping(tx)),
  }))
}

export function editSettings(ctx: TaxesContext, caller: Caller, edit: SettingsEdit): Promise<AllSettings> {
  return once(ctx.db, caller, async (tx) => {
    const before = (await lockSettings(tx)) ?? DEFAULT_SETTINGS
    const edited: BillingSettings = {
      legalEntityId: edit.legal_entity_id === undefined ? before.legalEntityId : edit.legal_entity_id,
      tax: edit.tax ?? before.tax,
      collection: edit.collection ?? before.collection,
      daysUntilDue: edit.days_until_due ?? before.daysUntilDue,
      lateDays: edit.late_days ?? before.lateDays,
      lockedUntil: edit.locked_until === undefined ? before.lockedUntil : edit.locked_until,
      writeOffUpTo:
        edit.write_off_up_to === undefined ? before.writeOffUpTo : readLimits(edit.write_off_up_to),
    }
    if (opensDays(before.lockedUntil, edited.lockedUntil) && !isOwner(caller)) {
      throw errors.owner_required({ param: 'settings.locked_until' })
    }
    const param = 'settings.legal_entity_id'
    if (edited.legalEntityId !== null && (await findLegalEntity(tx, edited.legalEntityId)) === undefined) {
      throw errors.legal_entity_not_found({ param })
    }
    if (needsEntity(edited)) throw errors.invoicing_incomplete({ param })
    await saveSettings(tx, edited)
    return { ...edited, ...(await editBookkeeping(tx, edit)) }
  })
}

async function editBookkeeping(tx: Tx, { accounts, datev }: SettingsEdit): Promise<Bookkeeping> {
  const before = await findBookkeeping(tx)
  if (accounts === undefined && datev === undefined) return before
  const edited: Bookkeeping = {
    accounts: accounts === undefined ? before.accounts : accounts && readAccounts(accounts),
    datev: datev === undefined ? before.datev : datev && readDatev(datev),
  }
  await saveBookkeeping(tx, edited)
  return edited
}

/** An API key is nobody's, so none is an owner's. */
function isOwner({ actor, scopes }: Caller): boolean {
  return actor.type === 'user' && scopes?.has('users:write') === true
}

/** An amount of zero is no limit, as a currency that is left out. */
function readLimits(given: Exclude<SettingsEdit['write_off_up_to'], undefined>): ReadonlyMap<string, Money> {
  const limits = Object.entries(given ?? {}).map(([currency, value]) => {
    const param = `settings.write_off_up_to.${currency}`
    if (!isCurrency(currency)) throw invalidLimit(param, 'is not a currency of ISO 4217')
    const limit = readMoney(currency, value, param, invalidLimit)
    if (limit.isNegative()) throw invalidLimit(param, 'must not be negative')
    return [currency, limit] as const
  })
  return new Map(limits.filter(([, limit]) => limit.isPositive()))
}

function invalidLimit(param: string, rule: string): Error {
  return errors.write_off_invalid({ param, message: `${param} ${rule}.` })
}

function needsEntity({ legalEntityId, tax, collection }: BillingSettings): boolean {
  return legalEntityId === null && (tax !== 'none' || collection !== 'automatic')
}
