import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'

const RULES: Rules = {
  business_with_members_has_an_owner: (businessId) => sql`
    select b.code as object, 'has ' || count(*) || ' members, and none of them is an owner' as detail
      from businesses b join memberships m on m.business_code = b.code
     where b.business_id = ${businessId} and b.environment = 'live'
     group by b.code
    having not bool_or(coalesce(m.test_role, '') = 'owner' or coalesce(m.live_role, '') = 'owner')`,
  disabled_user_has_no_session: (businessId) => sql`
    select s.id as object, 'is a session of the disabled user ' || u.id as detail
      from businesses b
      join memberships m on m.business_code = b.code
      join users u on u.id = m.user_id and u.disabled_at is not null
      join user_sessions s on s.user_id = u.id
     where b.business_id = ${businessId} and b.environment = 'live'`,
  disabled_user_has_no_trusted_device: (businessId) => sql`
    select d.id as object, 'is a trusted device of the disabled user ' || u.id as detail
      from businesses b
      join memberships m on m.business_code = b.code
      join users u on u.id = m.user_id and u.disabled_at is not null
      join user_trusted_devices d on d.user_id = u.id
     where b.business_id = ${businessId} and b.environment = 'live'`,
  accepted_invitation_names_its_user: (businessId) => sql`
    select i.id as object, 'was accepted by ' || i.user_id || ', who has another e-mail address' as detail
      from businesses b
      join invitations i on i.business_code = b.code and i.accepted_at is not null
      join users u on u.id = i.user_id
     where b.business_id = ${businessId} and b.environment = 'live' and u.email <> i.email`,
}

export function verifyUsers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
