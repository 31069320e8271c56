import { argon2, type Argon2Algorithm, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Both bounds: reference/users#passwords. */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 128

const ALGORITHM: Argon2Algorithm = 'argon2id'
/** 19 MiB and two passes: OWASP's Password Storage Cheat Sheet. About 30 ms here. */
const MEMORY_KIB = 19_456
const PASSES = 2
const PARALLELISM = 1
/** RFC 9106, section 4: a salt of 128 bits and a tag of 256. */
const SALT_BYTES = 16
const TAG_BYTES = 32
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

export function isPasswordLength(password: string): boolean {
  return password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH
}

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await derive(ALGORITHM, {
    message: password.normalize('NFKC'),
    nonce,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(nonce)}$${unpadded(tag)}`
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string
  password: string
}): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(hash) ?? []
  const expected = Buffer.from(tag, 'base64')
  if (expected.length === 0) return false
  const found = await derive(ALGORITHM, {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  })
  return timingSafeEqual(found, expected)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/(?<!=)=+$/, '')
}
