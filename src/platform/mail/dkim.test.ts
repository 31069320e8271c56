import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { dkimSignature, readDkimKey } from './dkim.ts'

// The example of RFC 8463, appendix A, with its headers in our order.
const SEED = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64')
const PUBLIC = Buffer.from('11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', 'base64')
const BODY = ['Hi.', '', 'We lost the game.  Are you hungry yet?', '', 'Joe.', '', ''].join('\r\n')
const MESSAGE = Buffer.from(
  [
    'From: Joe SixPack <joe@football.example.com>',
    'To: Suzie Q <suzie@shopping.example.net>',
    'Subject: Is dinner ready?',
    'List-Unsubscribe:  <https://pay.example.com/u>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
    'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
    '',
    BODY,
  ].join('\r\n'),
)

function ed25519(): KeyObject {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), SEED])
  const pem = `-----BEGIN PRIVATE KEY-----\\n${pkcs8.toString('base64')}\\n-----END PRIVATE KEY-----`
  const key = readDkimKey(pem)
  if (typeof key === 'string') throw new Error(key)
  return key
}

function tagsOf(header: string): Map<string, string> {
  const value = header.slice(header.indexOf(':') + 1).replaceAll(/\s+/g, '')
  return new Map(
    value.split(';').map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  )
}

/** Makes what was signed anew from the message, field by field. */
function signedBytes(header: string): Buffer {
  const fields = MESSAGE.toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? []
  const canonical = (line: string) => {
    const [name = '', ...rest] = line.split(':')
    return `${name.toLowerCase()}:${rest.join(':').replaceAll(/\s+/g, ' ').trim()}`
  }
  const names = tagsOf(header).get('h')?.split(':') ?? []
  const lines = names.map((name) => {
    const field = fields.find((line) => line.toLowerCase().startsWith(`${name}:`))
    if (field === undefined) throw new Error(`${name} is signed and missing`)
    return canonical(field)
  })
  const unsigned = canonical(header.slice(0, header.lastIndexOf(' b=') + 3))
  return Buffer.from([...lines, unsigned].join('\r\n'))
}

// Proves reference/messages#dkim.
test('the body hash is that of RFC 8463, and both unsubscription headers are signed', () => {
  const header = dkimSignature(MESSAGE, {
    domain: 'football.example.com',
    selector: 'brisbane',
    key: ed25519(),
  })
  const tags = tagsOf(header)
  expect(tags.get('bh')).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=')
  expect(tags.get('a')).toBe('ed25519-sha256')
  expect(tags.get('h')?.split(':')).toEqual(
    expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
  )
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), PUBLIC])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const digest = createHash('sha256').update(signedBytes(header)).digest()
  expect(verify(null, digest, key, Buffer.from(tags.get('b') ?? '', 'base64'))).toBe(true)
})

test('a key of RSA signs, too, and no line is longer than 78 characters but one of tags', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const header = dkimSignature(MESSAGE, { domain: 'shop.example', selector: 's1', key: privateKey })
  const signature = Buffer.from(tagsOf(header).get('b') ?? '', 'base64')
  expect(verify('sha256', signedBytes(header), publicKey, signature)).toBe(true)
  expect(Math.max(...header.split('\r\n').map(({ length }) => length))).toBeLessThan(200)
})

test('a key that cannot sign mails is refused with the reason', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(readDkimKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))).toContain('ec')
  expect(typeof readDkimKey('no key')).toBe('string')
})
