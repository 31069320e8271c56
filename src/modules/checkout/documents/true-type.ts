import { inflateSync } from 'node:zlib'

/** Just enough of fonts to embed them in documents. */

/**
 * WOFF 1.0 (W3C recommendation, sections 3 to 5) back into the TrueType font that it was made of. fontkit embeds a WOFF2
 * without its outlines, so that nothing is shown, and cannot read the tables of a WOFF.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const HEADER = 44
  const ENTRY = 20
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  writeSfntHeader(directory, woff.readUInt32BE(4), count)
  for (let index = 0; index < count; index++) {
    const entry = HEADER + ENTRY * index
    const start = woff.readUInt32BE(entry + 4)
    const packedLength = woff.readUInt32BE(entry + 8)
    const length = woff.readUInt32BE(entry + 12)
    const packed = woff.subarray(start, start + packedLength)
    const table = packedLength < length ? inflateSync(packed) : packed
    const record = 12 + 16 * index
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

/** The characters that a font has a glyph for: its `cmap` of format 4 or 12 (OpenType specification, "cmap"). */
export function charactersOf(font: Buffer): ReadonlySet<number> {
  const table = tableOf(font, 'cmap')
  const found = new Set<number>()
  const count = table.readUInt16BE(2)
  for (let index = 0; index < count; index++) {
    const subtable = table.subarray(table.readUInt32BE(4 + 8 * index + 4))
    const format = subtable.readUInt16BE(0)
    if (format === 4) readFormat4(subtable, found)
    else if (format === 12) readFormat12(subtable, found)
  }
  return found
}

function tableOf(font: Buffer, tag: string): Buffer {
  const count = font.readUInt16BE(4)
  for (let index = 0; index < count; index++) {
    const record = 12 + 16 * index
    if (font.toString('latin1', record, record + 4) !== tag) continue
    const start = font.readUInt32BE(record + 8)
    return font.subarray(start, start + font.readUInt32BE(record + 12))
  }
  throw new Error(`the font has no table ${tag}`)
}

function readFormat4(subtable: Buffer, found: Set<number>): void {
  const doubled = subtable.readUInt16BE(6)
  const ends = 14
  const starts = ends + doubled + 2
  const offsets = starts + 2 * doubled
  for (let at = 0; at < doubled; at += 2) {
    const end = subtable.readUInt16BE(ends + at)
    const offset = subtable.readUInt16BE(offsets + at)
    const delta = subtable.readUInt16BE(starts + doubled + at)
    const start = subtable.readUInt16BE(starts + at)
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph =
        offset === 0
          ? (code + delta) & 0xffff
          : subtable.readUInt16BE(offsets + at + offset + 2 * (code - start))
      if (glyph !== 0) found.add(code)
    }
  }
}

function readFormat12(subtable: Buffer, found: Set<number>): void {
  const groups = subtable.readUInt32BE(12)
  for (let group = 0; group < groups; group++) {
    const at = 16 + 12 * group
    const end = subtable.readUInt32BE(at + 4)
    for (let code = subtable.readUInt32BE(at); code <= end; code++) found.add(code)
  }
}
