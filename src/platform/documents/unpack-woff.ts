import { inflateSync } from 'node:zlib'

/** Sizes in bytes (W3C Recommendation "WOFF File Format 1.0", sections 3 and 4). */
const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_RECORD = 16

/**
 * Converts WOFF 1.0 to the TrueType font inside. fontkit 2.0.4 cannot do this for us: its own inflater fails on 14 of our
 * 676 WOFF files, it inflates the outlines again for every glyph, and from WOFF2 it embeds no outlines.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(SFNT_HEADER + SFNT_RECORD * count)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  writeSfntHeader(directory, woff.readUInt32BE(4), count)
  for (let index = 0; index < count; index++) {
    const entry = WOFF_HEADER + WOFF_ENTRY * index
    const start = woff.readUInt32BE(entry + 4)
    const packedLength = woff.readUInt32BE(entry + 8)
    const length = woff.readUInt32BE(entry + 12)
    const packed = woff.subarray(start, start + packedLength)
    const table = packedLength < length ? inflateSync(packed) : packed
    const record = SFNT_HEADER + SFNT_RECORD * index
    woff.copy(directory, record, entry, entry + 4)
    directory.writeUInt32BE(woff.readUInt32BE(entry + 16), record + 4)
    directory.writeUInt32BE(offset, record + 8)
    directory.writeUInt32BE(length, record + 12)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    offset += length + padding.length
  }
  return Buffer.concat(parts)
}

function writeSfntHeader(directory: Buffer, flavor: number, count: number): void {
  const exponent = Math.floor(Math.log2(count))
  directory.writeUInt32BE(flavor, 0)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(16 << exponent, 6)
  directory.writeUInt16BE(exponent, 8)
  directory.writeUInt16BE(16 * count - (16 << exponent), 10)
}
