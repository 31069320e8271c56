-- Up Migration

-- A wallet of a business's user: one a user, over all chains. Its deposit address is m/<tenant's number>/<number>
-- under WALLET_XPUB, the same on every chain; null while no extended public key was configured.
create table wallets (
  business_id text collate "C" not null,
  id          text collate "C" not null,
  p_user_id   text collate "C" not null,
  number      integer not null check (number > 0),
  -- EIP-55 form, as it is shown.
  address     text collate "C",
  created_at  timestamptz not null,
  primary key (business_id, id)
);
create unique index wallets_user on wallets (business_id, p_user_id);
-- Two wallets with one number would share one address.
create unique index wallets_number on wallets (business_id, number);
create index wallets_newest on wallets (business_id, created_at, id);
select quittance_tenant_table('wallets');

-- The last wallet number given. Its row lock makes numbers without gaps, so that the addresses of a lost database can
-- all be found again by counting.
create table wallet_counters (
  business_id text collate "C" primary key,
  last_number integer not null
);
select quittance_tenant_table('wallet_counters');

-- Whose address it is: asked of every transfer of a chain before the tenant is known, hence shared.
create table deposit_addresses (
  -- Lower case, as nodes write it.
  address     text collate "C" primary key,
  business_id text collate "C" not null,
  wallet_id   text collate "C" not null
);
select quittance_shared_table('deposit_addresses');

-- Fee rules: of the business ('' as user) and of single users.
create table wallet_fee_rules (
  business_id     text collate "C" not null,
  user_id         text collate "C" not null,
  -- In US cents.
  fixed_fee_minor numeric(30,0) not null check (fixed_fee_minor >= 0),
  percentage_fee  numeric(9,6) not null check (percentage_fee between 0 and 100),
  updated_at      timestamptz not null,
  primary key (business_id, user_id)
);
select quittance_tenant_table('wallet_fee_rules');

-- How far each chain has been read. One worker at a time reads a chain, by a lease on the real clock; a worker that
-- lost it without knowing is stopped by the condition on the cursor.
create table watched_chains (
  name             text collate "C" primary key,
  chain_id         bigint not null,
  -- Deposits are looked for from here on; set before the node is first reached.
  watched_since    timestamptz not null,
  -- A node that answers another genesis is on another chain, whatever it calls itself.
  genesis_hash     text collate "C",
  cursor_number    bigint,
  cursor_hash      text collate "C",
  cursor_time      timestamptz,
  finalized_number bigint,
  lease_holder     text collate "C",
  leased_until     timestamptz,
  check ((cursor_number is null) = (cursor_hash is null))
);
select quittance_shared_table('watched_chains');

-- Hashes of the blocks read, so that the common ancestor of a reorganisation can be found: every block of the
-- recent past, every thousandth before it.
create table watched_blocks (
  chain  text collate "C" not null,
  number bigint not null,
  hash   text collate "C" not null,
  primary key (chain, number)
);
select quittance_shared_table('watched_blocks');

-- Transfers to our addresses as the chain shows them, written in one statement with the cursor. From here each is
-- told to its tenant (`wallet_transactions`, ledger, event) in a transaction of that tenant, which sets `told`.
create table chain_transfers (
  chain            text collate "C" not null,
  block_hash       text collate "C" not null,
  transaction_hash text collate "C" not null,
  -- -1 for the transaction's own transfer of the native coin.
  log_index        integer not null,
  id               text collate "C" not null unique,
  business_id      text collate "C" not null,
  wallet_id        text collate "C" not null,
  block_number     bigint not null,
  block_time       timestamptz not null,
  -- '' for the native coin.
  contract_address text collate "C" not null,
  source_address   text collate "C" not null,
  destination_address text collate "C" not null,
  units            numeric(78,0) not null check (units > 0),
  -- From the configuration at the time; what a token says of itself is never read.
  currency         text collate "C" not null,
  decimals         smallint not null,
  usd_price        numeric not null,
  -- False once its block has been reorganised away.
  canonical        boolean not null default true,
  -- The state that the tenant's transaction has been given.
  told             text collate "C" check (told in ('pending', 'confirmed', 'reorged')),
  primary key (chain, block_hash, transaction_hash, log_index)
);
-- One canonical row for each transfer, whatever several workers do.
create unique index chain_transfers_canonical on chain_transfers (chain, transaction_hash, log_index) where canonical;
create index chain_transfers_block on chain_transfers (chain, block_number);
-- What has still to be told: small, whatever the number of transfers.
create index chain_transfers_open on chain_transfers (chain, block_number)
  where told is null or (canonical and told <> 'confirmed') or (not canonical and told <> 'reorged');
