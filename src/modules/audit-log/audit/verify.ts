import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'

export const RULES: Rules = {
  audit_chain_is_unbroken: (businessId) => sql`
    select id as object, 'entry ' || sequence || ' has another content or another place than when it was recorded' as detail
      from (select id, sequence, hash, created_at, document, erased_by,
                   lag(hash, 1, '') over (order by sequence) as previous
              from audit_entries where business_id = ${businessId}) e
     where (erased_by is null
            and hash <> encode(sha256(convert_to(previous || E'\\n' || sequence || E'\\n' || document::text, 'UTF8')), 'hex'))
        or created_at <> (document ->> 'created_at')::timestamptz`,
  audit_erasures_are_in_the_chain: (businessId) => sql`
    select e.id as object, 'entry ' || e.sequence || ' is not what entry ' || e.erased_by || ' says was left of it' as detail
      from audit_entries e
      left join audit_entries s on s.business_id = ${businessId} and s.sequence = e.erased_by
     where e.business_id = ${businessId} and e.erased_by is not null
       and encode(sha256(convert_to(e.document::text, 'UTF8')), 'hex')
           is distinct from s.document -> 'erased_entries' ->> e.sequence::text`,
  audit_chain_has_no_gaps: (businessId) => sql`
    select id as object, 'entry ' || sequence || ' follows entry ' || previous as detail
      from (select id, sequence, lag(sequence, 1, 0::bigint) over (order by sequence) as previous
              from audit_entries where business_id = ${businessId}) e
     where sequence <> previous + 1`,
  audit_chain_has_its_end: (businessId) => sql`
    select ${businessId}::text as object,
           'the chain ends with entry ' || coalesce(newest.sequence, 0) || ', and ' || coalesce(c.sequence, 0) || ' were recorded' as detail
      from (select ${businessId}::text as business_id) t
      left join audit_chains c on c.business_id = t.business_id
      left join (select sequence, hash from audit_entries
                  where business_id = ${businessId} order by sequence desc limit 1) newest on true
     where (c.sequence, c.hash) is distinct from (newest.sequence, newest.hash)`,
}

export function verifyAuditLog(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
