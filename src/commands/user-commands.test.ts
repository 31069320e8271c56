import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { KeyFile } from '#platform/security/key-source'
import { createTestDatabase } from '#platform/testing/database'
import { type EndedCommand, runInProcess } from './testing/run-in-process.ts'

const { url } = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-users-'))
afterAll(() => rm(dataDir, { recursive: true }))
// The state that a service leaves in its DATA_DIR.
await KeyFile.open(dataDir)

function quittance(...args: string[]): Promise<EndedCommand> {
  return runInProcess({ DATA_DIR: dataDir, DATABASE_URL: url }, args)
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await quittance(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, unknown>
}

// Proves reference/operations#command-line.
test('the command line creates, lists and disables users, and makes links for their passwords', async () => {
  const business = await json('businesses', 'create', '--name', 'Kowloon Books')
  const code = String(business['customer_code'])
  const owner = ['--business', code, '--role', 'owner']
  const created = await json('users', 'create', '--email', 'Jo@Example.com', '--operator', ...owner)
  expect(created).toMatchObject({
    email: 'jo@example.com',
    link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/console\/reset-password\?token=[\w-]{32}$/),
  })
  const again = await quittance('users', 'create', '--email', 'jo@example.com')
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: 'A user with the address jo@example.com exists already.\n',
  })
  const king = await quittance('users', 'create', '--email', 'a@example.com', '--role', 'king')
  expect(king.exitCode).toBe(1)
  expect(await json('users', 'list')).toMatchObject({
    users: [
      {
        user_id: created['user_id'],
        email: 'jo@example.com',
        operator: true,
        disabled_at: null,
        memberships: [{ customer_code: code, test_role: 'owner', live_role: 'owner' }],
      },
    ],
  })
  const reset = await json('users', 'reset-password', '--email', 'jo@example.com')
  expect(reset['link']).not.toBe(created['link'])
  const disabled = await quittance('users', 'disable', '--email', 'jo@example.com')
  expect(disabled).toEqual({
    exitCode: 0,
    stdout: 'jo@example.com is disabled.\n',
    stderr: `Nobody else owns ${code}.\n`,
  })
  const { stdout } = await quittance('users', 'list')
  expect(stdout).toBe('jo@example.com  operator  disabled  Kowloon Books: test owner, live owner\n')
})
