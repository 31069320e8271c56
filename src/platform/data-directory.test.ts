import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '#platform/config'
import { makeDataDirectory } from '#platform/data-directory'
import { replaceFile } from '#platform/durable-file'

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-data-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

// Proves reference/operations#data-directory.
test('a missing data directory is made with its parents, for its owner only', () => {
  const directory = join(temporaryDirectory(), 'a', 'b')
  makeDataDirectory(directory)
  makeDataDirectory(directory)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test('a data directory that cannot be made is a configuration error that names DATA_DIR', () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  for (const directory of ['/proc/quittance', '/proc/quittance/data', file, join(file, 'data')]) {
    expect(() => makeDataDirectory(directory)).toThrow(ConfigError)
    expect(() => makeDataDirectory(directory)).toThrow(/^DATA_DIR must be a directory /)
  }
})

test('a file that cannot be written is reported with DATA_DIR as the cause', () => {
  expect(() => replaceFile('/proc/keys.json', '{}')).toThrow(/DATA_DIR/)
})
