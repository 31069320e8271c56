/** What customers may do for themselves, as the API shows it. A member that is missing is not allowed. */
export interface Allow {
  readonly invoices: boolean
  readonly payment_methods: boolean | { readonly remove_last: boolean }
  readonly billing_details: boolean
  readonly usage: boolean
  readonly reactivate: boolean
  readonly change?: { readonly price_ids: readonly string[]; readonly at: 'now' | 'period_end' }
  readonly pause?: { readonly max_days: number }
  readonly cancel?: { readonly reasons: readonly string[]; readonly offer_coupon_id?: string }
}

export interface PortalSettings {
  readonly returnUrl: string | null
  readonly allow: Allow
}

export type Permission = keyof Allow

export const NOTHING: Allow = {
  invoices: false,
  payment_methods: false,
  billing_details: false,
  usage: false,
  reactivate: false,
}

export function isAllowed(allow: Allow, permission: Permission): boolean {
  return (allow[permission] ?? false) !== false
}

export function permissionsOf(allow: Allow): Permission[] {
  return (Object.keys(allow) as Permission[]).filter((permission) => isAllowed(allow, permission))
}

/** The scope of a session with this permission. */
export function scopeOf<Access extends 'read' | 'write'>(
  permission: Permission,
  access: Access,
): `portal:${Permission}:${Access}` {
  return `portal:${permission}:${access}`
}

/** What of it a session may do with these scopes. */
export function allowedBy(scopes: ReadonlySet<string>, allow: Allow): Allow {
  const granted = permissionsOf(allow).filter(
    (permission) => scopes.has(scopeOf(permission, 'read')) || scopes.has(scopeOf(permission, 'write')),
  )
  return { ...NOTHING, ...Object.fromEntries(granted.map((permission) => [permission, allow[permission]])) }
}

export function mayRemoveLast({ payment_methods: methods }: Allow): boolean {
  return typeof methods === 'object' && methods.remove_last
}
