-- Up Migration

-- The search finds plans by their name and cards by their title as it finds customers: by the beginning of any word, and with a
-- typing error (docs/decisions/search-without-trigrams). The words are in tables of their own, which billing and
-- authorizations never write.

-- What a name is found by, as the beginning of a term: the name from each of its first words on, so that any order of them is
-- found, and its first word with its last. A word without spaces (Chinese, Japanese, Korean) from each of its characters on.
create function quittance_name_terms(name text) returns setof text
  language sql immutable parallel safe as $$
  with names as (select quittance_words(name) as words)
  select distinct left(term, 80) from (
    select array_to_string(words[i:] || words[:i - 1], ' ') from names, generate_series(1, least(cardinality(words), 16)) i
    union all
    select words[1] || ' ' || words[cardinality(words)] from names where cardinality(words) > 2
    union all
    select substr(word, i) from names, unnest(words) word, generate_series(2, least(length(word), 32)) i
     where word ~ '[\u2e80-\u9fff\uac00-\ud7af]'
  ) terms (term)
  where term <> ''
$$;

-- The words of a text that may be typed wrong.
create function quittance_text_words(value text) returns setof text
  language sql immutable parallel safe as $$
  select quittance_customer_words(value, null, null)
$$;

create table recurring_plan_terms (
  business_id text collate "C" not null,
  term        text collate "C" not null,
  plan_id     text collate "C" not null,
  primary key (business_id, term, plan_id)
);
select quittance_tenant_table('recurring_plan_terms');

create table recurring_plan_word_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  word        text collate "C" not null,
  primary key (business_id, key, word)
);
select quittance_tenant_table('recurring_plan_word_keys');

create table card_terms (
  business_id text collate "C" not null,
  term        text collate "C" not null,
  card_id     text collate "C" not null,
  primary key (business_id, term, card_id)
);
select quittance_tenant_table('card_terms');

create table card_word_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  word        text collate "C" not null,
  primary key (business_id, key, word)
);
select quittance_tenant_table('card_word_keys');

insert into recurring_plan_terms (business_id, term, plan_id)
select p.business_id, t.term, p.id from recurring_plans p, quittance_name_terms(p.name) t (term);
insert into recurring_plan_word_keys (business_id, key, word)
select w.business_id, k.key, w.word
  from (select distinct p.business_id, t.word from recurring_plans p, quittance_text_words(p.name) t (word)) w,
       quittance_typo_keys(w.word) k (key);
insert into card_terms (business_id, term, card_id)
select c.business_id, t.term, c.id from cards c, quittance_name_terms(c.title) t (term);
insert into card_word_keys (business_id, key, word)
select w.business_id, k.key, w.word
  from (select distinct c.business_id, t.word from cards c, quittance_text_words(c.title) t (word)) w,
       quittance_typo_keys(w.word) k (key);
