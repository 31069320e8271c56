import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const PROCESSES = 4
const ROUNDS = 25
const FILES = 100

/** Builds `root/built` anew in each round. Its build ends once those of all processes have, so that all put theirs into the same place at once. */
const BUILDER = `
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildFolder } from ${JSON.stringify(join(import.meta.dirname, 'build-folder.js'))}
const [root, id] = process.argv.slice(2)
const folder = join(root, 'built')
const arrived = (round) => readdirSync(root).filter((name) => name.startsWith(\`ready-\${round}-\`)).length
for (let round = 1; round <= ${ROUNDS}; round++) {
  const isFresh = () => existsSync(join(folder, 'round')) && readFileSync(join(folder, 'round'), 'utf8') === String(round)
  const build = async (target) => {
    mkdirSync(target)
    for (let file = 0; file < ${FILES}; file++) writeFileSync(join(target, String(file)), '')
    writeFileSync(join(target, 'round'), String(round))
    writeFileSync(join(root, \`ready-\${round}-\${id}\`), '')
    while (arrived(round) < ${PROCESSES}) await setTimeout(1)
  }
  await buildFolder({ name: 'it', folder, isFresh, build, without: '' })
}
`

test('processes that build a folder at the same time all succeed, and the folder is whole', async () => {
  const root = await mkdtemp(join(tmpdir(), 'build-folder-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const runs = Array.from({ length: PROCESSES }, async (_, id) => {
    const child = spawn(process.execPath, ['--input-type=module', '-', root, String(id)])
    child.stdin.end(BUILDER)
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { errors, code: code as number }
  })
  for (const run of await Promise.all(runs)) expect(run).toEqual({ errors: '', code: 0 })
  expect(await readdir(join(root, 'built'))).toHaveLength(FILES + 1)
  expect((await readdir(root)).filter((name) => name.startsWith('built'))).toEqual(['built'])
})
