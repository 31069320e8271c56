import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** As it arrived, a character for each byte. */
  readonly raw: string
}

export interface MailServer {
  readonly url: string
  readonly received: ReceivedMail[]
  close(): Promise<void>
}

/**
 * - `refuses`: The recipients that get 550, or the code that is returned.
 * - `says`: What it says instead of a line of its own.
 * - `afterData`: What becomes of a whole message: 451, or its connection is cut before any answer. A promise is waited for.
 */
export interface MailServerOptions {
  readonly refuses?: (recipient: string) => boolean | number
  readonly says?: (line: string) => string
  readonly afterData?: (
    messageId: string,
    to: readonly string[],
  ) => 'accept' | 'defer' | 'cut' | Promise<'accept'>
  readonly port?: number
  readonly credentials?: { readonly user: string; readonly password: string }
}

export async function startMailServer({
  refuses,
  says,
  credentials,
  afterData = () => 'accept',
  port: wanted = 0,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    disabledCommands: credentials === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: credentials === undefined,
    disableReverseLookup: true,
    onAuth: ({ username = '', password }, _session, done) => {
      if (username === credentials?.user && password === credentials.password) done(null, { user: username })
      else done(new Error('wrong credentials'))
    },
    onRcptTo: ({ address }, _session, done) => {
      const refused = refuses?.(address) ?? false
      const code = typeof refused === 'number' ? { responseCode: refused } : {}
      done(refused === false ? null : Object.assign(new Error('no such mailbox'), code))
    },
    onData: (stream, { envelope, remotePort }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const answer = async () => {
        const raw = Buffer.concat(chunks).toString('latin1')
        const message = readMessage(raw)
        const to = envelope.rcptTo.map(({ address }) => address)
        const what = await afterData(message.headers['message-id'] ?? '', to)
        if (what === 'defer') return done(Object.assign(new Error('try again later'), { responseCode: 451 }))
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to,
          raw,
          ...message,
        })
        if (what === 'accept') return done()
        for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
      }
      stream.on('end', () => void answer())
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    const write = socket.write.bind(socket)
    if (says !== undefined) socket.write = (line: string) => write(says(line))
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(wanted, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export async function mailServerForTest(options?: MailServerOptions): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

type Message = Pick<ReceivedMail, 'headers' | 'text'>

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
