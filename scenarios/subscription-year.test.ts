import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMigratedDatabase } from '#platform/testing/database'
import { REPOSITORY_ROOT, startService } from './harness/service.ts'

function blocksOf(page: string, language: string): string {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
    .map(([, block]) => block)
    .join('\n')
}

test(
  'the code of "A subscription\'s year" prints the figures of the page',
  { timeout: 180_000 },
  async () => {
    const page = await readFile(join(REPOSITORY_ROOT, 'docs/subscription-year.md'), 'utf8')
    const service = await startService({ env: { DATABASE_URL: await createMigratedDatabase() } })
    const folder = await mkdtemp(join(tmpdir(), 'quittance-year-'))
    try {
      await mkdir(join(folder, 'data'))
      await mkdir(join(folder, 'node_modules'))
      await symlink(join(REPOSITORY_ROOT, 'sdk'), join(folder, 'node_modules/quittance'))
      await writeFile(join(folder, 'data/sandbox.json'), JSON.stringify(service.sandbox))
      await writeFile(join(folder, 'year.mjs'), blocksOf(page, 'js'))
      const { stdout } = await promisify(execFile)(process.execPath, ['year.mjs'], { cwd: folder })
      expect(stdout).toBe(blocksOf(page, 'text'))
    } finally {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
