import { inflateRawSync } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY_BYTES = 46
const LOCAL_HEADER_BYTES = 30
const DEFLATED = 8

/** The files of a ZIP by its central directory (APPNOTE 4.3), in their order. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('the ZIP has no end')
  const files = new Map<string, Buffer>()
  let entry = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at))
    const nameAt = entry + DIRECTORY_ENTRY_BYTES
    const name = zip.toString('utf8', nameAt, nameAt + (nameBytes ?? 0))
    const local = zip.readUInt32LE(entry + 42)
    const start = local + LOCAL_HEADER_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
    if (files.has(name)) throw new Error(`the ZIP has ${name} twice`)
    files.set(name, zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(packed) : packed)
    entry = nameAt + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return files
}
