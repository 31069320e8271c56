-- Up Migration

-- The wallet of a business's user, over all chains. Its deposit address is that of m/<tenant's number>/<number> under WALLET_XPUB,
-- the same on every chain.
create table wallets (
  business_id text collate "C" not null,
  id          text collate "C" not null,
  p_user_id   text collate "C" not null,
  number      integer not null check (number > 0),
  -- As it is shown (EIP-55); null while no extended public key is configured.
  address     text collate "C",
  created_at  timestamptz not null,
  primary key (business_id, id)
);
create unique index wallets_user on wallets (business_id, p_user_id);
-- Two wallets with one number would share one address.
create unique index wallets_number on wallets (business_id, number);
create index wallets_newest on wallets (business_id, created_at, id);
select quittance_tenant_table('wallets');

-- The last number of a tenant's wallet. Its row's lock leaves no gaps, so that the addresses of a lost database can be found again by
-- counting.
create table wallet_counters (
  business_id text collate "C" primary key,
  last_number integer not null
);
select quittance_tenant_table('wallet_counters');

-- Whose address it is. Shared, because it is asked of every transfer of a chain before the tenant is known.
create table deposit_addresses (
  -- In lower case, as nodes write it.
  address     text collate "C" primary key,
  business_id text collate "C" not null,
  wallet_id   text collate "C" not null
);
select quittance_shared_table('deposit_addresses', 'reference');

-- Fees of deposits, for the whole business and for single users.
create table wallet_fee_rules (
  business_id     text collate "C" not null,
  -- '' for the business.
  user_id         text collate "C" not null,
  -- In US cents.
  fixed_fee_minor numeric(30,0) not null check (fixed_fee_minor >= 0),
  percentage_fee  numeric(9,6) not null check (percentage_fee between 0 and 100),
  updated_at      timestamptz not null,
  primary key (business_id, user_id)
);
select quittance_tenant_table('wallet_fee_rules');

-- How far each chain has been read. One worker at a time reads a chain, by a lease on the real clock. A worker that lost it without
-- knowing is stopped by the condition on the cursor.
create table watched_chains (
  name             text collate "C" primary key,
  chain_id         bigint not null,
  -- Deposits are looked for from here on. Set before the node is first reached.
  watched_since    timestamptz not null,
  -- A node with another first block is on another chain, whatever it calls itself.
  genesis_hash     text collate "C",
  cursor_number    bigint,
  cursor_hash      text collate "C",
  finalized_number bigint,
  lease_holder     text collate "C",
  leased_until     timestamptz,
  constraint watched_chains_cursor check ((cursor_number is null) = (cursor_hash is null))
);
select quittance_shared_table('watched_chains', 'coordinator');

-- Hashes of the blocks that were read, so that the common ancestor of a reorganisation can be found: every block of the recent past,
-- every thousandth before it.
create table watched_blocks (
  chain  text collate "C" not null,
  number bigint not null,
  hash   text collate "C" not null,
  primary key (chain, number)
);
select quittance_shared_table('watched_blocks', 'local');

-- Transfers to our addresses as the chain shows them, written in one statement with the cursor. A transaction of the tenant then publishes
-- each (`wallet_transactions`, ledger, event) and sets `published_state`.
create table chain_transfers (
  chain               text collate "C" not null,
  block_hash          text collate "C" not null,
  transaction_hash    text collate "C" not null,
  -- -1 for the transaction's own transfer of the native coin.
  log_index           integer not null,
  id                  text collate "C" not null unique,
  business_id         text collate "C" not null,
  wallet_id           text collate "C" not null,
  block_number        bigint not null,
  block_time          timestamptz not null,
  -- '' for the native coin.
  contract_address    text collate "C" not null,
  source_address      text collate "C" not null,
  destination_address text collate "C" not null,
  units               numeric(78,0) not null check (units > 0),
  -- As configured at that time; what a token says of itself is never read.
  currency            text collate "C" not null,
  decimals            smallint not null,
  usd_price           numeric not null,
  -- False once its block has been reorganised away.
  canonical           boolean not null default true,
  -- The state that was published to the tenant.
  published_state     text collate "C" check (published_state in ('pending', 'confirmed', 'reorged')),
  primary key (chain, block_hash, transaction_hash, log_index)
);
-- One canonical row for each transfer, whatever several workers do.
create unique index chain_transfers_canonical on chain_transfers (chain, transaction_hash, log_index) where canonical;
create index chain_transfers_block on chain_transfers (chain, block_number);
create index chain_transfers_unpublished on chain_transfers (chain, block_number)
  where published_state is null or (canonical and published_state <> 'confirmed')
     or (not canonical and published_state <> 'reorged');
