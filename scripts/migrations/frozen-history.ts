import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textStoodForBy } from '../../src/platform/postgres/migrations/migration-files.ts'

/** A change of this file starts the history anew: databases of an older draft are not supported from then on. */
const DRAFT = 'migrations/DRAFT'
const MAIN_BRANCHES = ['main', 'origin/main']
/** A line of `git ls-tree`, or one of `git log --raw` about a file that was added. */
const MIGRATION = / (?<blob>[0-9a-f]+)(?: A)?\t(?<path>migrations\/[^/]+\.sql)$/

/**
 * - `problems`: sentences about landed migrations that were changed or removed.
 * - `notCompared`: why landed migrations could not be compared, or null.
 */
export interface FrozenHistory {
  readonly problems: readonly string[]
  readonly notCompared: string | null
}

/**
 * Compares the migrations in `repository` with what is on the main branch, or with the current commit where there is no such
 * branch. A commit can change a list of hashes together with a migration, but not the commits before it.
 */
export function checkFrozenHistory(repository: string): FrozenHistory {
  const git: Git = (...args) => gitIn(repository, args)
  if (git('rev-parse', '--show-prefix') !== '') return notCompared('this folder is no git repository')
  if (git('rev-parse', '--is-shallow-repository') === 'true') return notCompared('the clone is shallow')
  const main = MAIN_BRANCHES.find((branch) => git('rev-parse', '--verify', branch) !== undefined)
  const landed = git('merge-base', main ?? 'HEAD', 'HEAD')
  if (landed === undefined) return notCompared('the main branch has no commit yet')
  if (git('rev-parse', `${landed}:${DRAFT}`) !== git('hash-object', DRAFT)) {
    return notCompared(`${DRAFT} is not the one on the main branch, so the history starts anew`)
  }
  const start = git('log', '-1', '--format=%H', '--first-parent', landed, '--', DRAFT) ?? landed
  // For a file that was removed and added again the oldest content counts, which comes last.
  const frozen = new Map([...addedSince(git, start, landed), ...migrationsAt(git, start)])
  return {
    problems: [...frozen].flatMap(([path, blob]) => problemOf(repository, git, landed, path, blob)),
    notCompared: null,
  }
}

type Git = (...args: string[]) => string | undefined
type Blob = readonly [path: string, blob: string]

function migrationsAt(git: Git, commit: string): Blob[] {
  return migrationsIn(git('ls-tree', commit, 'migrations/'))
}

function addedSince(git: Git, start: string, end: string): Blob[] {
  const added = ['--diff-filter=A', '--no-renames', '--raw', '--no-abbrev', '--format=']
  const range = ['--first-parent', '--diff-merges=first-parent', `${start}..${end}`]
  return migrationsIn(git('log', ...added, ...range, '--', 'migrations/'))
}

function migrationsIn(output = ''): Blob[] {
  return output.split('\n').flatMap((line): Blob[] => {
    const { path, blob } = MIGRATION.exec(line)?.groups ?? {}
    return path === undefined || blob === undefined ? [] : [[path, blob]]
  })
}

function problemOf(repository: string, git: Git, landed: string, path: string, blob: string): string[] {
  if (!existsSync(join(repository, path))) {
    return [`${path} has landed and is missing: restore it, because databases have run it.`]
  }
  const current = git('hash-object', path)
  if (current === blob) return []
  const newest = git('rev-parse', `${landed}:${path}`)
  const isFirstReplacement = newest === blob || newest === current
  if (isFirstReplacement && standsFor(repository, path, blob)) return []
  return [`${path} has landed and was changed: restore it, and write a new migration instead.`]
}

/**
 * Databases keep the hash of the text that they ran. A text that names the one it replaces counts as the same text
 * for them.
 */
function standsFor(repository: string, path: string, blob: string): boolean {
  const replaced = execFileSync('git', ['cat-file', 'blob', blob], { cwd: repository })
  const text = readFileSync(join(repository, path), 'utf8')
  return createHash('sha256').update(replaced).digest('hex') === textStoodForBy(text)
}

function notCompared(reason: string): FrozenHistory {
  return { problems: [], notCompared: `Landed migrations were not compared: ${reason}.` }
}

/** Undefined if git is absent or fails. */
function gitIn(cwd: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd()
  } catch {
    return undefined
  }
}
