import { rewrapSecret } from '#platform/idempotency/secret-holder'
import { defineModule } from '#platform/module'
import { renderAuthorizationData, renderCardData } from './api/render.ts'
import { cardRoutes } from './api/routes.ts'
import { verifyCards } from './audit/verify.ts'
import { rewrapCardNumbers } from './cards/rewrap.ts'
import { HOOK_SECRET } from './hooks/decision-hook.ts'
import type { CardsContext } from './context.ts'
import { decisionsOf } from './decisions/authorize-batch.ts'
import type { CardsDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { cardJobs } from './jobs.ts'
import { CARDS_PERSONAL_DATA } from './storage/personal-data.ts'
import { searchCards } from './storage/search.repository.ts'

export { CARD_EVENTS } from './api/events.ts'

export const cardsModule = defineModule({
  name: 'cards',
  errors: errors.catalogue,
  verify: verifyCards,
  rewraps: [rewrapCardNumbers, rewrapSecret(HOOK_SECRET)],
  personalData: CARDS_PERSONAL_DATA,
  connect: (deps: CardsDependencies) => {
    const ctx = contextOf(deps)
    return {
      routes: cardRoutes(ctx),
      jobs: cardJobs(ctx),
      search: { scope: 'cards:read', search: searchCards },
    }
  },
})

export function contextOf(deps: CardsDependencies) {
  const ctx: CardsContext = {
    ...deps,
    present: { card: renderCardData, authorization: renderAuthorizationData },
  }
  return { ...ctx, decisions: decisionsOf(ctx) }
}
