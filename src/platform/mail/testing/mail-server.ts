import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The plain text, decoded. */
  readonly text: string
}

export interface MailServer {
  readonly url: string
  readonly received: ReceivedMail[]
  close(): Promise<void>
}

export interface MailServerOptions {
  /** Recipients that the server refuses. */
  readonly refuses?: (recipient: string) => boolean
  readonly credentials?: { readonly user: string; readonly password: string }
}

/** A real SMTP server on loopback, which keeps what it receives. */
export async function startMailServer({ refuses, credentials }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: credentials === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: credentials === undefined,
    disableReverseLookup: true,
    onAuth: ({ username = '', password }, _session, done) => {
      if (username === credentials?.user && password === credentials.password) done(null, { user: username })
      else done(new Error('wrong credentials'))
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refuses?.(address) === true ? new Error('no such mailbox') : null)
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          ...readMessage(Buffer.concat(chunks).toString('latin1')),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** As `startMailServer`, closed after the test. */
export async function mailServerForTest(options?: MailServerOptions): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

type Message = Pick<ReceivedMail, 'headers' | 'text'>

/** A message, or of one in parts the first, which is the plain text. */
function readMessage(raw: string): Message {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const body = raw.slice(end + 4)
  const boundary = /^multipart\/.*boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary !== undefined) {
    const [, part = ''] = body.split(`--${boundary}\r\n`)
    return { headers, text: readMessage(part).text }
  }
  return { headers, text: decode(body, headers['content-transfer-encoding'] ?? '7bit').trim() }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
