import Type from 'typebox'
import { filteredListQuery, PageSchema } from '#platform/http/validation/list'
import { Nullable, OneOf, Resource, strictObject, TimestampOut } from '#platform/http/validation/schemas'
import { NewInvitationSchema } from '../invitations/invitation-request.ts'
import { ROLES } from '../model/roles.ts'
import { RolesSchema } from '../model/roles-request.ts'
import { INVITATION_FIELDS } from '../storage/invitation.repository.ts'
import { MEMBER_FIELDS } from '../storage/membership.repository.ts'

const RoleOut = () => Nullable(OneOf(ROLES))

export const MembersQuery = filteredListQuery(MEMBER_FIELDS)
export const InvitationsQuery = filteredListQuery(INVITATION_FIELDS)

export const MemberBody = strictObject({ member: RolesSchema })
export const InvitationBody = strictObject({ invitation: NewInvitationSchema })

export const MemberSchema = Resource('Member', {
  id: Type.String({ description: 'The id of the user.' }),
  name: Type.String(),
  email: Type.String(),
  test_role: RoleOut(),
  live_role: RoleOut(),
  two_factor_enabled: Type.Boolean(),
  disabled_at: Nullable(
    TimestampOut({ description: 'Set by the operator. A disabled user cannot sign in.' }),
  ),
  created_at: TimestampOut({ description: 'When the user became a member.' }),
})

export const InvitationSchema = Resource('Invitation', {
  id: Type.String(),
  email: Type.String(),
  test_role: RoleOut(),
  live_role: RoleOut(),
  mailed: Type.Boolean({ description: 'Whether the link was sent to the address.' }),
  invited_by: Type.String({ description: 'The id of the user or of the API key.' }),
  created_at: TimestampOut(),
  expires_at: TimestampOut(),
  accepted_at: Nullable(TimestampOut()),
})

const SessionSchema = Resource('Session', {
  id: Type.String(),
  ip_address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  created_at: TimestampOut(),
  last_used_at: TimestampOut({ description: 'To the day.' }),
  expires_at: TimestampOut(),
})

export const MemberData = Type.Object({ member: MemberSchema })
export const MembersData = Type.Object({ members: Type.Array(MemberSchema), page: PageSchema })
export const InvitationData = Type.Object({
  invitation: InvitationSchema,
  link: Nullable(
    Type.String({ description: 'For the person invited, where it could not be mailed. Shown once.' }),
  ),
})
export const InvitationsData = Type.Object({ invitations: Type.Array(InvitationSchema), page: PageSchema })
export const SessionsData = Type.Object({ sessions: Type.Array(SessionSchema) })
export const EndedData = Type.Object({
  ended: Type.Integer({ description: 'How many sessions have ended.' }),
})
