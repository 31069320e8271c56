import { expect, test } from 'vitest'
import { statementsOf } from './statements.ts'

test('statements end at semicolons that are not quoted, and comments alone are none', () => {
  const text = `-- A comment; with a semicolon
create table "a;b" (t text default ';' /* ; */);
do $body$ begin perform 1; end $body$;
create function f() returns text language sql as $$ select 'it''s;'; $$; -- the last; one
`
  expect(statementsOf(text)).toEqual([
    `-- A comment; with a semicolon\ncreate table "a;b" (t text default ';' /* ; */)`,
    'do $body$ begin perform 1; end $body$',
    `create function f() returns text language sql as $$ select 'it''s;'; $$`,
  ])
})
