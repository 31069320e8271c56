-- Up Migration

-- The file that shows Apple that an acquirer may offer Apple Pay on our pages, as a business gave it to its account there. It is
-- served to whoever asks, so it is read before the tenant is known.
create table apple_pay_domain_files (
  business_id text collate "C" not null,
  account_id  text collate "C" not null,
  content     text not null,
  environment text collate "C" not null,
  domain      text,
  state       text collate "C" not null,
  message     text,
  set_at      timestamptz not null,
  primary key (business_id, account_id),
  constraint apple_pay_domain_files_environment_check check (environment in ('test', 'live')),
  constraint apple_pay_domain_files_state_check
    check (state in ('pending', 'registered', 'refused', 'unreachable', 'no_domain'))
);
select quittance_shared_table('apple_pay_domain_files', 'reference');
comment on column apple_pay_domain_files.domain is 'What is registered at the acquirer: the host of our pages; null where that is no public name.';
comment on column apple_pay_domain_files.message is 'Why it is not registered; null otherwise.';
comment on column apple_pay_domain_files.set_at is 'On the real clock.';
