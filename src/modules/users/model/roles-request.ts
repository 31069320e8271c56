import Type, { type Static } from 'typebox'
import { Nullable, OneOf, strictObject } from '#platform/http/validation/schemas'
import { ROLES } from './roles.ts'

const Role = Type.Optional(Nullable(OneOf(ROLES)))

export const roleMembers = { test_role: Role, live_role: Role }

export const RolesSchema = strictObject(roleMembers)
export type RolesRequest = Static<typeof RolesSchema>
