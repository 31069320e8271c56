import Type from 'typebox'
import { filteredListQuery, listQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { IdParams, Text } from '#platform/http/validation/schemas'
import { authorizationRoutes } from './authorization.routes.ts'
import { changeStatus } from '../cards/change-status.ts'
import { editCard } from '../cards/edit-card.ts'
import { issueCard } from '../cards/issue-card.ts'
import { linkCard } from '../cards/link-card.ts'
import { cardById, cardsOfPage, limitChangesOfPage } from '../cards/read-cards.ts'
import type { DecidingContext } from '../context.ts'
import { addLimit, editLimits } from '../limits/edit-limits.ts'
import { CARD_FIELDS } from '../storage/card.repository.ts'
import { renderCardData, renderCardsPage, renderLimitHistoryPage, renderLinkedCard } from './render.ts'
import { LinkBody, StatusBody } from '../model/requests.ts'
import {
  AddLimitBody,
  CardData,
  CardSchema,
  EditBody,
  EditLimitsBody,
  IssueBody,
  LimitChangeSchema,
  LinkedCardSchema,
} from './schemas.ts'

const BASE = '/svc/ts/api/v1/openapi/cards'
const TAG = 'Cards'

const CARD_EXISTS: Failure = {
  name: 'CardExists',
  data: Type.Object({ card: Type.Optional(Type.Pick(CardSchema, ['id', 'reference_id'])) }),
}

export function cardRoutes(ctx: DecidingContext): Route[] {
  return [...issuingRoutes(ctx), ...changeRoutes(ctx), ...limitRoutes(ctx), ...authorizationRoutes(ctx)]
}

function issuingRoutes(ctx: DecidingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'cards:write',
      summary: "Issue a card into the business's pool",
      description:
        'The card is `Inactive` until it is linked. It has only the limits that the request names. If another card has the `reference_id`, the response is 409 with that card.',
      tag: TAG,
      body: IssueBody,
      example: {
        card: {
          reference_id: 'card-1001',
          type: 'virtual',
          title: 'Travel',
          settlement_currency: 'HKD',
          mode: 'B2C',
          limits: [{ period: 'Daily', limit_amount: '5000.00' }],
          spending_controls: { allowed_countries: ['HK', 'JP'] },
        },
      },
      data: CardData,
      failures: { 409: CARD_EXISTS },
      handle: ({ caller, body }) => issueCard(ctx, caller, body.card),
      render: renderCardData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/link`,
      scope: 'cards:write',
      summary: 'Link a card',
      description:
        'Links a card of the pool to a user. If the app registered an encryption key, `pan` is a JWE of the full number.',
      tag: TAG,
      body: LinkBody,
      example: { card_reference_id: 'card-1001', p_user_id: 'u-1001' },
      data: LinkedCardSchema,
      handle: ({ caller, body }) => linkCard(ctx, caller, body),
      render: renderLinkedCard,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'cards:read',
      summary: 'List cards',
      tag: TAG,
      query: filteredListQuery(CARD_FIELDS),
      data: Type.Object({ cards: Type.Array(CardSchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const request = readPage('cards', query)
        return renderCardsPage(request, await cardsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'cards:read',
      summary: 'Get a card',
      tag: TAG,
      params: IdParams,
      data: CardData,
      handle: ({ caller, params }) => cardById(ctx, caller, params.id),
      render: renderCardData,
    }),
  ]
}

function changeRoutes(ctx: DecidingContext): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id`,
      scope: 'cards:write',
      summary: 'Edit a card',
      description: 'A new time zone moves the limit windows, and their used amounts are computed again.',
      tag: TAG,
      params: IdParams,
      body: EditBody,
      example: { card: { title: 'Travel 2031', time_zone: 'Asia/Tokyo' } },
      data: CardData,
      handle: ({ caller, params, body }) => editCard(ctx, caller, params.id, body.card),
      render: renderCardData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/status`,
      scope: 'cards:write',
      summary: "Change a card's status",
      description:
        '`Active`, `Locked` and `Suspended` can change to one another, and every status to `Terminated`, which is final.',
      tag: TAG,
      params: IdParams,
      body: StatusBody,
      example: { status: 'Locked', remark: 'Lost on the way' },
      data: CardData,
      handle: ({ caller, params, body }) => changeStatus(ctx, caller, params.id, body),
      render: renderCardData,
    }),
  ]
}

function limitRoutes(ctx: DecidingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/limits`,
      scope: 'cards:write',
      summary: 'Add a limit to a card',
      tag: TAG,
      params: IdParams,
      body: AddLimitBody,
      example: { limit: { period: 'Monthly', limit_amount: '20000.00' } },
      data: CardData,
      handle: ({ caller, params, body }) => addLimit(ctx, caller, params.id, body.limit),
      render: renderCardData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id/limits`,
      scope: 'cards:write',
      summary: "Edit a card's limits",
      description: 'All limits are edited, or none. Each edited limit writes one history entry.',
      tag: TAG,
      params: IdParams,
      body: EditLimitsBody,
      example: {
        limits: [{ id: 'lim_01m82g28fyf0nvy1g0k3jq9x6r', period: 'Daily', limit_amount: '8000.00' }],
        remark: 'Holidays',
      },
      data: Type.Object({}),
      handle: ({ caller, params, body }) =>
        editLimits(ctx, caller, params.id, body.limits, body.remark ?? ''),
      render: () => ({}),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id/limit/history`,
      scope: 'cards:read',
      summary: 'Get card limit histories',
      description: 'Takes the id of a card or of a limit.',
      tag: TAG,
      params: IdParams,
      query: listQuery({ limit_id: Type.Optional(Text({ max: 255 })) }),
      data: Type.Object({ limit_history: Type.Array(LimitChangeSchema), page: PageSchema }),
      handle: async ({ caller, params, query }) => {
        const request = readPage('card_limit_history', query)
        const changes = await limitChangesOfPage(ctx, caller, params.id, query.limit_id, request)
        return renderLimitHistoryPage(request, changes)
      },
    }),
  ]
}
