import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const MEMBERS = '/svc/account/api/v1/openapi/members'
const MEMBER = `${MEMBERS}/{id}` as const
const SESSIONS = `${MEMBER}/sessions` as const
const INVITATIONS = '/svc/account/api/v1/openapi/invitations'
const INVITATION = `${INVITATIONS}/{id}` as const

/** The people who work for the business. */
export function membersOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof MEMBERS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', MEMBERS, { query: page }, options),
        ({ members }) => members,
      ),
    /** Changes the given roles. Null removes the access to the environment. */
    update: (id: string, member: Body<'put', typeof MEMBER>['member'], options?: RequestOptions) =>
      pick(client.send('put', MEMBER, { path: { id }, body: { member } }, options), 'member'),
    remove: async (id: string, options?: RequestOptions): Promise<void> => {
      await client.send('delete', MEMBER, { path: { id } }, options)
    },
    listSessions: (id: string, options?: RequestOptions) =>
      pick(client.send('get', SESSIONS, { path: { id } }, options), 'sessions'),
    /** Ends all sessions of the member. Returns `{ended}`, their number. */
    endSessions: (id: string, options?: RequestOptions) =>
      client.send('delete', SESSIONS, { path: { id } }, options),
  }
}

/** Invitations to become a member. */
export function invitationsOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof INVITATIONS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', INVITATIONS, { query: page }, options),
        ({ invitations }) => invitations,
      ),
    /** Returns `{invitation, link}`. The link is null where it was mailed. */
    create: (invitation: Body<'post', typeof INVITATIONS>['invitation'], options?: RequestOptions) =>
      client.send('post', INVITATIONS, { body: { invitation }, keyless: true }, options),
    revoke: async (id: string, options?: RequestOptions): Promise<void> => {
      await client.send('delete', INVITATION, { path: { id } }, options)
    },
  }
}
