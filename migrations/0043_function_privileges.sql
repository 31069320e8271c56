-- Up Migration

-- PostgreSQL lets every role of the server execute a new function. `quittance_analyze_new_tables` runs with the rights of its owner, so
-- any role could make it analyze and lock tables. Functions that make tables are left to the owner.
revoke execute on function
  quittance_place_table(text, text),
  quittance_hide_other_tenants(text),
  quittance_tenant_table(text),
  quittance_shared_table(text, text),
  quittance_fold(text),
  quittance_words(text),
  quittance_name_terms(text),
  quittance_customer_terms(text, text, text, text, text),
  quittance_customer_words(text, text, text),
  quittance_text_words(text),
  quittance_typo_keys(text),
  quittance_amount_key(text, numeric),
  quittance_analyze_new_tables()
from public;
grant execute on function
  quittance_fold(text),
  quittance_words(text),
  quittance_name_terms(text),
  quittance_customer_terms(text, text, text, text, text),
  quittance_customer_words(text, text, text),
  quittance_text_words(text),
  quittance_typo_keys(text),
  quittance_amount_key(text, numeric),
  quittance_analyze_new_tables()
to quittance_service;
