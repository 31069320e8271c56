import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface ReceivedMail {
  readonly to: string
  readonly source: string
  readonly link: string
}

export async function startMailServer() {
  const mails: ReceivedMail[] = []
  let isRefusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (isRefusing) return done(new Error('the mailbox is full'))
        const source = Buffer.concat(chunks).toString('utf8')
        const decoded = source.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        mails.push({ to, source, link: /https?:\/\/\S+/.exec(decoded)?.[0] ?? '' })
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: () => {
      isRefusing = true
    },
  }
}
