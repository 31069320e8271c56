import { isCancel, password, text } from '@clack/prompts'
import type { Command } from 'commander'
import { ApiError } from 'quittance'
import { type ConnectionOptions, type Connection, connectionTo, DEFAULT_URL } from '../connection.ts'
import { formatOf, note, print, printRows } from '../output.ts'
import { Problem } from '../problem.ts'
import { DEFAULT_PROFILE, profileFilePath, readProfiles, writeProfiles } from '../profiles.ts'

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('save the address of a service and an API key as a profile')
    .action(async (_options: unknown, command: Command) => {
      const { url, apiKey, profile } = command.optsWithGlobals<ConnectionOptions>()
      const connection = connectionTo(url ?? (await askUrl()), apiKey ?? (await askKey()))
      await requireAccepted(connection)
      const name = profile ?? DEFAULT_PROFILE
      const file = await readProfiles()
      const saved = { url: connection.url, api_key: connection.apiKey }
      await writeProfiles({ current: name, profiles: { ...file.profiles, [name]: saved } })
      note(`Logged in to the ${connection.environment} environment at ${connection.url}.`)
      note(`The profile ${name} is in ${profileFilePath()}, which only you can read.`)
    })
  program
    .command('logout')
    .description('remove a profile; the API key itself stays valid until it is revoked')
    .action(async (_options: unknown, command: Command) => {
      const { current, profiles } = await readProfiles()
      const name = command.optsWithGlobals<ConnectionOptions>().profile ?? current
      if (!Object.hasOwn(profiles, name)) throw new Problem(`There is no profile ${name}.`)
      const { [name]: _, ...rest } = profiles
      await writeProfiles({ current: Object.keys(rest)[0] ?? DEFAULT_PROFILE, profiles: rest })
      note(`The profile ${name} is removed.`)
    })
  addProfiles(program)
}

function addProfiles(program: Command): void {
  const profiles = program.command('profiles').description('list the profiles, or choose the one to use')
  profiles
    .command('list', { isDefault: true })
    .description('list the profiles')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const file = await readProfiles()
      const rows = Object.entries(file.profiles).map(([name, { url, api_key }]) => ({
        name,
        current: name === file.current,
        url,
        environment: api_key.startsWith('qk_live_') ? 'live' : 'test',
      }))
      printRows(
        rows,
        [
          { title: '', of: ({ current }) => (current ? '*' : '') },
          { title: 'Name', of: ({ name }) => name },
          { title: 'Environment', of: ({ environment }) => environment },
          { title: 'Service', of: ({ url }) => url },
        ],
        formatOf(options),
      )
    })
  profiles
    .command('use')
    .description('use a profile from now on')
    .argument('<name>')
    .action(async (name: string) => {
      const file = await readProfiles()
      if (!Object.hasOwn(file.profiles, name)) throw new Problem(`There is no profile ${name}.`)
      await writeProfiles({ ...file, current: name })
      print(name)
    })
}

async function askUrl(): Promise<string> {
  requireTerminal()
  const answer = await text({
    message: 'Address of the service',
    initialValue: DEFAULT_URL,
  })
  return answered(answer)
}

async function askKey(): Promise<string> {
  requireTerminal()
  return answered(await password({ message: 'API key (qk_test_… or qk_live_…)' }))
}

function requireTerminal(): void {
  if (!process.stdin.isTTY) {
    throw new Problem(
      'There is no terminal to ask on. Give --url and --api-key, or set QUITTANCE_URL and QUITTANCE_API_KEY.',
    )
  }
}

function answered(answer: string | symbol | undefined): string {
  if (isCancel(answer) || typeof answer !== 'string') throw new Problem('Nothing was saved.')
  return answer.trim()
}

/** A key without the scope to list orders is accepted too: 403 comes only after the key was recognised. */
async function requireAccepted({ quittance }: Connection): Promise<void> {
  try {
    await quittance.orders.list({ limit: 1 })
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return
    throw error
  }
}
