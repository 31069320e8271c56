import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * - `arrivals`: When the mails arrived, in milliseconds since the start of this process.
 * - `ids`: The different values of `Message-ID`.
 */
export interface MailCounter {
  readonly url: string
  readonly arrivals: number[]
  readonly ids: ReadonlySet<string>
  close(): Promise<void>
}

/** A mail server that takes every mail and keeps its `Message-ID` and time alone. */
export async function startMailCounter(): Promise<MailCounter> {
  const arrivals: number[] = []
  const ids = new Set<string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      let head = ''
      stream.on('data', (chunk: Buffer) => {
        if (!head.includes('\r\n\r\n')) head += chunk.toString('latin1')
      })
      stream.on('end', () => {
        arrivals.push(performance.now())
        ids.add(/^message-id: *(\S+)/im.exec(head)?.[1] ?? '')
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    ids,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
