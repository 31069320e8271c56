import { crc32, deflateSync } from 'node:zlib'

export interface PngOptions {
  readonly width?: number
  readonly height?: number
  /** What the header says, where the pixels are others. */
  readonly saidHeight?: number
  readonly interlace?: 0 | 1
}

/** A picture of one colour with transparency, as an image program writes it. */
export function png({
  width = 64,
  height = 32,
  saidHeight = height,
  interlace = 0,
}: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(saidHeight, 4)
  header.set([8, 6, 0, 0, interlace], 8)
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.alloc(width * 4, Buffer.from([0x7a, 0x1f, 0xa2, 0xff])),
  ])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND')])
}

function chunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

export function dataUrl(content: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${content.toString('base64')}`
}
