-- Up Migration

-- The periods that began while a plan was suspended are passed over as the suspension ends. One window that was looked at
-- later forgot them when a second suspension took its place.
alter table recurring_plans drop column skip_from, drop column skip_until;
