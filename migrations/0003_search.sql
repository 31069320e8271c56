-- Up Migration

-- The search finds customers, plans and cards by the beginning of any word, and by words with a typing error. Both are look-ups in
-- plain indexes, whose time does not grow with the number of objects (docs/decisions/search-without-trigrams). The words are in
-- tables of their own, which payments, billing and authorizations never write. No extension is needed.

-- The text in lower case, without accents and apostrophes.
create function quittance_fold(value text) returns text
  language sql immutable strict parallel safe
  return normalize(regexp_replace(lower(normalize(value, NFKD) collate "und-x-icu"), '[\u0300-\u036f''’]', '', 'g'), NFC);

-- The words of a text: what stands between white space and ASCII punctuation.
create function quittance_words(value text) returns text[]
  language sql immutable parallel safe
  return array_remove(regexp_split_to_array(quittance_fold(coalesce(value, '')), '[\s!-/:-@\[-`{-~]+'), '');

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

-- What a customer is found by, as the beginning of a term. A name of several words stands once from each of its words on, so
-- that any order of them is found; one without spaces (Chinese, Japanese) from each of its characters on.
create function quittance_customer_terms(name text, company_name text, email text, dial_code text, phone text)
  returns setof text language sql immutable parallel safe as $$
  with names as (select quittance_words(name) as words),
       companies as (select quittance_words(company_name) as words),
       addresses as (select quittance_fold(coalesce(email, '')) as address),
       phones as (select regexp_replace(phone, '[^0-9]', '', 'g') as digits,
                         regexp_replace(coalesce(dial_code, ''), '[^0-9]', '', 'g') as code)
  select distinct left(term, 80) from (
    select array_to_string(words[i:] || words[:i - 1], ' ') from names, generate_series(1, least(cardinality(words), 5)) i
    union all
    select words[1] || ' ' || words[cardinality(words)] from names where cardinality(words) > 2
    union all
    select substr(word, i) from names, unnest(words) word, generate_series(2, least(length(word), 6)) i
     where word ~ '[\u2e80-\u9fff\uac00-\ud7af]'
    union all
    select array_to_string(words[i:], ' ') from companies, generate_series(1, least(cardinality(words), 5)) i
    union all
    select address from addresses
    union all
    select substring(address from '[^@]*@(.*)$') from addresses
    union all
    select substr(address, at + 1) from addresses,
           (select regexp_instr(split_part(address, '@', 1), '[^a-z0-9]', 1, n) as at from addresses, generate_series(1, 3) n) places
     where at > 0
    union all
    select code || digits from phones where length(digits) > 2
    union all
    select digits from phones where length(digits) > 2
    union all
    select right(digits, 8) from phones where length(digits) > 9
  ) terms (term)
  where term <> ''
$$;

-- The words of customers that may be typed wrong: runs of letters, in names, companies and e-mail addresses.
create function quittance_customer_words(name text, company_name text, email text)
  returns setof text language sql immutable parallel safe as $$
  select distinct left(word[1], 40)
    from regexp_matches(array_to_string(quittance_words(concat_ws(' ', name, company_name, email)), ' '), '[^\s0-9]{3,}', 'g') word
$$;

-- The words of a text that may be typed wrong.
create function quittance_text_words(value text) returns setof text
  language sql immutable parallel safe as $$
  select quittance_customer_words(value, null, null)
$$;

-- The word without one of its letters, and as it is. Two words that differ by one letter, or by two that changed places,
-- have a key in common. Of a long word the first letters count.
create function quittance_typo_keys(word text) returns setof text
  language sql immutable parallel safe as $$
  select distinct overlay(left(word, 12) placing '' from greatest(i, 1) for case when i = 0 then 0 else 1 end)
    from generate_series(0, least(length(word), 12)) i
$$;
