import { inflateSync } from 'node:zlib'

export function textsOfPdf(pdf: Buffer): string[] {
  const objects = readObjects(pdf)
  const maps = readFontMaps(objects)
  return [...objects.values()].flatMap(({ stream }) => (/ Tf\n/.test(stream) ? readPage(stream, maps) : []))
}

type FontMaps = ReadonlyMap<string, ReadonlyMap<string, string>>

export function readFontMaps(objects: ReadonlyMap<string, PdfObject>): FontMaps {
  const maps = new Map<string, ReadonlyMap<string, string>>()
  for (const { head } of objects.values()) {
    const resources = /\/Font <<([^>]*)>>/.exec(head)?.[1] ?? ''
    for (const [, name = '', font = ''] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const toUnicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '')?.[1] ?? ''
      maps.set(name, readMap(objects.get(toUnicode)?.stream ?? ''))
    }
  }
  return maps
}

export interface PdfObject {
  readonly head: string
  readonly stream: string
}

export function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>()
  const text = pdf.toString('latin1')
  for (const match of text.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length
    const body = text.slice(start, text.indexOf('\nendobj', start))
    const streamAt = body.indexOf('\nstream\n')
    const head = streamAt < 0 ? body : body.slice(0, streamAt)
    objects.set(match[1] ?? '', {
      head: head.replaceAll(/\s+/g, ' '),
      stream: streamAt < 0 ? '' : readStream(pdf, start + streamAt + '\nstream\n'.length, head),
    })
  }
  return objects
}

function readStream(pdf: Buffer, start: number, head: string): string {
  const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
  const bytes = pdf.subarray(start, start + length)
  return (/FlateDecode/.test(head) ? inflateSync(bytes) : bytes).toString('latin1')
}

function readMap(cmap: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const [, from = '', texts = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    ;[...texts.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, hex = ''], index) => {
      const code = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0')
      map.set(code, utf16(hex.replaceAll(' ', '')))
    })
  }
  return map
}

function utf16(hex: string): string {
  const units = hex.match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}

export function readPage(stream: string, maps: FontMaps): string[] {
  const texts: string[] = []
  let map: ReadonlyMap<string, string> = new Map()
  for (const [, font, glyphs] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) map = maps.get(font) ?? new Map()
    if (glyphs === undefined) continue
    const codes = [...glyphs.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    texts.push(codes.map((code) => map.get(code) ?? '�').join(''))
  }
  return texts
}
