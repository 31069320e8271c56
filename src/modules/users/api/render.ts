import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { renderSession } from '../console/render.ts'
import type { Invited } from '../invitations/invitations.ts'
import type { Invitation } from '../storage/invitation.repository.ts'
import type { Member } from '../storage/membership.repository.ts'
import type { StoredSession } from '../storage/session.repository.ts'
import type {
  EndedData,
  InvitationData,
  InvitationSchema,
  InvitationsData,
  MemberData,
  MemberSchema,
  MembersData,
  SessionsData,
} from './schemas.ts'

export function renderMembersPage(
  request: PageRequest,
  found: readonly Member[],
): Static<typeof MembersData> {
  const keyOf = ({ createdAt, userId }: Member) => ({ at: createdAt, id: userId })
  const { rows, page } = renderPage(request, found, keyOf, renderMember)
  return { members: rows, page }
}

export function renderMemberData(member: Member): Static<typeof MemberData> {
  return { member: renderMember(member) }
}

export function renderSessions(sessions: readonly StoredSession[]): Static<typeof SessionsData> {
  return { sessions: sessions.map((session) => renderSession(session)) }
}

export function renderEnded(ended: number): Static<typeof EndedData> {
  return { ended }
}

export function renderInvitationsPage(
  request: PageRequest,
  found: readonly Invitation[],
): Static<typeof InvitationsData> {
  const { rows, page } = renderPage(request, found, byCreation, renderInvitation)
  return { invitations: rows, page }
}

export function renderInvited({ invitation, link }: Invited): Static<typeof InvitationData> {
  return { invitation: renderInvitation(invitation), link }
}

function renderMember(member: Member): Static<typeof MemberSchema> {
  return {
    id: member.userId,
    name: member.name,
    email: member.email,
    test_role: member.testRole,
    live_role: member.liveRole,
    two_factor_enabled: member.twoFactorEnabled,
    disabled_at: rfc3339OrNull(member.disabledAt),
    created_at: toRfc3339(member.createdAt),
  }
}

function renderInvitation(invitation: Invitation): Static<typeof InvitationSchema> {
  return {
    id: invitation.id,
    email: invitation.email,
    test_role: invitation.testRole,
    live_role: invitation.liveRole,
    mailed: invitation.mailed,
    invited_by: invitation.invitedBy,
    created_at: toRfc3339(invitation.createdAt),
    expires_at: toRfc3339(invitation.expiresAt),
    accepted_at: rfc3339OrNull(invitation.acceptedAt),
  }
}