select quittance_shared_table('chain_transfers', 'coordinator');

-- Deposits of a tenant's wallets. The columns up to `usd_price` are those of `chain_transfers`.
create table wallet_transactions (
  business_id          text collate "C" not null,
  id                   text collate "C" not null,
  wallet_id            text collate "C" not null,
  blockchain           text collate "C" not null,
  block_hash           text collate "C" not null,
  block_number         bigint not null,
  block_time           timestamptz not null,
  transaction_hash     text collate "C" not null,
  log_index            integer not null,
  contract_address     text collate "C" not null,
  source_address       text collate "C" not null,
  destination_address  text collate "C" not null,
  currency             text collate "C" not null,
  decimals             smallint not null,
  units                numeric(78,0) not null check (units > 0),
  usd_price            numeric not null,
  amount_in_usd_minor  numeric(120,0) not null,
  -- The rule that the fee came from, so that it can be checked after the rule has changed.
  fixed_fee_minor      numeric(30,0) not null,
  percentage_fee       numeric(9,6) not null,
  calculated_fee_minor numeric(120,0) not null check (calculated_fee_minor >= 0),
  state                text collate "C" not null check (state in ('pending', 'confirmed', 'reorged')),
  primary key (business_id, id)
);
create unique index wallet_transactions_key on wallet_transactions (business_id, blockchain, block_hash, transaction_hash, log_index);
create unique index wallet_transactions_canonical on wallet_transactions (business_id, blockchain, transaction_hash, log_index)
  where state <> 'reorged';
create index wallet_transactions_newest on wallet_transactions (business_id, wallet_id, state, block_time, id);
select quittance_tenant_table('wallet_transactions');

-- The accounts of the ledger. Amounts are exact decimals of the currency. What is owed to somebody is positive, what somebody owes us or
-- what we keep for others is negative, so that the entries of a posting sum to zero in each currency.
create table wallet_accounts (
  business_id text collate "C" not null,
  -- A wallet's id, `chain:<name>` or `fees`.
  owner       text collate "C" not null,
  kind        text collate "C" not null check (kind in ('available', 'held', 'fees_owed', 'custody', 'spent', 'fees_due')),
  currency    text collate "C" not null,
  -- The sum of the account's entries. `available` may fall below zero, when the block of a deposit that was spent is reorganised away;
  -- `held` cannot, by the check of wallet_holds.
  balance     numeric not null,
  primary key (business_id, owner, kind, currency)
);
select quittance_tenant_table('wallet_accounts');

-- What moved each account's balance.
create table wallet_entries (
  business_id text collate "C" not null,
  posting_id  text collate "C" not null,
  owner       text collate "C" not null,
  kind        text collate "C" not null,
  currency    text collate "C" not null,
  amount      numeric not null check (amount <> 0),
  -- The wallet transaction or the hold.
  object_id   text collate "C" not null,
  reason      text collate "C" not null,
  created_at  timestamptz not null,
  primary key (business_id, posting_id, owner, kind, currency)
);
create index wallet_entries_account on wallet_entries (business_id, owner, kind, currency);
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
  refunded    numeric not null default 0 constraint wallet_holds_refunded_of_captured check (refunded between 0 and captured),
  created_at  timestamptz not null,
  primary key (business_id, id)
);
select quittance_tenant_table('wallet_holds');
