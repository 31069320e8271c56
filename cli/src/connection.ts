import type { Command } from 'commander'
import { Quittance } from 'quittance'
import { Problem } from './problem.ts'
import { type Profile, readProfiles } from './profiles.ts'

export interface ConnectionOptions {
  readonly url?: string
  readonly apiKey?: string
  readonly profile?: string
}

export interface Connection {
  readonly url: string
  readonly apiKey: string
  readonly environment: 'test' | 'live'
  readonly quittance: Quittance
}

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/**
 * Flags come first, then QUITTANCE_URL and QUITTANCE_API_KEY, then the profile. The key of a profile goes only to the service that
 * it was saved for, because others can set variables, too: the files of a repository, for example.
 */
export async function connect(command: Command): Promise<Connection> {
  const options = command.optsWithGlobals<ConnectionOptions>()
  const { QUITTANCE_URL: urlOfEnvironment, QUITTANCE_API_KEY: keyOfEnvironment } = process.env
  const chosenKey = options.apiKey ?? keyOfEnvironment
  const profile =
    chosenKey === undefined || options.profile !== undefined ? await findProfile(options.profile) : undefined
  const apiKey = chosenKey ?? profile?.api_key
  if (apiKey === undefined) throw new Problem('You are not logged in. Run: quittance login')
  const url = options.url ?? urlOfEnvironment ?? profile?.url ?? DEFAULT_URL
  const connection = connectionTo(url, apiKey)
  if (chosenKey === undefined && profile !== undefined && connection.url !== profile.url) {
    const source = options.url === undefined ? 'QUITTANCE_URL' : '--url'
    throw new Problem(
      `The key of this profile is for ${profile.url}, and ${source} names ${connection.url}. Give --api-key, or log in there with a profile of its own.`,
    )
  }
  return connection
}

export function connectionTo(url: string, apiKey: string): Connection {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Problem(`"${url}" is not the address of a service. It looks like ${DEFAULT_URL}.`)
  }
  const [, environment] = /^qk_(test|live)_[0-9A-Za-z]+$/.exec(apiKey) ?? []
  if (environment === undefined)
    throw new Problem('This is not an API key. One begins with qk_test_ or qk_live_.')
  return {
    url: url.replace(/(?<!\/)\/+$/, ''),
    apiKey,
    environment: environment as 'test' | 'live',
    quittance: new Quittance({ baseUrl: url, apiKey }),
  }
}

export function requireTest({ environment }: Connection, what: string): void {
  if (environment === 'live') throw new Problem(`${what} needs a key of the test environment (qk_test_…).`)
}

async function findProfile(name: string | undefined): Promise<Profile | undefined> {
  const { current, profiles } = await readProfiles()
  const profile = Object.hasOwn(profiles, name ?? current) ? profiles[name ?? current] : undefined
  if (profile === undefined && name !== undefined) {
    const names = Object.keys(profiles).join(', ')
    throw new Problem(
      `There is no profile ${name}. ${names === '' ? 'Run: quittance login' : `There are: ${names}.`}`,
    )
  }
  return profile
}
