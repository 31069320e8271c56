import { appendFile, type FileHandle, open as openFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppendLog } from './log.ts'
import { temporaryDirectory } from '../../testing/simulator.ts'

let temporary: Awaited<ReturnType<typeof temporaryDirectory>>
let path: string
beforeEach(async () => {
  temporary = await temporaryDirectory()
  path = join(temporary.dir, 'books.ndjson')
})
afterEach(() => temporary.remove())

async function open(): Promise<{ log: AppendLog; lines: string[] }> {
  const lines: string[] = []
  const log = await AppendLog.open(temporary.dir, (line) => {
    JSON.parse(line)
    lines.push(line)
  })
  return { log, lines }
}

test('a durable line is in the file, and lines are replayed in order', async () => {
  const { log } = await open()
  const positions = ['{"n":1}', '{"n":2}', '{"n":3}'].map((line) => log.append(line))
  expect(positions).toEqual([1, 2, 3])
  await log.durable(3)
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  await log.close()
  const again = await open()
  expect(again.lines).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  expect(again.log.position).toBe(3)
  await again.log.close()
})

test('an incomplete last line is cut off, and the next write starts on its own line', async () => {
  const first = await open()
  await first.log.durable(first.log.append('{"n":1}'))
  await first.log.close()
  await appendFile(path, '{"n":')
  const second = await open()
  expect(second.lines).toEqual(['{"n":1}'])
  await second.log.durable(second.log.append('{"n":2}'))
  await second.log.close()
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n')
})

test('damage in the middle of the file stops the start and names the line', async () => {
  const { log } = await open()
  await log.close()
  await appendFile(path, '{"n":1}\n{"n":\n{"n":3}\n')
  await expect(open()).rejects.toThrow(/Line 2 of .*books\.ndjson/)
})

test('lines of multi-byte characters that exceed a read chunk are replayed intact', async () => {
  const { log } = await open()
  const long = Array.from({ length: 5 }, (_, n) => JSON.stringify({ n, text: '單據'.repeat(150_000) }))
  for (const line of long) log.append(line)
  await log.durable(5)
  await log.close()
  const again = await open()
  expect(again.lines).toEqual(long)
  await again.log.close()
})

test('only the owner can read the books', async () => {
  const { log } = await open()
  await log.close()
  const { mode } = await stat(path)
  expect(mode & 0o777).toBe(0o600)
})

test('while the disk is full nothing becomes durable; afterwards everything does, in order and once', async () => {
  const { log } = await open()
  await log.durable(log.append('{"n":1}'))
  const full = vi.spyOn(await fileHandles(), 'appendFile').mockImplementation(async function (
    this: FileHandle,
  ) {
    await this.write('{"n":')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  await expect(log.durable(log.append('{"n":2}'))).rejects.toThrow('ENOSPC')
  await expect(log.durable(log.append('{"n":3}'))).rejects.toThrow('ENOSPC')
  await expect(log.durable(1)).resolves.toBeUndefined()
  full.mockRestore()
  await log.durable(2)
  await log.durable(log.append('{"n":4}'))
  await log.close()
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n')
})

/** The prototype shared by all open files. */
async function fileHandles(): Promise<FileHandle> {
  const file = await openFile(path)
  await file.close()
  return Object.getPrototypeOf(file) as FileHandle
}
