import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanUp } from '#platform/testing/clean-up'
import { checkFrozenHistory } from './frozen-history.ts'

const FIRST = 'migrations/0001_first.sql'
const SECOND = 'migrations/0002_second.sql'
const CHANGED = (path: string) =>
  `${path} has landed and was changed: restore it, and write a new migration instead.`
const MISSING = (path: string) =>
  `${path} has landed and is missing: restore it, because databases have run it.`

class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'quittance-frozen-'))

  constructor(original?: Repository) {
    cleanUp(() => rmSync(this.folder, { recursive: true }))
    if (original === undefined) mkdirSync(join(this.folder, 'migrations'))
    else cpSync(original.folder, this.folder, { recursive: true })
  }

  git(...args: string[]): void {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    execFileSync('git', [...author, ...args], { cwd: this.folder, stdio: 'pipe' })
  }

  write(path: string, text: string): this {
    writeFileSync(join(this.folder, path), `${text}\n`)
    return this
  }

  commit(): this {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', 'A change')
    return this
  }

  get problems(): readonly string[] {
    const { problems, notCompared } = checkFrozenHistory(this.folder)
    expect(notCompared).toBeNull()
    return problems
  }
}

/** The first migration belongs to the draft, and the second landed after it. */
const landed = new Repository()
landed.git('init', '--quiet', '--initial-branch', 'main')
landed.git('config', 'maintenance.auto', 'false')
landed.write('migrations/DRAFT', 'Draft 1').write(FIRST, 'select 1').commit()
landed.write(SECOND, 'select 2').commit()

function landedRepository(): Repository {
  return new Repository(landed)
}

test.each([FIRST, SECOND])(
  'a change of %s is found, also once it was committed on the main branch',
  (path) => {
    const repository = landedRepository()
    expect(repository.problems).toEqual([])
    repository.write(path, 'select 3')
    expect(repository.problems).toEqual([CHANGED(path)])
    expect(repository.commit().problems).toEqual([CHANGED(path)])
    repository.write(FIRST, 'select 1').write(SECOND, 'select 2')
    expect(repository.problems).toEqual([])
  },
)

test.each([FIRST, SECOND])('%s may neither vanish nor come back with another content', (path) => {
  const repository = landedRepository()
  rmSync(join(repository.folder, path))
  expect(repository.problems).toEqual([MISSING(path)])
  expect(repository.commit().problems).toEqual([MISSING(path)])
  expect(repository.write(path, 'select 3').commit().problems).toEqual([CHANGED(path)])
  repository.git('mv', path, 'migrations/0003_third.sql')
  expect(repository.commit().problems).toEqual([MISSING(path)])
})

test.each([FIRST, SECOND])('%s may be replaced by a text that stands for it, once', (path) => {
  const hashOf = (text: string) => createHash('sha256').update(`${text}\n`).digest('hex')
  const original = path === FIRST ? 'select 1' : 'select 2'
  const repository = landedRepository()
  repository.write(path, `-- Stands for ${hashOf(original)}\nselect 3`)
  expect(repository.problems).toEqual([])
  expect(repository.commit().problems).toEqual([])
  repository.write(path, `-- Stands for ${hashOf(original)}\nselect 4`)
  expect(repository.problems).toEqual([CHANGED(path)])
  repository.write(path, `-- Stands for ${hashOf('select 4')}\nselect 3`)
  expect(repository.problems).toEqual([CHANGED(path)])
})

test('a branch may change its own migrations until they land, and is not shown those that landed after it began', () => {
  const repository = landedRepository()
  repository.git('switch', '--quiet', '--create', 'work')
  repository.write('migrations/0003_third.sql', 'select 3').commit()
  repository.write('migrations/0003_third.sql', 'select 4').commit()
  expect(repository.problems).toEqual([])
  expect(repository.write(SECOND, 'select 3').commit().problems).toEqual([CHANGED(SECOND)])
  repository.git('switch', '--quiet', 'main')
  repository.write('migrations/0004_fourth.sql', 'select 4').commit()
  repository.git('switch', '--quiet', 'work')
  expect(repository.problems).toEqual([CHANGED(SECOND)])
})

test('a migration that a merge brought to the main branch is frozen as it was merged', () => {
  const repository = landedRepository()
  repository.git('switch', '--quiet', '--create', 'work')
  repository.write('migrations/0003_third.sql', 'select 3').commit()
  repository.write('migrations/0003_third.sql', 'select 4').commit()
  repository.git('switch', '--quiet', 'main')
  repository.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'work')
  expect(repository.problems).toEqual([])
  repository.write('migrations/0003_third.sql', 'select 3')
  expect(repository.problems).toEqual([CHANGED('migrations/0003_third.sql')])
})

test('a new draft starts the history anew', () => {
  const repository = landedRepository()
  rmSync(join(repository.folder, SECOND))
  repository.write('migrations/DRAFT', 'Draft 2').write(FIRST, 'select 3')
  const { problems, notCompared } = checkFrozenHistory(repository.folder)
  expect(problems).toEqual([])
  expect(notCompared).toMatch(/DRAFT is not the one on the main branch, so the history starts anew\.$/)
  expect(repository.commit().problems).toEqual([])
  expect(repository.write(FIRST, 'select 1').problems).toEqual([CHANGED(FIRST)])
})

test('without a history the check says that it could not compare', () => {
  const repository = landedRepository()
  const clone = join(repository.folder, 'clone')
  repository.git('clone', '--quiet', '--depth', '1', `file://${repository.folder}`, clone)
  expect(checkFrozenHistory(clone).notCompared).toBe(
    'Landed migrations were not compared: the clone is shallow.',
  )
  for (const git of [clone, repository.folder]) rmSync(join(git, '.git'), { recursive: true })
  for (const folder of [clone, repository.folder]) {
    expect(checkFrozenHistory(folder)).toEqual({
      problems: [],
      notCompared: 'Landed migrations were not compared: this folder is no git repository.',
    })
  }
})
