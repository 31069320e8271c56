import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#platform/config'
import { startOwnSimulator, withBooks } from './acquirer-books.ts'

const root = await mkdtemp(join(tmpdir(), 'quittance-books-'))
afterAll(() => rm(root, { recursive: true }))
const log = pino({ level: 'silent' })

/** An installation that has run before, with the given content in its simulator's address file. */
async function installation(name: string) {
  const config = readConfig({ DATA_DIR: join(root, name) })
  const simulator = join(config.dataDir, 'simulator')
  await mkdir(simulator, { recursive: true })
  return { config, address: join(simulator, 'address.json') }
}

test.each(['', '{"url":'])('the address %j is ignored, and the books are read nevertheless', async (text) => {
  const { config, address } = await installation(`text-${text.length}`)
  await writeFile(address, text)
  const lines = await withBooks(config, log, async (books) => books && Array.fromAsync(books))
  expect(lines).toEqual([])
})

test('a simulator whose address cannot be saved is stopped again', async () => {
  const { config, address } = await installation('unwritable')
  await mkdir(address)
  await expect(startOwnSimulator(config, log)).rejects.toThrow('EISDIR')
  await rm(address, { recursive: true })
  // The directory is free for another simulator.
  const next = await startOwnSimulator(config, log)
  await next.close()
})
