import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array
}

/**
 * Makes a ZIP while it is read, with Zip64 where it needs it. Besides the directory, at most two entries are in memory. The reader
 * asks for the next entry, so that none is made for a reader that is slow or has gone.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  for await (const { name, content } of entries) {
    zip.addBuffer(Buffer.from(content), name)
    for (let chunk = read(output); chunk !== null; chunk = read(output)) yield chunk
  }
  zip.end()
  yield* output as AsyncIterable<Uint8Array>
}

function read(output: Readable): Uint8Array | null {
  return output.read() as Uint8Array | null
}
