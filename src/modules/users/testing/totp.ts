import { createHmac } from 'node:crypto'
import { realNowMs } from '#kernel/clock'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

export function totpCode(uri: string, steps = 0): string {
  const secret = base32(new URL(uri).searchParams.get('secret') ?? '')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(realNowMs() / STEP_MS) + steps))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function base32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text.replace(/=+$/, '')) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
