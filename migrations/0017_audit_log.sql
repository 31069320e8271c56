-- Up Migration

-- The end of each tenant's chain of entries. Without it nobody would notice that the newest entries are gone. The service may only read it.
create table audit_chains (
  business_id text collate "C" primary key,
  sequence    bigint not null,
  hash        text collate "C" not null
);
select quittance_tenant_table('audit_chains');
revoke insert, update, delete on audit_chains from quittance_service;

-- Who did what. The columns for searching are made from the document, so that none can be changed beside it. The service may only read
-- the table; it writes by the functions below.
create table audit_entries (
  business_id text collate "C" not null,
  sequence    bigint not null,
  -- The SHA-256 of the previous hash, the sequence and the document, with line feeds between them.
  hash        text collate "C" not null,
  created_at  timestamptz not null,
  document    json not null,
  id          text collate "C" not null generated always as (document ->> 'id') stored,
  state       text collate "C" not null generated always as (document ->> 'state') stored,
  started_id  text collate "C" generated always as (document ->> 'started_id') stored,
  actor_type  text collate "C" not null generated always as (document #>> '{actor,type}') stored,
  actor_id    text collate "C" not null generated always as (document #>> '{actor,id}') stored,
  action      text collate "C" not null generated always as (document ->> 'action') stored,
  object_type text collate "C" generated always as (document #>> '{object,type}') stored,
  object_id   text collate "C" generated always as (document #>> '{object,id}') stored,
  -- The later entry of the chain that has the SHA-256 of what is left, once the content was erased. The hash of this one stays.
  erased_by   bigint,
  primary key (business_id, sequence)
);
create unique index audit_entries_id on audit_entries (business_id, id);
create index audit_entries_newest on audit_entries (business_id, created_at, id);
create index audit_entries_started on audit_entries (business_id, started_id) where started_id is not null;
create index audit_entries_actor on audit_entries (business_id, actor_id, created_at, id);
create index audit_entries_object on audit_entries (business_id, object_id, created_at, id) where object_id is not null;
select quittance_tenant_table('audit_entries');
revoke insert, update, delete on audit_entries from quittance_service;

-- Writes an entry. The lock on the chain's end is held until the entry commits.
create function quittance_append_audit_entry(chain text, at timestamptz, entry json) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last audit_chains%rowtype;
  place bigint;
  sealed text;
begin
  if chain is distinct from current_setting('quittance.business_id', true) then
    raise exception 'the entry belongs to another chain than the session' using errcode = '42501';
  end if;
  insert into audit_chains (business_id, sequence, hash) values (chain, 0, '') on conflict (business_id) do nothing;
  select * into last from audit_chains where business_id = chain for update;
  place := last.sequence + 1;
  sealed := encode(sha256(convert_to(last.hash || E'\n' || place || E'\n' || entry::text, 'UTF8')), 'hex');
  insert into audit_entries (business_id, sequence, hash, created_at, document) values (chain, place, sealed, at, entry);
  update audit_chains set sequence = place, hash = sealed where business_id = chain;
  return place;
end $$;
revoke all on function quittance_append_audit_entry(text, timestamptz, json) from public;
grant execute on function quittance_append_audit_entry(text, timestamptz, json) to quittance_service;

-- Erases the content of entries, and writes the entry that says so.
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