select quittance_shared_table('chain_transfers');

-- Deposits of a tenant's wallets.
create table wallet_transactions (
  business_id         text collate "C" not null,
  id                  text collate "C" not null,
  wallet_id           text collate "C" not null,
  blockchain          text collate "C" not null,
  block_hash          text collate "C" not null,
  block_number        bigint not null,
  block_time          timestamptz not null,
  transaction_hash    text collate "C" not null,
  log_index           integer not null,
  contract_address    text collate "C" not null,
  source_address      text collate "C" not null,
  destination_address text collate "C" not null,
  currency            text collate "C" not null,
  decimals            smallint not null,
  units               numeric(78,0) not null check (units > 0),
  usd_price           numeric not null,
  amount_in_usd_minor numeric(120,0) not null,
  -- The rule that the fee came from, so that it can be checked after the rule has changed.
  fixed_fee_minor     numeric(30,0) not null,
  percentage_fee      numeric(9,6) not null,
  calculated_fee_minor numeric(120,0) not null check (calculated_fee_minor between 0 and amount_in_usd_minor),
  state               text collate "C" not null check (state in ('pending', 'confirmed', 'reorged')),
  primary key (business_id, id)
);
create unique index wallet_transactions_key
  on wallet_transactions (business_id, blockchain, block_hash, transaction_hash, log_index);
create unique index wallet_transactions_canonical
  on wallet_transactions (business_id, blockchain, transaction_hash, log_index) where state <> 'reorged';
create index wallet_transactions_newest on wallet_transactions (business_id, wallet_id, state, block_time, id);
select quittance_tenant_table('wallet_transactions');

-- The ledger. Amounts are exact decimals of the currency; what is owed to somebody is positive, what somebody owes
-- us or what we keep for others is negative, so that the entries of a posting sum to zero in each currency.
create table wallet_accounts (
  business_id text collate "C" not null,
  -- A wallet's id, `chain:<name>` or `fees`.
  owner       text collate "C" not null,
  kind        text collate "C" not null check (kind in ('available', 'held', 'fees_owed', 'custody', 'spent', 'fees_due')),
  currency    text collate "C" not null,
  -- Derived: the sum of the account's entries. Available may fall below zero, when a deposit that was spent is
  -- reorganised away; what is held cannot, by the check of wallet_holds.
  balance     numeric not null,
  primary key (business_id, owner, kind, currency)
);
select quittance_tenant_table('wallet_accounts');

create table wallet_entries (
  business_id text collate "C" not null,
  posting_id  text collate "C" not null,
  owner       text collate "C" not null,
  kind        text collate "C" not null,
  currency    text collate "C" not null,
  amount      numeric not null check (amount <> 0),
  -- What moved it: a wallet transaction's or a hold's id.
  object_id   text collate "C" not null,
  reason      text collate "C" not null,
  created_at  timestamptz not null,
  primary key (business_id, posting_id, owner, kind, currency)
);
create index wallet_entries_account on wallet_entries (business_id, owner, kind, currency);
create index wallet_entries_object on wallet_entries (business_id, object_id);
select quittance_tenant_table('wallet_entries');

-- What card authorizations hold of a wallet.
create table wallet_holds (
  business_id text collate "C" not null,
  -- The authorization's id.
  id          text collate "C" not null,
  wallet_id   text collate "C" not null,
  currency    text collate "C" not null,
  held        numeric not null check (held >= 0),
  captured    numeric not null default 0 check (captured >= 0),
  refunded    numeric not null default 0 check (refunded >= 0 and refunded <= captured),
  created_at  timestamptz not null,
  primary key (business_id, id)
);
create index wallet_holds_wallet on wallet_holds (business_id, wallet_id);
select quittance_tenant_table('wallet_holds');
