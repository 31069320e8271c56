import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { PublicJwk } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { Egress } from '#platform/security/egress'
import { EventLog } from '#platform/events/events'
import { cleanUp } from '#platform/testing/clean-up'
import { freezeClock } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventsOf as storedEvents } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import type { Breach } from '#platform/verify'
import { Cards } from '../cards.ts'
import type { FundingPort } from '../funding/funding-port.ts'
import type { IssueRequest } from '../cards/issue-card.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { verifyCards } from '../audit/verify.ts'

export interface CardResponse {
  id: string
  status: string
  physical_status: string
  reference_id: string
  expiration_date: string
  last_4_digits: string
  first_6_digits: string
  limits: { id: string; period: string; limit_amount: string; used_amount: string; status: string }[]
}
export interface AuthorizationResponse {
  uuid: string
  state: string
  approved: boolean
  decline_reason?: string
  amount: string
  held_amount: string
  captured_amount: string
  refunded_amount: string
  reference_id: string
  p_created_at: string
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
    egress,
    ...(options.funding && { funding: options.funding }),
  } satisfies CardsDependencies
  const cards = new Cards(deps)

  async function issue(caller: Caller, request: Partial<IssueRequest> = {}): Promise<CardResponse> {
    const { card } = (await cards.issue(caller, {
      reference_id: newId('ref'),
      type: 'virtual',
      mode: 'B2C',
      settlement_currency: 'HKD',
      ...request,
    })) as { card: CardResponse }
    return card
  }

  async function issueActive(caller: Caller, request: Partial<IssueRequest> = {}): Promise<CardResponse> {
    const card = await issue(caller, request)
    await cards.link(caller, { card_reference_id: card.reference_id, p_user_id: 'user-1' })
    return card
  }

  async function authorize(
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
    return authorization as AuthorizationResponse
  }

  async function authorizationIn(response: Promise<object>): Promise<AuthorizationResponse> {
    return ((await response) as { authorization: AuthorizationResponse }).authorization
  }

  async function cardOf(caller: Caller, id: string): Promise<CardResponse> {
    return ((await cards.byId(caller, id)) as { card: CardResponse }).card
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
    authorize,
    authorizationIn,
    cardOf,
    used,
    runJob,
    eventsOf,
    breaches,
  }
}
