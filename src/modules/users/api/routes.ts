import Type from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { UsersContext } from '../context.ts'
import { invitationsOfPage, invite, revokeInvitation } from '../invitations/invitations.ts'
import {
  changeRoles,
  endMemberSessions,
  memberSessions,
  membersOfPage,
  removeMember,
} from '../members/members.ts'
import {
  renderEnded,
  renderInvitationsPage,
  renderInvited,
  renderMemberData,
  renderMembersPage,
  renderSessions,
} from './render.ts'
import {
  EndedData,
  InvitationBody,
  InvitationData,
  InvitationsData,
  InvitationsQuery,
  MemberBody,
  MemberData,
  MembersData,
  MembersQuery,
  SessionsData,
} from './schemas.ts'

const BASE = '/svc/account/api/v1/openapi'
const MEMBERS = `${BASE}/members`
const INVITATIONS = `${BASE}/invitations`
const TAG = 'Account'

export function userRoutes(ctx: UsersContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: MEMBERS,
      scope: 'users:read',
      summary: 'List the members of the business',
      tag: TAG,
      query: MembersQuery,
      data: MembersData,
      handle: async ({ caller, query }) => {
        const request = readPage('members', query)
        return renderMembersPage(request, await membersOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${MEMBERS}/:id`,
      scope: 'users:write',
      summary: 'Change the roles of a member',
      description: 'A role that is not sent stays as it is. Null takes the environment away.',
      tag: TAG,
      params: IdParams,
      body: MemberBody,
      example: { member: { test_role: 'developer', live_role: 'read_only' } },
      data: MemberData,
      handle: ({ caller, params, body }) => changeRoles(ctx, caller, params.id, body.member),
      render: renderMemberData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${MEMBERS}/:id`,
      scope: 'users:write',
      summary: 'Remove a member',
      tag: TAG,
      params: IdParams,
      data: Type.Object({}),
      handle: ({ caller, params }) => removeMember(ctx, caller, params.id),
      render: () => ({}),
    }),
    defineRoute({
      method: 'GET',
      path: `${MEMBERS}/:id/sessions`,
      scope: 'users:read',
      summary: 'List the sessions of a member',
      tag: TAG,
      params: IdParams,
      data: SessionsData,
      handle: ({ caller, params }) => memberSessions(ctx, caller, params.id),
      render: renderSessions,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${MEMBERS}/:id/sessions`,
      scope: 'users:write',
      summary: 'End all sessions of a member',
      tag: TAG,
      params: IdParams,
      data: EndedData,
      handle: ({ caller, params }) => endMemberSessions(ctx, caller, params.id),
      render: renderEnded,
    }),
    defineRoute({
      method: 'GET',
      path: INVITATIONS,
      scope: 'users:read',
      summary: 'List invitations',
      tag: TAG,
      query: InvitationsQuery,
      data: InvitationsData,
      handle: async ({ caller, query }) => {
        const request = readPage('invitations', query)
        return renderInvitationsPage(request, await invitationsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'POST',
      path: INVITATIONS,
      scope: 'users:write',
      takesIdempotencyKey: false,
      summary: 'Invite somebody',
      tag: TAG,
      body: InvitationBody,
      example: { invitation: { email: 'jo@example.com', test_role: 'developer', live_role: null } },
      data: InvitationData,
      handle: ({ caller, body }) => invite(ctx, caller, body.invitation),
      render: renderInvited,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${INVITATIONS}/:id`,
      scope: 'users:write',
      summary: 'Revoke an invitation',
      tag: TAG,
      params: IdParams,
      data: Type.Object({}),
      handle: ({ caller, params }) => revokeInvitation(ctx, caller, params.id),
      render: () => ({}),
    }),
  ]
}
