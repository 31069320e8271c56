-- Up Migration

-- The search finds plans by the beginning of their name. People know plans by it, and seldom by an id.
create index recurring_plans_name on recurring_plans (business_id, name collate "C");
