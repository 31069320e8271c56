import { del, get, list, post, put, withoutData } from '../methods.ts'

const MEMBERS = '/svc/account/api/v1/openapi/members'
const MEMBER = `${MEMBERS}/{id}` as const
const SESSIONS = `${MEMBER}/sessions` as const
const INVITATIONS = '/svc/account/api/v1/openapi/invitations'
const INVITATION = `${INVITATIONS}/{id}` as const

/** The people who work for the business. */
export const members = {
  list: list(MEMBERS, (query?) => ({ query }), 'members'),
  /** Changes the given roles. Null removes the access to the environment. */
  update: put(MEMBER, (id, member) => ({ path: { id }, body: { member } }), 'member'),
  remove: withoutData(del(MEMBER, (id) => ({ path: { id } }))),
  listSessions: get(SESSIONS, (id) => ({ path: { id } }), 'sessions'),
  /** Ends all sessions of the member. Returns `{ended}`, their number. */
  endSessions: del(SESSIONS, (id) => ({ path: { id } })),
}

/** Invitations to become a member. */
export const invitations = {
  list: list(INVITATIONS, (query?) => ({ query }), 'invitations'),
  /** Returns `{invitation, link}`. The link is null where it was mailed. */
  create: post(INVITATIONS, (invitation) => ({ body: { invitation }, keyless: true })),
  revoke: withoutData(del(INVITATION, (id) => ({ path: { id } }))),
}
