import type { Static } from 'typebox'
import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { PublicJwk } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { Egress } from '#platform/security/egress'
import { EventLog } from '#platform/events/events'
import { cleanUp } from '#platform/testing/clean-up'
import { patientEgress } from '#platform/testing/patient-egress'
import { freezeClock } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventsOf as storedEvents } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import type { Breach } from '#platform/verify'
import {
  renderAuthorizationData,
  renderAuthorizationsPage,
  renderCardsPage,
  renderLimitHistoryPage,
  renderCardData,
  renderHookData,
  renderLinkedCard,
  renderOperated,
} from '../api/render.ts'
import type { AuthorizationSchema, CardSchema } from '../api/schemas.ts'
import { captureAuthorization, refundAuthorization, reverseAuthorization } from '../authorizations/operate.ts'
import { changeStatus } from '../cards/change-status.ts'
import { editCard } from '../cards/edit-card.ts'
import { linkCard } from '../cards/link-card.ts'
import { authorizationsOfPage, cardById, cardsOfPage, limitChangesOfPage } from '../cards/read-cards.ts'
import type { DecidingContext } from '../context.ts'
import { authorize } from '../decisions/authorize.ts'
import { getHook, putHook, removeHook } from '../hooks/decision-hook.ts'
import { cardJobs } from '../jobs.ts'
import { addLimit, editLimits } from '../limits/edit-limits.ts'
import { contextOf } from '../module.ts'
import type { PageRequest } from '#platform/http/validation/list'
import { rendered } from '#platform/testing/requests'
import type { FundingPort } from '../model/funding-port.ts'
import { issueCard } from '../cards/issue-card.ts'
import type { IssueRequest } from '../model/requests.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { verifyCards } from '../audit/verify.ts'

export type CardResponse = Static<typeof CardSchema>
export type AuthorizationResponse = Static<typeof AuthorizationSchema>

export function cardsOf(deps: CardsDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: DecidingContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    jobs: cardJobs(ctx),
    issue: rendered(bind(issueCard), renderCardData),
    link: rendered(bind(linkCard), renderLinkedCard),
    byId: rendered(bind(cardById), renderCardData),
    edit: rendered(bind(editCard), renderCardData),
    changeStatus: rendered(bind(changeStatus), renderCardData),
    addLimit: rendered(bind(addLimit), renderCardData),
    editLimits: rendered(bind(editLimits), () => ({})),
    authorize: rendered(bind(authorize), renderAuthorizationData),
    capture: rendered(bind(captureAuthorization), renderOperated),
    refund: rendered(bind(refundAuthorization), renderOperated),
    reverse: rendered(bind(reverseAuthorization), renderOperated),
    putHook: rendered(bind(putHook), renderHookData),
    getHook: rendered(bind(getHook), renderHookData),
    removeHook: rendered(bind(removeHook), renderHookData),
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderCardsPage(request, await cardsOfPage(ctx, caller, filter, request)),
    authorizations: async (caller: Caller, id: string, request: PageRequest) =>
      renderAuthorizationsPage(request, await authorizationsOfPage(ctx, caller, id, request)),
    limitHistory: async (caller: Caller, id: string, limitId: string | undefined, request: PageRequest) =>
      renderLimitHistoryPage(request, await limitChangesOfPage(ctx, caller, id, limitId, request)),
  }
}

export async function createFixture(options: { funding?: FundingPort } = {}) {
  const database = await createTestDatabase()
  const { keyring, rotateKeys } = createTestKeyring()
  const egress = new Egress({ allowPrivate: true })
  cleanUp(() => egress.close())
  const encryptionKeys = new Map<string, PublicJwk>()
  const deps = {
    db: database.db,
    events: new EventLog(),
    businesses: {
      profile: async (businessId) => ({
        businessId,
        code: 'mch_test',
        name: 'Harbour Tea',
        environment: 'test',
        timeZone: 'Asia/Hong_Kong',
        currency: 'HKD',
        number: 1,
      }),
      encryptionKey: async ({ appId }) => encryptionKeys.get(appId) ?? null,
    },
    keyring,
    egress: patientEgress(egress),
    ...(options.funding && { funding: options.funding }),
  } satisfies CardsDependencies
  const cards = cardsOf(deps)

  async function issue(caller: Caller, request: Partial<IssueRequest> = {}): Promise<CardResponse> {
    const { card } = await cards.issue(caller, {
      reference_id: newId('ref'),
      type: 'virtual',
      mode: 'B2C',
      settlement_currency: 'HKD',
      ...request,
    })
    return card
  }

  async function issueActive(caller: Caller, request: Partial<IssueRequest> = {}): Promise<CardResponse> {
    const card = await issue(caller, request)
    await cards.link(caller, { card_reference_id: card.reference_id, p_user_id: 'user-1' })
    return card
  }

  async function authorizeAmount(
    caller: Caller,
    cardId: string,
    amount: string,
    more: { reference_id?: string; currency?: string; mcc?: string; country?: string } = {},
  ): Promise<AuthorizationResponse> {
    const { authorization } = await cards.authorize(caller, cardId, {
      amount,
      currency: more.currency ?? 'HKD',
      merchant: { name: 'Tea house', mcc: more.mcc ?? '5812', country: more.country ?? 'HK' },
      reference_id: more.reference_id ?? newId('ref'),
    })
    return authorization
  }

  async function authorizationIn(
    response: Promise<{ authorization: AuthorizationResponse }>,
  ): Promise<AuthorizationResponse> {
    return (await response).authorization
  }

  async function cardOf(caller: Caller, id: string): Promise<CardResponse> {
    return (await cards.byId(caller, id)).card
  }

  async function used(caller: Caller, id: string): Promise<Record<string, string>> {
    const card = await cardOf(caller, id)
    return Object.fromEntries(card.limits.map((limit) => [limit.period, limit.used_amount]))
  }

  async function runJob(caller: Caller, name: string, until: Instant): Promise<number> {
    const job = cards.jobs.find((candidate) => candidate.name === name)
    if (job === undefined) throw new Error(`unknown job ${name}`)
    let done = 0
    for (;;) {
      const batch = await job.run({ businessId: caller.businessId, until, timeOf: (dueAt) => dueAt })
      if (batch === 0) return done
      done += batch
    }
  }

  async function eventsOf(
    caller: Caller,
    objectId: string,
  ): Promise<{ type: string; data: Record<string, unknown>; sequence: number }[]> {
    const rows = await storedEvents(database.db, caller.businessId, objectId)
    return rows.map(({ type, sequence, data }) => ({
      type,
      sequence,
      data: JSON.parse(data) as Record<string, unknown>,
    }))
  }

  async function breaches(caller: Caller): Promise<Breach[]> {
    return Array.fromAsync(verifyCards(database.db)(caller.businessId))
  }

  return {
    ...database,
    deps,
    cards,
    encryptionKeys,
    rotateKeys,
    newBusiness: async () => (await createTestBusiness(database)).caller,
    freezeClock: (caller: Caller, at: Instant | string) => freezeClock(database.db, caller.businessId, at),
    issue,
    issueActive,
    authorize: authorizeAmount,
    authorizationIn,
    cardOf,
    used,
    runJob,
    eventsOf,
    breaches,
  }
}
