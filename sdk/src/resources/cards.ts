import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const CARDS = '/svc/ts/api/v1/openapi/cards'
const CARD = `${CARDS}/{id}` as const
const AUTHORIZATIONS = `${CARD}/authorizations` as const
const AUTHORIZATION = `${CARDS}/authorizations/{uuid}` as const
const HOOK = `${CARDS}/decision_hook` as const

export function cardsOf(client: Client) {
  return {
    create: (card: Body<'post', typeof CARDS>['card'], options?: RequestOptions) =>
      pick(client.send('post', CARDS, { body: { card } }, options), 'card'),
    list: (query?: Query<'get', typeof CARDS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', CARDS, { query: page }, options),
        ({ cards }) => cards,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', CARD, { path: { id } }, options), 'card'),
    update: (id: string, card: Body<'put', typeof CARD>['card'], options?: RequestOptions) =>
      pick(client.send('put', CARD, { path: { id }, body: { card } }, options), 'card'),
    /** Gives a card to a user. Returns the card with its number, encrypted where an encryption key is registered. */
    link: (body: Body<'post', `${typeof CARDS}/link`>, options?: RequestOptions) =>
      client.send('post', `${CARDS}/link`, { body }, options),
    setStatus: (id: string, body: Body<'post', `${typeof CARD}/status`>, options?: RequestOptions) =>
      pick(client.send('post', `${CARD}/status`, { path: { id }, body }, options), 'card'),
    addLimit: (id: string, limit: Body<'post', `${typeof CARD}/limits`>['limit'], options?: RequestOptions) =>
      pick(client.send('post', `${CARD}/limits`, { path: { id }, body: { limit } }, options), 'card'),
    updateLimits: async (
      id: string,
      body: Body<'put', `${typeof CARD}/limits`>,
      options?: RequestOptions,
    ): Promise<void> => {
      await client.send('put', `${CARD}/limits`, { path: { id }, body }, options)
    },
    listLimitHistory: (
      id: string,
      query?: Query<'get', `${typeof CARD}/limit/history`>,
      options?: RequestOptions,
    ) =>
      listOf(
        query,
        (page) => client.send('get', `${CARD}/limit/history`, { path: { id }, query: page }, options),
        (data) => data.limit_history,
      ),
  }
}

/** Purchases with issued cards. */
export function cardAuthorizationsOf(client: Client) {
  return {
    create: (
      cardId: string,
      authorization: Body<'post', typeof AUTHORIZATIONS>['authorization'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send('post', AUTHORIZATIONS, { path: { id: cardId }, body: { authorization } }, options),
        'authorization',
      ),
    list: (cardId: string, query?: Query<'get', typeof AUTHORIZATIONS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', AUTHORIZATIONS, { path: { id: cardId }, query: page }, options),
        ({ authorizations }) => authorizations,
      ),
    capture: (
      uuid: string,
      body?: Body<'post', `${typeof AUTHORIZATION}/capture`>,
      options?: RequestOptions,
    ) =>
      pick(
        client.send('post', `${AUTHORIZATION}/capture`, { path: { uuid }, body }, options),
        'authorization',
      ),
    refund: (uuid: string, body?: Body<'post', `${typeof AUTHORIZATION}/refund`>, options?: RequestOptions) =>
      pick(
        client.send('post', `${AUTHORIZATION}/refund`, { path: { uuid }, body }, options),
        'authorization',
      ),
    reverse: (
      uuid: string,
      body?: Body<'post', `${typeof AUTHORIZATION}/reverse`>,
      options?: RequestOptions,
    ) =>
      pick(
        client.send('post', `${AUTHORIZATION}/reverse`, { path: { uuid }, body }, options),
        'authorization',
      ),
  }
}

/** The address that approves or declines purchases. */
export function decisionHookOf(client: Client) {
  return {
    get: (options?: RequestOptions) => pick(client.send('get', HOOK, {}, options), 'decision_hook'),
    set: (hook: Body<'put', typeof HOOK>['decision_hook'], options?: RequestOptions) =>
      pick(client.send('put', HOOK, { body: { decision_hook: hook } }, options), 'decision_hook'),
    delete: (options?: RequestOptions) => pick(client.send('delete', HOOK, {}, options), 'decision_hook'),
  }
}
