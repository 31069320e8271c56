import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Problem } from './problem.ts'

export interface Profile {
  readonly url: string
  readonly api_key: string
}

export interface ProfileFile {
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const DEFAULT_PROFILE = 'default'

/** Follows the XDG Base Directory Specification. */
export function profileFilePath(): string {
  const { XDG_CONFIG_HOME: configHome } = process.env
  const isUsable = configHome !== undefined && configHome !== ''
  return join(isUsable ? configHome : join(homedir(), '.config'), 'quittance', 'profiles.json')
}

export async function readProfiles(): Promise<ProfileFile> {
  const path = profileFilePath()
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: DEFAULT_PROFILE, profiles: {} }
    throw new Problem(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const file: unknown = JSON.parse(text)
    if (isProfileFile(file)) return file
  } catch {}
  throw new Problem(`${path} is not a file of profiles. Remove it, and log in again.`)
}

/** Writes a new file and renames it, so that a cut never leaves half of the profiles. */
export async function writeProfiles(file: ProfileFile): Promise<void> {
  const path = profileFilePath()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}

function isProfileFile(value: unknown): value is ProfileFile {
  if (typeof value !== 'object' || value === null) return false
  const { current, profiles } = value as { current?: unknown; profiles?: unknown }
  if (typeof current !== 'string' || typeof profiles !== 'object' || profiles === null) return false
  return Object.values(profiles).every(
    (profile: unknown) =>
      typeof (profile as Profile | null)?.url === 'string' &&
      typeof (profile as Profile | null)?.api_key === 'string',
  )
}
