import { inflateSync } from 'node:zlib'
import type { ImageType } from '../model/branding.ts'

/**
 * Pixels on a side. Decoding an image of this size takes 16 MB, and a logo is shown 48 pixels high.
 */
const MAX_SIDE = 2_000

export function readImage(bytes: Buffer): { readonly type: ImageType } | { readonly problem: string } {
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
  if (image === undefined) return { problem: 'must be a PNG, JPEG or WebP image' }
  if (image.width < 1 || image.height < 1 || image.width > MAX_SIDE || image.height > MAX_SIDE) {
    return { problem: `must be at most ${MAX_SIDE} pixels wide and high` }
  }
  const problem = image.problem?.()
  return problem === undefined ? { type: image.type } : { problem }
}

interface ReadImage {
  readonly type: ImageType
  readonly width: number
  readonly height: number
  readonly problem?: () => string | undefined
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function readPng(bytes: Buffer): ReadImage | undefined {
  const isPng = bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG_SIGNATURE)
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return { type: 'image/png', width, height, problem: () => pngProblem(bytes, width, height) }
}

/** PDF documents decode the pixels, so they must be complete and no more than the header says. */
function pngProblem(bytes: Buffer, width: number, height: number): string | undefined {
  const [depth = 0, colors = 0, , , interlace] = bytes.subarray(24, 29)
  const channels = PNG_CHANNELS[colors]
  if (channels === undefined || ![1, 2, 4, 8].includes(depth) || interlace !== 0) {
    return 'must be a PNG that is not interlaced and has at most 8 bits a channel'
  }
  const data: Buffer[] = []
  let hasPalette = false
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length))
    if (type === 'PLTE') hasPalette = true
    at += 12 + length
  }
  const pixels = height * (1 + Math.ceil((width * channels * depth) / 8))
  try {
    const { length } = inflateSync(Buffer.concat(data), { maxOutputLength: pixels })
    if (length === pixels && (colors !== 3 || hasPalette)) return undefined
  } catch {}
  return 'must be a PNG that is not damaged'
}

/** The markers that begin a frame and hold its size; DHT, JPG and DAC between them do not. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function readJpeg(bytes: Buffer): ReadImage | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) {
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function readWebp(bytes: Buffer): ReadImage | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
