import { del, get, list, post, postBody, put, putBody, withoutData } from '../methods.ts'

const CARDS = '/svc/ts/api/v1/openapi/cards'
const CARD = `${CARDS}/{id}` as const
const AUTHORIZATIONS = `${CARD}/authorizations` as const
const AUTHORIZATION = `${CARDS}/authorizations/{uuid}` as const
const HOOK = `${CARDS}/decision_hook` as const

export const cards = {
  create: post(CARDS, (card) => ({ body: { card } }), 'card'),
  list: list(CARDS, (query?) => ({ query }), 'cards'),
  get: get(CARD, (id) => ({ path: { id } }), 'card'),
  update: put(CARD, (id, card) => ({ path: { id }, body: { card } }), 'card'),
  /** Gives a card to a user. Returns the card with its number, encrypted where an encryption key is registered. */
  link: postBody(`${CARDS}/link`, (body) => ({ body })),
  setStatus: postBody(`${CARD}/status`, (id, body) => ({ path: { id }, body }), 'card'),
  addLimit: post(`${CARD}/limits`, (id, limit) => ({ path: { id }, body: { limit } }), 'card'),
  updateLimits: withoutData(putBody(`${CARD}/limits`, (id, body) => ({ path: { id }, body }))),
  listLimitHistory: list(`${CARD}/limit/history`, (id, query?) => ({ path: { id }, query }), 'limit_history'),
}

/** Purchases with issued cards. */
export const cardAuthorizations = {
  create: post(
    AUTHORIZATIONS,
    (cardId, authorization) => ({ path: { id: cardId }, body: { authorization } }),
    'authorization',
  ),
  list: list(AUTHORIZATIONS, (cardId, query?) => ({ path: { id: cardId }, query }), 'authorizations'),
  capture: postBody(`${AUTHORIZATION}/capture`, (uuid, body?) => ({ path: { uuid }, body }), 'authorization'),
  refund: postBody(`${AUTHORIZATION}/refund`, (uuid, body?) => ({ path: { uuid }, body }), 'authorization'),
  reverse: postBody(`${AUTHORIZATION}/reverse`, (uuid, body?) => ({ path: { uuid }, body }), 'authorization'),
}

/** The address that approves or declines purchases. */
export const decisionHook = {
  get: get(HOOK, () => ({}), 'decision_hook'),
  set: put(HOOK, (hook) => ({ body: { decision_hook: hook } }), 'decision_hook'),
  delete: del(HOOK, () => ({}), 'decision_hook'),
}
