-- Up Migration

-- The table says for each tenant and job when the job runs next. It takes the name that people expect.
alter table due_heads rename to next_runs;
alter table next_runs rename column kind to job;
alter index due_heads_due_at rename to next_runs_due_at;
alter index due_heads_pkey rename to next_runs_pkey;
