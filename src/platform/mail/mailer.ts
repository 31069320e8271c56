import { createTransport } from 'nodemailer'
import { onOneLine } from '#kernel/one-line'
import type { Config } from '#platform/config'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

export interface Mailer {
  /** Resolves once the SMTP server has accepted the message, which says nothing about its delivery. */
  send(mail: Mail): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 20_000
/** RFC 5321, section 4.5.3.1, bounds the local part and the domain of an address. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,255}$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export function createMailer({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  const { hostname, password } = new URL(smtpUrl)
  const transport = createTransport({
    url: smtpUrl,
    // A password never travels in the clear, unless the URL says `requireTLS=false`.
    requireTLS: password !== '' && !LOOPBACK.test(hostname),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, ...content }) => {
      if (!ADDRESS.test(to)) throw new Error('a message needs exactly one e-mail address')
      const recipient = { name: '', address: to }
      const headers = { 'Auto-Submitted': 'auto-generated' }
      await transport.sendMail({
        from: mailFrom,
        to: recipient,
        subject: onOneLine(subject),
        headers,
        ...content,
      })
    },
  }
}
