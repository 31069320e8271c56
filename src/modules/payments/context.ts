import { RequestError } from '#kernel/errors'
import type { TimeZone } from '#kernel/time-zone'
import type { Acquirer } from '#modules/acquirers'
import type { Environment } from '#platform/caller'
import type { PaymentsNeeds } from './needs.ts'
import type { Reaction } from './order-change.ts'

/** What every use case of the module is given. */
export interface PaymentsContext extends PaymentsNeeds {
  readonly reactions: readonly Reaction[]
  /** What never changes of a business; from memory after the first time, so that no transaction waits for it. */
  readonly profileOf: (businessId: string) => Promise<Profile>
}

export interface Profile {
  readonly timeZone: TimeZone
  readonly environment: Environment
}

/** Businesses whose profile is kept; beyond it all are forgotten and read again. */
const MOST_PROFILES = 20_000

export function createContext(needs: PaymentsNeeds, reactions: readonly Reaction[]): PaymentsContext {
  const profiles = new Map<string, Promise<Profile>>()
  const profileOf = (businessId: string): Promise<Profile> => {
    const known = profiles.get(businessId)
    if (known !== undefined) return known
    if (profiles.size >= MOST_PROFILES) profiles.clear()
    const profile = needs.businesses.profile(businessId)
    profiles.set(businessId, profile)
    profile.catch(() => profiles.delete(businessId))
    return profile
  }
  return { ...needs, reactions, profileOf }
}

export async function acquirerOf(ctx: PaymentsContext, businessId: string): Promise<Acquirer> {
  const { environment } = await ctx.profileOf(businessId)
  return ctx.acquirers.forBusiness({ businessId, environment })
}

/**
 * What a transaction that never reaches an acquirer shows of it: nothing where none is configured, so that a live
 * environment's plans live on without one.
 */
export async function acquirerShown(
  ctx: PaymentsContext,
  businessId: string,
): Promise<Pick<Acquirer, 'name' | 'merchantId'>> {
  try {
    return await acquirerOf(ctx, businessId)
  } catch (error) {
    if (error instanceof RequestError && error.reason === 'acquirer_not_configured') {
      return { name: '', merchantId: '' }
    }
    throw error
  }
}
