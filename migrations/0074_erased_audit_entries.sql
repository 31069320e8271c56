-- Up Migration

-- The content of an audit entry can be erased: its hash stays in the chain, and a later entry of the chain holds the
-- SHA-256 of what is left of it.
alter table audit_entries add column erased_by bigint;
create function quittance_erase_audit_entries(chain text, places bigint[], at timestamptz, entry json) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  next bigint;
  digests jsonb;
begin
  if chain is distinct from current_setting('quittance.business_id', true) then
    raise exception 'the entries belong to another chain than the session' using errcode = '42501';
  end if;
  select sequence + 1 into next from audit_chains where business_id = chain for update;
  with erased as (
    update audit_entries
       set document = (select json_object_agg(member.name, member.value order by member.name)
                         from (select 'erased' as name, 'true'::json as value
                               union all
                               select key, value from json_each(document) where key not in ('request', 'before', 'after')) member),
           erased_by = next
     where business_id = chain and sequence = any (places) and erased_by is null
    returning sequence, document)
  select jsonb_object_agg(sequence::text, encode(sha256(convert_to(document::text, 'UTF8')), 'hex')) into digests from erased;
  if digests is null then
    return 0;
  end if;
  perform quittance_append_audit_entry(chain, at, (entry::jsonb || jsonb_build_object('erased_entries', digests))::json);
  return (select count(*) from jsonb_object_keys(digests));
end $$;
revoke all on function quittance_erase_audit_entries(text, bigint[], timestamptz, json) from public;
grant execute on function quittance_erase_audit_entries(text, bigint[], timestamptz, json) to quittance_service;
