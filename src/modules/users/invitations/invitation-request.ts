import type { Static } from 'typebox'
import { strictObject, Text } from '#platform/http/validation/schemas'
import { MAX_EMAIL_LENGTH } from '../accounts/create-user.ts'
import { roleMembers } from '../model/roles-request.ts'

export const NewInvitationSchema = strictObject({ email: Text({ max: MAX_EMAIL_LENGTH }), ...roleMembers })
export type InvitationRequest = Static<typeof NewInvitationSchema>
