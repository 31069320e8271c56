-- Up Migration

-- The trace of what caused an event (W3C `traceparent`), so that its deliveries belong to it even when another process makes
-- them later. Null where nothing was traced or the trace was not sampled.
alter table events add column traceparent text;
