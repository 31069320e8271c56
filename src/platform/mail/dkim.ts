import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { messageOf } from '#platform/thrown'

/** What signs mails by DKIM (RFC 6376): a key of RSA, or of Ed25519 (RFC 8463), which nodemailer does not know. */
export interface DkimKey {
  readonly domain: string
  readonly selector: string
  readonly key: KeyObject
}

/** RFC 8301, section 3.2: verifiers accept no shorter key. */
const MIN_RSA_BITS = 1_024

/** Reads a private key in PEM, in which `\n` may stand for line feeds. Returns a text that says what is wrong. */
export function readDkimKey(pem: string): KeyObject | string {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'))
    if (key.asymmetricKeyType === 'ed25519') return key
    if (key.asymmetricKeyType !== 'rsa') return `it is of the kind ${key.asymmetricKeyType}`
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return bits < MIN_RSA_BITS ? `it has ${bits} bits` : key
  } catch (error) {
    return messageOf(error)
  }
}

/** Both headers of a one-click unsubscription must be signed (RFC 8058, section 4). */
const SIGNED = [
  'from',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'to',
  'cc',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
]
const LINE_BREAK = '\r\n'

/** The header field that signs a message, which ends its lines by CRLF. Canonicalization: relaxed/relaxed. */
export function dkimSignature(message: Buffer, { domain, selector, key }: DkimKey): string {
  const end = message.indexOf('\r\n\r\n')
  const head = message.subarray(0, end + 2).toString('latin1')
  const body = message.subarray(end + 4).toString('latin1')
  const fields = new Map(fieldsOf(head))
  const present = SIGNED.filter((name) => fields.has(name))
  const algorithm = key.asymmetricKeyType === 'ed25519' ? 'ed25519-sha256' : 'rsa-sha256'
  const hash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64')
  const tags = [
    `v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain}; s=${selector}`,
    ` h=${present.join(':')}`,
    ` bh=${hash}`,
    ' b=',
  ].join(`;${LINE_BREAK}`)
  const signed = [
    ...present.map((name) => `${name}:${fields.get(name)}${LINE_BREAK}`),
    `dkim-signature:${relaxedValue(` ${tags}`)}`,
  ].join('')
  const bytes = Buffer.from(signed, 'latin1')
  const signature =
    algorithm === 'ed25519-sha256'
      ? sign(null, createHash('sha256').update(bytes).digest(), key)
      : sign('sha256', bytes, key)
  return `DKIM-Signature: ${tags}${folded(signature.toString('base64'))}${LINE_BREAK}`
}

/** Of several fields of one name only the last is signed. */
function fieldsOf(head: string): [name: string, value: string][] {
  const lines: string[] = []
  for (const line of head.split(LINE_BREAK)) {
    if (line.startsWith(' ') || line.startsWith('\t')) lines[lines.length - 1] += `${LINE_BREAK}${line}`
    else if (line !== '') lines.push(line)
  }
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), relaxedValue(line.slice(colon + 1))]
  })
}

function relaxedValue(value: string): string {
  return trimBlanks(singleBlanks(value.replaceAll(LINE_BREAK, '')))
}

function relaxedBody(body: string): string {
  const lines = body.split(LINE_BREAK).map((line) => trimEndBlanks(singleBlanks(line)))
  while (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line + LINE_BREAK).join('')
}

function singleBlanks(text: string): string {
  return text.replaceAll(/[ \t]+/g, ' ')
}

function trimBlanks(text: string): string {
  return trimEndBlanks(text.startsWith(' ') ? text.slice(1) : text)
}

function trimEndBlanks(text: string): string {
  return text.endsWith(' ') ? text.slice(0, -1) : text
}

/** With the space before it, less than the 78 characters that RFC 5322, section 2.1.1, recommends. */
const LINE_LENGTH = 72

function folded(text: string): string {
  const lines = text.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []
  return lines.join(`${LINE_BREAK} `)
}
