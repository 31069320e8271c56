import { expect, test } from 'vitest'
import { readHostList } from '#platform/postgres/hosts/host-list'

const read = (url: string) => readHostList(url, 'DATABASE_URL')
const urlsOf = (url: string) => read(url).hosts.map((host) => host.url)

// Proves reference/operations#several-hosts.
test.each([
  [
    'postgres://u:p@one:5433,two:5434/db?target_session_attrs=read-write',
    ['postgres://u:p@one:5433/db', 'postgres://u:p@two:5434/db'],
  ],
  ['postgres://u:p%40x@one,two/db', ['postgres://u:p%40x@one:5432/db', 'postgres://u:p%40x@two:5432/db']],
  [
    'postgresql://u@[::1]:5433,[fd00::2],10.0.0.3/db?sslmode=require&target_session_attrs=primary',
    [
      'postgresql://u@[::1]:5433/db?sslmode=require',
      'postgresql://u@[fd00::2]:5432/db?sslmode=require',
      'postgresql://u@10.0.0.3:5432/db?sslmode=require',
    ],
  ],
  ['postgres://u:p@/db?host=one,two&port=6000', ['postgres://u:p@one:6000/db', 'postgres://u:p@two:6000/db']],
  [
    'postgres:///db?host=/run/a,/run/b&port=1,2',
    ['postgres:///db?host=%2Frun%2Fa&port=1', 'postgres:///db?host=%2Frun%2Fb&port=2'],
  ],
])('%s names each of its hosts', (url, expected) => {
  expect(read(url).problems).toEqual([])
  expect(urlsOf(url)).toEqual(expected)
})

test.each(['postgres://u:p@one:5433/db?sslmode=require', 'postgres:///db?host=/run/postgresql&port=5433'])(
  '%s, with one host, stays as it is',
  (url) => expect(urlsOf(url)).toEqual([url]),
)

test.each([
  [
    'postgres://u:secret@one:5432,two:543x/db',
    'The port of host 2 in DATABASE_URL must be a whole number from 1 to 65535.',
  ],
  ['postgres://u:secret@one,,three/db', 'Host 2 in DATABASE_URL has no name.'],
  [
    'postgres:///db?host=one,two,three&port=1,2',
    'DATABASE_URL names 3 hosts and 2 ports: give one port each, or one for all.',
  ],
  [
    'postgres://u:secret@one,two/db?target_session_attrs=any',
    'target_session_attrs in DATABASE_URL must be read-write or primary, because every process writes. Lists may be read elsewhere: see DATABASE_REPLICA_URL.',
  ],
])('%s is refused with a sentence that names the member', (url, problem) => {
  expect(read(url).problems).toEqual([problem])
})
